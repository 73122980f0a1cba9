package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static io.meshhub.hub.store.StoreFixture.creation;
import static io.meshhub.hub.store.StoreFixture.deletion;
import static io.meshhub.hub.store.StoreFixture.failureOf;
import static io.meshhub.hub.store.StoreFixture.fence;
import static io.meshhub.hub.store.StoreFixture.list;
import static io.meshhub.hub.store.StoreFixture.put;
import static io.meshhub.hub.store.StoreFixture.read;
import static io.meshhub.hub.store.StoreFixture.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.CodePointOrder;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeListing.Scope;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StaleFenceException;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store does (N1, the store's half of R14 and W8, W4, A10). */
abstract class NodeStoreContract {

    NodeStore store;

    /** A new empty store. */
    abstract NodeStore open();

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        await(store.close());
    }

    @Test
    void whatWasWrittenIsRead() {
        JsonObject content = new JsonObject()
                .put("text", "Zürich \uD83C\uDDE8\uD83C\uDDED \u0000 end")
                .put("n", 1.5)
                .put("list", new JsonArray().add(1).addNull().add(new JsonObject().put("x", true)));
        NodeRecord written = await(store.write(put("iso/CH", content)));
        assertThat(written.version()).isEqualTo(1);
        assertThat(written.deleted()).isFalse();
        assertThat(written.content()).isEqualTo(content);
        assertThat(read(store, "iso/CH")).isEqualTo(written);
        assertThat(await(store.read(MeshAddress.of("iso/CX")))).isEmpty();
    }

    @Test
    void creationOfAnExistingNodeIsAConflictEvenWithTheSameContent() {
        await(store.write(creation("iso/CH")));
        Conflict conflict = (Conflict) failureOf(store.write(creation("iso/CH")));
        assertThat(conflict.currentVersion()).isEqualTo(1);
        assertThat(read(store, "iso/CH").version()).isEqualTo(1);
    }

    @Test
    void writeOfAnotherVersionThanTheOneThatStandsIsAConflict() {
        await(store.write(creation("iso/CH")));
        JsonObject next = new JsonObject().put("n", 2);
        assertThat(await(store.write(write("iso/CH", next, 1, 1, "a"))).version())
                .isEqualTo(2);
        Conflict late = (Conflict) failureOf(store.write(write("iso/CH", new JsonObject(), 1, 1, "a")));
        assertThat(late.currentVersion()).isEqualTo(2);
        assertThat(read(store, "iso/CH").content()).isEqualTo(next);
        Conflict absent = (Conflict) failureOf(store.write(write("iso/CX", next, 3, 1, "a")));
        assertThat(absent.currentVersion()).isZero();
    }

    @Test
    void writeThatSaysTheSameChangesNeitherVersionNorTime() {
        JsonObject content = new JsonObject("{\"a\":{\"x\":1,\"y\":[1,2.0]},\"b\":null}");
        NodeRecord first = await(store.write(put("iso/CH", content)));
        List<NodeChange> heard = new CopyOnWriteArrayList<>();
        store.changes().subscribe(heard::add);
        JsonObject sameInOtherWords = new JsonObject("{\"b\":null,\"a\":{\"y\":[1.0,2],\"x\":1}}");
        assertThat(await(store.write(put("iso/CH", sameInOtherWords)))).isEqualTo(first);
        assertThat(read(store, "iso/CH")).isEqualTo(first);
        assertThat(heard).isEmpty();
        JsonObject otherOrderOfElements = new JsonObject("{\"b\":null,\"a\":{\"y\":[2,1],\"x\":1}}");
        assertThat(await(store.write(put("iso/CH", otherOrderOfElements))).version())
                .isEqualTo(2);
        JsonObject nullLeftOut = new JsonObject("{\"a\":{\"y\":[2,1],\"x\":1}}");
        assertThat(await(store.write(put("iso/CH", nullLeftOut))).version()).isEqualTo(3);
    }

    @Test
    void deletionLeavesATombstoneFromWhichTheNextCreationGoesOn() {
        await(store.write(creation("iso/CH")));
        NodeRecord tombstone = await(store.write(deletion("iso/CH")));
        assertThat(tombstone.deleted()).isTrue();
        assertThat(tombstone.version()).isEqualTo(2);
        assertThat(read(store, "iso/CH")).isEqualTo(tombstone);
        assertThat(await(store.count())).isZero();
        assertThat(list(store, "iso/CH", Scope.SUBTREE)).isEmpty();
        NodeRecord again = await(store.write(creation("iso/CH")));
        assertThat(again.version()).isEqualTo(3);
        assertThat(again.deleted()).isFalse();
        assertThat(await(store.count())).isEqualTo(1);
    }

    @Test
    void partitionsAreThoseInWhichNodesExist() {
        for (String path : List.of("iso/CH/ZH", "iso+/x", "iso", "acme/1", "gone/1", "iso/CH")) {
            await(store.write(creation(path)));
        }
        await(store.write(deletion("gone/1")));
        assertThat(await(store.partitions(null, 10))).containsExactly("acme", "iso", "iso+");
        assertThat(await(store.partitions(null, 2))).containsExactly("acme", "iso");
        assertThat(await(store.partitions("iso", 2))).containsExactly("iso+");
        assertThat(await(store.partitions("iso+", 2))).isEmpty();
    }

    @Test
    void deletionThatFindsNoNodeIsNotFound() {
        assertThat(failureOf(store.write(deletion("iso/CH")))).isInstanceOf(NotFound.class);
        assertThat(failureOf(store.write(write("iso/CH", null, 4, 1, "a")))).isInstanceOf(NotFound.class);
        await(store.write(creation("iso/CH")));
        assertThat(failureOf(store.write(write("iso/CH", null, 2, 1, "a")))).isInstanceOf(Conflict.class);
        await(store.write(write("iso/CH", null, 1, 1, "a")));
        assertThat(failureOf(store.write(deletion("iso/CH")))).isInstanceOf(NotFound.class);
    }

    @Test
    void writeUnderALowerFenceIsRefusedThoughTheNewOwnerHasOnlyRead() {
        NodeRecord first = await(store.write(write("iso/CH", new JsonObject().put("n", 1), 0, 5, "a")));
        assertThat(await(store.take(List.of(fence("iso/CH", 6, "b"))))).isEmpty();
        StaleFenceException stale = (StaleFenceException)
                failureOf(store.write(write("iso/CH", new JsonObject().put("n", 2), NodeWrite.ANY_VERSION, 5, "a")));
        assertThat(stale.storedEpoch()).isEqualTo(6);
        assertThat(read(store, "iso/CH")).isEqualTo(first);
    }

    @Test
    void writeUnderAnEqualFenceOfAnotherIncarnationIsRefused() {
        await(store.take(List.of(fence("iso/CH", 6, "b"))));
        assertThat(failureOf(store.write(write("iso/CH", new JsonObject(), 0, 6, "a"))))
                .isInstanceOf(StaleFenceException.class);
        assertThat(await(store.write(write("iso/CH", new JsonObject(), 0, 6, "b")))
                        .version())
                .isEqualTo(1);
    }

    @Test
    void writeUnderAHigherFenceRaisesIt() {
        await(store.write(write("iso/CH", new JsonObject(), 0, 5, "a")));
        await(store.write(write("iso/CH", new JsonObject(), NodeWrite.ANY_VERSION, 7, "b")));
        assertThat(failureOf(store.write(write("iso/CH", new JsonObject().put("n", 2), NodeWrite.ANY_VERSION, 6, "a"))))
                .isInstanceOf(StaleFenceException.class);
        assertThat(await(store.highestFence())).isEqualTo(7);
    }

    @Test
    void refusedWriteLeavesTheFenceAsItIs() {
        await(store.write(write("iso/CH", new JsonObject(), 0, 5, "a")));
        assertThat(failureOf(store.write(write("iso/CH", new JsonObject().put("n", 1), 0, 9, "b"))))
                .isInstanceOf(Conflict.class);
        assertThat(await(store.highestFence())).isEqualTo(5);
    }

    @Test
    void takenFencesAreRememberedAndTheRefusedOnesAreNamed() {
        assertThat(await(store.highestFence())).isZero();
        assertThat(await(store.take(List.of(
                        new ShardFence("hub", 1, 10, "a"),
                        new ShardFence("hub", 2, 20, "a"),
                        new ShardFence("other", 1, 5, "c")))))
                .isEmpty();
        assertThat(await(store.take(List.of(
                        new ShardFence("hub", 1, 9, "b"),
                        new ShardFence("hub", 2, 20, "b"),
                        new ShardFence("hub", 3, 1, "b"),
                        new ShardFence("other", 1, 6, "b")))))
                .isEqualTo(Map.of(1, 10L, 2, 20L));
        assertThat(await(store.take(List.of(new ShardFence("hub", 1, 10, "a")))))
                .isEmpty();
        assertThat(await(store.highestFence())).isEqualTo(20);
    }

    @Test
    void refusedWriteFailsOnlyItsOwnCaller() {
        await(store.take(List.of(fence("stale/x", 9, "b"))));
        await(store.write(creation("taken/x")));
        List<Future<NodeRecord>> good = new ArrayList<>();
        List<Future<NodeRecord>> conflicts = new ArrayList<>();
        List<Future<NodeRecord>> stale = new ArrayList<>();
        List<Future<NodeRecord>> missing = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            good.add(store.write(creation("good/" + i)));
            conflicts.add(store.write(creation("taken/x")));
            stale.add(store.write(put("stale/x", new JsonObject().put("i", i))));
            missing.add(store.write(deletion("missing/" + i)));
        }
        good.forEach(future -> assertThat(await(future).version()).isEqualTo(1));
        conflicts.forEach(future -> assertThat(failureOf(future)).isInstanceOf(Conflict.class));
        stale.forEach(future -> assertThat(failureOf(future)).isInstanceOf(StaleFenceException.class));
        missing.forEach(future -> assertThat(failureOf(future)).isInstanceOf(NotFound.class));
        assertThat(await(store.count())).isEqualTo(51);
        assertThat(await(store.read(MeshAddress.of("stale/x")))).isEmpty();
    }

    @Test
    void writesThatWereNotAwaitedAreDoneInTheirOrder() {
        List<Future<NodeRecord>> writes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            writes.add(store.write(write("iso/CH", new JsonObject().put("i", i), i, 1, "a")));
        }
        for (int i = 0; i < 300; i++) {
            assertThat(await(writes.get(i)).version()).isEqualTo(i + 1);
        }
    }

    @Test
    void everyScopeListsItsNodes() {
        // '-' and '.' sort before '/', and '0' right after it.
        for (String path : List.of("a", "a-b", "a.c", "a/x", "a/x/y", "a/x-1", "a/z", "a0", "a0/x", "b/q/r", "c")) {
            await(store.write(creation(path)));
        }
        assertThat(list(store, "a", Scope.SELF)).containsExactly("a");
        assertThat(list(store, "b", Scope.SELF)).isEmpty();
        assertThat(list(store, "a", Scope.CHILDREN)).containsExactly("a/x", "a/x-1", "a/z");
        assertThat(list(store, "a", Scope.DESCENDANTS)).containsExactly("a/x", "a/x-1", "a/x/y", "a/z");
        assertThat(list(store, "a", Scope.SUBTREE)).containsExactly("a", "a/x", "a/x-1", "a/x/y", "a/z");
        assertThat(list(store, "b", Scope.SUBTREE)).containsExactly("b/q/r");
        assertThat(list(store, "a/x/y", Scope.ANCESTORS)).containsExactly("a", "a/x");
        assertThat(list(store, "b/q/r/s", Scope.ANCESTORS)).containsExactly("b/q/r");
        assertThat(list(store, null, Scope.CHILDREN)).containsExactly("a", "a-b", "a.c", "a0", "c");
        List<String> all = List.of("a", "a-b", "a.c", "a/x", "a/x-1", "a/x/y", "a/z", "a0", "a0/x", "b/q/r", "c");
        assertThat(list(store, null, Scope.DESCENDANTS)).isEqualTo(all);
        assertThat(list(store, null, Scope.SUBTREE)).isEqualTo(all);
        assertThat(list(store, null, Scope.SELF)).isEmpty();
        assertThat(list(store, null, Scope.ANCESTORS)).isEmpty();
    }

    @Test
    void pagesFollowOnEachOther() {
        for (String path : List.of("a", "a/1", "a/1/1", "a/2", "a/3", "a-b")) {
            await(store.write(creation(path)));
        }
        await(store.write(deletion("a/2")));
        assertThat(list(store, "a", Scope.SUBTREE, null, 2)).containsExactly("a", "a/1");
        assertThat(list(store, "a", Scope.SUBTREE, "a/1", 2)).containsExactly("a/1/1", "a/3");
        assertThat(list(store, "a", Scope.SUBTREE, "a/3", 2)).isEmpty();
        // After a path between the node and what is below it, and after one that is gone.
        assertThat(list(store, "a", Scope.SUBTREE, "a-b", 9)).containsExactly("a/1", "a/1/1", "a/3");
        assertThat(list(store, "a", Scope.CHILDREN, "a/2", 9)).containsExactly("a/3");
        assertThat(list(store, "a", Scope.SELF, "a", 1)).isEmpty();
        assertThat(list(store, "a/1/1/1", Scope.ANCESTORS, "a", 1)).containsExactly("a/1");
        assertThat(list(store, null, Scope.CHILDREN, "a", 9)).containsExactly("a-b");
    }

    @Test
    void pathsAreOrderedByCodePoint() {
        String last = "p/" + Character.toString(0x20000);
        String before = "p/\uFA0E";
        assertThat(before.compareTo(last)).isPositive();
        for (String path : List.of(last, before, "p/Zürich", "p/Z", "p/é", "Ωmega/1", last + "/1")) {
            await(store.write(creation(path)));
        }
        assertThat(list(store, "p", Scope.DESCENDANTS))
                .containsExactly("p/Z", "p/Zürich", "p/é", before, last, last + "/1");
        assertThat(list(store, "p", Scope.CHILDREN, before, 5)).containsExactly(last);
        assertThat(list(store, last, Scope.SUBTREE)).containsExactly(last, last + "/1");
        assertThat(list(store, null, Scope.DESCENDANTS)).last().isEqualTo("Ωmega/1");
    }

    @Test
    void theIsoSampleIsLoadedAndListed() throws IOException {
        List<NodeWrite> sample = StoreFixture.isoSample();
        assertThat(sample).hasSize(6043);
        List<Future<NodeRecord>> writes = new ArrayList<>();
        for (NodeWrite write : sample) {
            writes.add(store.write(write));
            // Fewer at a time than the default bound of the queue.
            if (writes.size() % 2000 == 0) {
                await(writes.get(writes.size() - 1));
            }
        }
        writes.forEach(StoreFixture::await);
        assertThat(await(store.count())).isEqualTo(6043);
        assertThat(list(store, "iso", Scope.CHILDREN)).hasSize(249);
        assertThat(list(store, "iso", Scope.DESCENDANTS)).hasSize(5376);
        List<String> expected = sample.stream()
                .map(write -> write.address().toString())
                .sorted(CodePointOrder.INSTANCE)
                .toList();
        List<String> paged = new ArrayList<>();
        String after = null;
        do {
            List<String> page = list(store, null, Scope.DESCENDANTS, after, 500);
            paged.addAll(page);
            after = page.size() == 500 ? page.get(499) : null;
        } while (after != null);
        assertThat(paged).isEqualTo(expected);
        for (NodeWrite write : sample.subList(0, 50)) {
            NodeRecord record = read(store, write.address().toString());
            assertThat(record.nodeType()).isEqualTo(write.nodeType());
            assertThat(record.name()).isEqualTo(write.name());
            assertThat(record.content()).isEqualTo(write.content());
        }
    }

    @Test
    void feedAnnouncesChangesInTheirOrder() {
        List<NodeChange> heard = new CopyOnWriteArrayList<>();
        store.changes().subscribe(change -> {
            throw new IllegalStateException("a listener that fails");
        });
        ChangeFeed.Subscription subscription = store.changes().subscribe(heard::add);
        await(store.write(creation("a")));
        await(store.write(put("a", new JsonObject())));
        failureOf(store.write(creation("a")));
        await(store.write(deletion("a")));
        await(store.write(creation("a")));
        subscription.cancel();
        await(store.write(creation("b")));
        MeshAddress a = MeshAddress.of("a");
        assertThat(heard)
                .containsExactly(
                        new NodeChange(1, NodeChange.Kind.CREATED, a, 1),
                        new NodeChange(2, NodeChange.Kind.UPDATED, a, 2),
                        new NodeChange(3, NodeChange.Kind.DELETED, a, 3),
                        new NodeChange(4, NodeChange.Kind.CREATED, a, 4));
    }

    @Test
    void laterChangesOfTheCallersDocumentDoNotReachTheStore() {
        JsonObject content = new JsonObject().put("n", 1);
        Future<NodeRecord> written = store.write(put("a", content));
        content.put("n", 2);
        assertThat(await(written).content()).isEqualTo(new JsonObject().put("n", 1));
        await(store.read(MeshAddress.of("a"))).orElseThrow().content().put("n", 3);
        assertThat(read(store, "a").content()).isEqualTo(new JsonObject().put("n", 1));
    }

    @Test
    void whatIsNoUnicodeOrNoJsonIsRejected() {
        assertThat(failureOf(store.write(put("a", new JsonObject().put("half", "x\uD83C")))))
                .isInstanceOf(Rejected.class);
        assertThat(failureOf(store.write(put("a", new JsonObject().put("what", new Object())))))
                .isInstanceOf(Rejected.class);
        NodeWrite name = new NodeWrite(
                MeshAddress.of("a"),
                "t",
                "\uDC00",
                new JsonObject(),
                0,
                put("a", new JsonObject()).activation(),
                fence("a", 1, "a"));
        assertThat(failureOf(store.write(name))).isInstanceOf(Rejected.class);
        assertThat(await(store.count())).isZero();
    }

    @Test
    void closedStoreSaysSo() {
        await(store.close());
        await(store.close());
        assertThat(failureOf(store.read(MeshAddress.of("a")))).isInstanceOf(StoreException.class);
        assertThat(failureOf(store.write(creation("a")))).isInstanceOf(StoreException.class);
        assertThat(failureOf(store.count())).isInstanceOf(StoreException.class);
        assertThat(failureOf(store.take(List.of()))).isInstanceOf(StoreException.class);
    }
}
