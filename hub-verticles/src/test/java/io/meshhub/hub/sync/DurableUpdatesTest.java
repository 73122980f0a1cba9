package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W7 and W8 through a stream: what is acknowledged is stored, and what the store refuses is not acknowledged. */
@Timeout(30)
class DurableUpdatesTest {

    private static final MeshAddress CH = MeshAddress.of("iso/CH");
    private static final MeshAddress LI = MeshAddress.of("iso/LI");

    private final Gated store = new Gated();
    private final Counts counts = new Counts();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .manualTime()
            .configure(node -> node.metrics(counts))
            .configure(this::serve)
            .build();

    private Watched ch;
    private Watched li;

    /** A store in memory that may keep its acknowledgements back. */
    private static final class Gated extends ForwardingNodeStore {
        final AtomicInteger writes = new AtomicInteger();
        volatile @Nullable Promise<Void> gate;

        Gated() {
            super(new InMemoryNodeStore());
        }

        @Override
        public Future<NodeRecord> write(NodeWrite write) {
            writes.incrementAndGet();
            Promise<Void> wait = gate;
            return wait == null ? super.write(write) : wait.future().compose(open -> super.write(write));
        }
    }

    private void serve(MeshHub.Builder node) {
        node.store(
                vertx -> Future.succeededFuture(store),
                (opened, builder) -> builder.catalog(new StoreCatalog(opened)).hub(NodeHubs.type(opened)));
    }

    @BeforeEach
    void twoNodesThatAreFollowed() {
        ch = put(CH);
        li = put(LI);
    }

    private Watched put(MeshAddress address) {
        JsonObject node = new JsonObject(Map.of("nodeType", "country", "name", "Old", "content", new JsonObject()));
        await(mesh.mesh().request(address, node, Object.class, MeshOptions.DEFAULT.withType(NodeHubs.PUT)));
        Watched watched = new Watched(mesh.node().sync().watch(address));
        settle();
        assertThat(name(watched)).isEqualTo("Old");
        return watched;
    }

    private void settle() {
        mesh.time().advance(Duration.ZERO);
    }

    private static Future<JsonObject> rename(Watched by, String name) {
        return by.stream.update(it -> it.put("name", name));
    }

    private static String name(Watched watched) {
        return watched.stream.value().orElseThrow().getString("name");
    }

    private NodeRecord stored(MeshAddress address) {
        return await(store.read(address)).orElseThrow();
    }

    private void close() {
        ch.close();
        li.close();
    }

    private ShardFence fence(long epochsLater, String incarnation) {
        long epoch = mesh.node().shards().row(CH.shard()).epoch();
        return new ShardFence("hub", CH.shard(), epoch + epochsLater, incarnation);
    }

    @Test
    void w7NothingIsAcknowledgedBeforeItIsStored() {
        Promise<Void> gate = Promise.promise();
        int before = store.writes.get();
        store.gate = gate;
        Future<JsonObject> update = rename(ch, "New");
        Watched.eventually("the write", () -> store.writes.get() > before);
        settle();
        assertThat(update.isComplete()).isFalse();
        assertThat(name(ch)).isEqualTo("Old");

        gate.complete();
        await(update);
        assertThat(stored(CH).name()).isEqualTo("New");
        store.gate = null;
        close();
    }

    @Test
    void w7AfterTheAcknowledgementTheOwnerMayEndAtOnce() {
        await(rename(ch, "New"));
        mesh.owner(CH).recycle();
        mesh.time().advance(Duration.ofSeconds(2));

        JsonObject read =
                await(mesh.mesh().request(CH, null, JsonObject.class, MeshOptions.DEFAULT.withType(NodeHubs.GET)));
        assertThat(read.getString("name")).isEqualTo("New");
        Watched.eventually("the stream is as the store", () -> name(ch).equals("New") && ch.stream.version() == 2);
        assertThat(await(rename(ch, "Newer")).getString("name")).isEqualTo("Newer");
        assertThat(stored(CH).version()).isEqualTo(3);
        close();
    }

    @Test
    void w8TheStoreHoldsANewerVersionWhichSurvivesAndTheStreamLearnsOfIt() {
        await(store.write(new NodeWrite(
                CH,
                "country",
                "Theirs",
                new JsonObject(),
                NodeWrite.ANY_VERSION,
                ActivationId.of(fence(0, "").epoch(), 99),
                fence(0, mesh.node().membership().self().incarnation()))));

        Throwable failure = awaitFailure(rename(ch, "Mine"));
        settle();

        assertThat(failure)
                .isInstanceOfSatisfying(
                        Conflict.class,
                        conflict -> assertThat(conflict.currentVersion()).isEqualTo(2));
        assertThat(stored(CH).name()).isEqualTo("Theirs");
        Watched.eventually("the stream is as the store", () -> name(ch).equals("Theirs"));
        close();
    }

    @Test
    void w8ALaterOwnerThatHasOnlyReadSoFarKeepsAnOlderOneFromWriting() {
        assertThat(await(store.take(List.of(fence(1, "b-1"))))).isEmpty();

        Throwable failure = awaitFailure(rename(ch, "Mine"));

        assertThat(failure).isInstanceOf(ShuttingDown.class);
        assertThat(((MeshException) failure).remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
        mesh.time().advance(Duration.ofSeconds(10));
        assertThat(counts.of("sync.updates"))
                .as("what was entered may have been executed, and is not sent again")
                .isEqualTo(1);
        assertThat(stored(CH).name()).isEqualTo("Old");
        assertThat(stored(CH).version()).isEqualTo(1);
        close();
    }

    @Test
    void w8OfTwoWritesThatWaitTogetherOnlyTheRefusedOneFails() {
        Promise<Void> gate = Promise.promise();
        int before = store.writes.get();
        store.gate = gate;
        Future<JsonObject> refused = rename(ch, "Mine");
        Future<JsonObject> written = rename(li, "New");
        Watched.eventually("both writes", () -> store.writes.get() == before + 2);
        assertThat(await(store.take(List.of(fence(1, "b-1"))))).isEmpty();
        gate.complete();

        assertThat(awaitFailure(refused)).isInstanceOf(ShuttingDown.class);
        assertThat(await(written).getString("name")).isEqualTo("New");
        assertThat(stored(CH).name()).isEqualTo("Old");
        assertThat(stored(LI).name()).isEqualTo("New");
        store.gate = null;
        close();
    }
}
