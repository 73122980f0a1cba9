package io.meshhub.hub.query;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.hub.store.QueryableStore;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreAnswer;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.query.QueryProvider.Opened;
import io.meshhub.query.language.Query;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeChange;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.meshhub.sync.protocol.FeedNews;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider over a real store: the first result, and what becomes of each change, of this process and of others. */
@Timeout(60)
class StoreQueryProviderTest {

    @TempDir
    Path directory;

    private final List<Runnable> later = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private SqliteNodeStore files;
    private GatedQueries store;
    private StoreQueryProvider provider;

    /** Holds the answers to queries and reads back for as long as a test wants. */
    private static final class GatedQueries extends ForwardingNodeStore implements QueryableStore {

        private final QueryableStore queries;
        volatile Future<Void> gate = Future.succeededFuture();
        volatile boolean brokenReads;
        volatile BooleanSupplier givenUp = () -> true;
        volatile boolean brokenQueries;

        GatedQueries(SqliteNodeStore store) {
            super(store);
            queries = store;
        }

        @Override
        public Future<Optional<NodeRecord>> read(MeshAddress address) {
            return brokenReads ? Future.failedFuture(new StoreException("disk on fire", null)) : super.read(address);
        }

        @Override
        public Future<StoreAnswer> query(Query query, int most, Runnable begun) {
            return brokenQueries
                    ? Future.failedFuture(new StoreException("disk on fire", null))
                    : queries.query(query, most, begun).compose(answer -> gate.map(answer));
        }

        @Override
        public Future<StoreAnswer> query(Query query, int most, Runnable begun, BooleanSupplier isOver) {
            givenUp = isOver;
            return query(query, most, begun);
        }
    }

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        NodeInfo self = new NodeInfo("a", "a-1", NodeInfo.State.UP, 1, "hub", Set.of(""), "store", "test");
        SingleNode membership = await(SingleNode.start(self, FenceStore.NONE, 1));
        files = await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
        store = new GatedQueries(files);
        provider = StoreQueryProvider.of(
                        ((VertxInternal) vertx).createEventLoopContext(), membership, store, (delay, action) -> {
                            later.add(action);
                            return () -> later.remove(action);
                        })
                .orElseThrow();
    }

    @AfterEach
    void close() {
        await(provider.close());
        await(files.close());
        await(vertx.close());
    }

    private void put(String path, String type) {
        write(path, type, new JsonObject().put("at", path));
    }

    private void write(String path, String type, @Nullable JsonObject content) {
        MeshAddress address = MeshAddress.of(path);
        await(files.write(new NodeWrite(
                address,
                type,
                address.name(),
                content,
                NodeWrite.ANY_VERSION,
                ActivationId.of(1, 1),
                new ShardFence("hub", address.shard(), 1, "a-1"))));
    }

    private void tell(String from, long sequence, String path, long version) {
        MeshAddress address = MeshAddress.of(path);
        FeedNews news =
                new FeedNews(from, List.of(new NodeChange(sequence, NodeChange.Kind.UPDATED, address, version)));
        vertx.eventBus().publish(FeedNews.place(FeedNews.EVERY), news.toJson());
        vertx.eventBus().publish(FeedNews.place(address.partition()), news.toJson());
    }

    private RecordingCall live(String query) throws InterruptedException {
        RecordingCall call = new RecordingCall(query);
        provider.open(call);
        assertThat(call.next()).isEqualTo("started");
        assertThat(call.next()).startsWith("first ");
        return call;
    }

    @Test
    void itsOwnTimeBeginsWithTheThreadAndTheFirstResultIsWhatMatches() throws Exception {
        put("iso/CH", "country");
        put("iso/CH/ZH", "canton");
        put("iso/CH/BE", "canton");
        put("other/CH", "canton");
        assertThat(provider.saysWhenStarted()).isTrue();
        RecordingCall call = live("nodeType:canton path:iso/CH scope:children sort:name");

        assertThat(call.firstPaths()).containsExactly("iso/CH/BE", "iso/CH/ZH");
    }

    @Test
    void noMoreThanIsWantedIsToldAndThatThereIsMoreIsSaid() throws Exception {
        put("iso/A", "country");
        put("iso/B", "country");
        put("iso/C", "country");
        RecordingCall call = new RecordingCall("path:iso scope:children sort:name skip:1 limit:1", 2);
        provider.open(call);

        assertThat(call.next()).isEqualTo("started");
        assertThat(call.next()).isEqualTo("first 2 cut");
        assertThat(call.firstPaths()).containsExactly("iso/A", "iso/B");
    }

    @Test
    void whatIsWrittenChangedAndDeletedIsTold() throws Exception {
        RecordingCall call = live("nodeType:canton path:iso/CH scope:children");
        put("iso/CH/ZH", "canton");
        assertThat(call.next()).isEqualTo("updated iso/CH/ZH");
        assertThat(call.last.version()).isEqualTo(1);
        // It no longer matches.
        put("iso/CH/ZH", "city");
        assertThat(call.next()).isEqualTo("removed iso/CH/ZH");
        put("iso/CH/ZH", "canton");
        assertThat(call.next()).isEqualTo("updated iso/CH/ZH");
        write("iso/CH/ZH", "canton", null);
        assertThat(call.next()).isEqualTo("removed iso/CH/ZH");
        // Outside of the scope, and then inside: only the latter is told.
        put("iso/DE/BY", "canton");
        put("iso/CH/BE", "canton");
        assertThat(call.next()).isEqualTo("updated iso/CH/BE");
    }

    @Test
    void everyScopeHearsOfWhatItTakesIn() throws Exception {
        RecordingCall all = live("");
        RecordingCall self = live("path:iso/CH");
        RecordingCall children = live("path:iso/CH scope:children");
        RecordingCall descendants = live("path:iso/CH scope:descendants");
        RecordingCall ancestors = live("path:iso/CH/ZH scope:ancestors");
        RecordingCall subtree = live("path:iso/CH scope:subtree");
        for (String path : List.of("iso/CH/ZH/8001", "iso/CH/ZH", "iso/CH", "iso", "end")) {
            put(path, "x");
        }
        for (RecordingCall call : List.of(all, self, children, descendants, ancestors, subtree)) {
            if (call.query().path() != null) {
                // What is told of the end of this call is the sign that nothing is under way.
                put(call.query().path().toString(), "y");
            }
        }

        assertThat(paths(all, 5))
                .containsExactlyInAnyOrder(
                        "updated iso/CH/ZH/8001", "updated iso/CH/ZH", "updated iso/CH", "updated iso", "updated end");
        assertThat(self.next()).isEqualTo("updated iso/CH");
        assertThat(children.next()).isEqualTo("updated iso/CH/ZH");
        assertThat(paths(descendants, 2)).containsExactlyInAnyOrder("updated iso/CH/ZH/8001", "updated iso/CH/ZH");
        assertThat(paths(ancestors, 2)).containsExactlyInAnyOrder("updated iso/CH", "updated iso");
        assertThat(paths(subtree, 3))
                .containsExactlyInAnyOrder("updated iso/CH/ZH/8001", "updated iso/CH/ZH", "updated iso/CH");
    }

    // The second change of one path may be told before the first one of another.
    private static Set<String> paths(RecordingCall call, int count) throws Exception {
        Set<String> told = new HashSet<>();
        while (told.size() < count) {
            told.add(call.next());
        }
        return told;
    }

    @Test
    void whatChangesWhileItReadsIsToldAfterTheFirstResult() throws Exception {
        put("iso/CH", "country");
        Promise<Void> gate = Promise.promise();
        store.gate = gate.future();
        RecordingCall call = new RecordingCall("path:iso scope:children");
        provider.open(call);
        assertThat(call.next()).isEqualTo("started");
        write("iso/CH", "country", null);
        put("iso/DE", "country");
        // Both were read again by now, and nothing is told before the first result.
        RecordingCall other = new RecordingCall("path:iso/DE");
        store.gate = Future.succeededFuture();
        provider.open(other);
        assertThat(other.next()).isEqualTo("started");
        assertThat(other.next()).isEqualTo("first 1");
        assertThat(call.told).isEmpty();
        gate.complete();

        assertThat(call.next()).startsWith("first ");
        assertThat(new HashSet<>(List.of(call.next(), call.next())))
                .isEqualTo(Set.of("removed iso/CH", "updated iso/DE"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"path:iso scope:children", "nodeType:country"})
    void whatAnotherProcessWroteIsToldAndAGapInItsNewsResets(String query) throws Exception {
        put("iso/CH", "country");
        RecordingCall unsure = live(query);
        tell("b-1", 1, "iso/CH", 1);
        // Of a sender that was not heard so far something may have been missed.
        assertThat(unsure.next()).isEqualTo("reset");
        RecordingCall sure = live(query);
        tell("b-1", 2, "iso/CH", 1);
        assertThat(sure.next()).isEqualTo("updated iso/CH");
        RecordingCall elsewhere = live("path:other scope:children");
        tell("b-1", 5, "iso/CH", 5);
        // What was read for an earlier message may be told twice.
        String told = sure.next();
        while (!told.equals("reset")) {
            assertThat(told).isEqualTo("updated iso/CH");
            told = sure.next();
        }
        put("other/x", "y");
        assertThat(elsewhere.next()).isEqualTo("updated other/x");
        assertThat(unsure.told).isEmpty();
    }

    @Test
    void aPartitionIsHeardForAWhileAfterAResetAndNotForEver() throws Exception {
        RecordingCall unsure = live("path:iso scope:children");
        tell("b-1", 1, "iso/CH", 1);
        assertThat(unsure.next()).isEqualTo("reset");
        assertThat(later).hasSize(1);
        later.forEach(Runnable::run);
        RecordingCall again = live("path:iso scope:children");
        tell("b-1", 2, "iso/CH", 1);

        assertThat(again.next()).isEqualTo("reset");
    }

    @Test
    void aStoreThatCannotBeAskedIsAFaultThatMayPass() throws Exception {
        store.brokenQueries = true;
        RecordingCall call = new RecordingCall("path:iso");
        provider.open(call);

        assertThat(call.next()).isEqualTo("fail");
        assertThat(call.failure).isInstanceOfSatisfying(Unavailable.class, failure -> {
            assertThat(failure.remedy()).isEqualTo(Remedy.RIDE_OUT);
            assertThat(failure).hasMessageContaining("disk on fire");
        });
    }

    @Test
    void aChangeThatCannotBeReadMakesTheCallBeginAnew() throws Exception {
        RecordingCall call = live("path:iso scope:children");
        store.brokenReads = true;
        put("iso/CH", "country");

        assertThat(call.next()).isEqualTo("reset");
    }

    @Test
    void whoIsCancelledHearsNothingMore() throws Exception {
        RecordingCall cancelled = new RecordingCall("path:iso scope:children");
        Opened opened = provider.open(cancelled);
        assertThat(cancelled.next()).isEqualTo("started");
        assertThat(cancelled.next()).isEqualTo("first 0");
        opened.cancel();
        RecordingCall other = live("path:iso scope:children sort:name");
        put("iso/CH", "country");

        assertThat(other.next()).isEqualTo("updated iso/CH");
        assertThat(cancelled.told).isEmpty();
    }

    @Test
    void theStoreIsToldWhenNobodyWaitsForItsAnswer() throws InterruptedException {
        RecordingCall call = live("path:iso scope:children");
        assertThat(store.givenUp.getAsBoolean()).isFalse();
        call.over = true;

        assertThat(store.givenUp.getAsBoolean()).isTrue();
    }

    @Test
    void readsThatFailTogetherAreLostOnce() {
        store.brokenReads = true;
        Context context = ((VertxInternal) vertx).createEventLoopContext();
        List<Throwable> lost = new CopyOnWriteArrayList<>();
        Rereads rereads = new Rereads(context, store, (address, found) -> {}, lost::add);
        Promise<Void> done = Promise.promise();
        context.runOnContext(turn -> {
            for (int i = 0; i < 100; i++) {
                rereads.of(MeshAddress.of("iso/n" + i));
            }
            context.runOnContext(later -> context.runOnContext(last -> done.complete()));
        });
        await(done.future());

        assertThat(lost).hasSize(1);
    }
}
