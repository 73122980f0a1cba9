package io.meshhub.hub.sync;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.sync.FeedPublisher;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The change feed between two nodes that share a file, each with a store of its own, which announces its own writes. */
@Timeout(60)
class NewsOfOtherNodesTest {

    private static final String FEED = FeedNews.place("");
    private static final Counts COUNTS = new Counts();

    @TempDir
    static Path directory;

    @RegisterExtension
    static final MeshExtension MESH = MeshExtension.cluster(2)
            .configure(node -> node.metrics(COUNTS)
                    .sync(SyncOptions.ofDefaults())
                    .store(
                            vertx -> SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE),
                            (store, builder) ->
                                    builder.catalog(new StoreCatalog(store)).hub(NodeHubs.type(store))))
            .build();

    private static void tell(MeshAddress to, String type, JsonObject body) {
        await(MESH.mesh(2).request(to, body, Object.class, MeshOptions.DEFAULT.withType(type)));
    }

    private static JsonObject country(int n) {
        return new JsonObject(
                Map.of("nodeType", "country", "name", "Switzerland", "content", new JsonObject().put("n", n)));
    }

    private static Watched dormant(MeshAddress address) {
        tell(address, NodeHubs.PUT, country(1));
        Watched watched = new Watched(MESH.node(1).sync().watch(address));
        has(watched, 1);
        tell(address, NodeHubs.DELETE, null);
        Watched.eventually(
                "dormant", () -> watched.stream.state().equals(new SyncState.Dormant(SyncState.Reason.NOT_FOUND)));
        return watched;
    }

    private static void has(Watched watched, int n) {
        Watched.eventually(
                "live with n=" + n,
                () -> watched.stream.state() instanceof SyncState.Live
                        && watched.stream.value().filter(country(n)::equals).isPresent());
    }

    private static int listening(String partition) {
        Promise<List<RegistrationInfo>> registered = Promise.promise();
        ((VertxInternal) MESH.node(2).vertx()).clusterManager().getRegistrations(FeedNews.place(partition), registered);
        return await(registered.future()).size();
    }

    @Test
    void aDormantStreamWakesWhenAnotherNodeCreatesItsNodeAgain() {
        MeshAddress address = MESH.addressOn(2, "wakes/a");
        try (Watched watched = dormant(address)) {
            tell(address, NodeHubs.PUT, country(2));

            has(watched, 2);
        }
    }

    @Test
    void newsThatWereLostAreMadeUpForByTheNextOfThePartition() {
        MeshAddress address = MESH.addressOn(2, "heals/a");
        MeshAddress other = MESH.addressOn(2, "heals/other");
        try (Watched watched = dormant(address)) {
            try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), FEED, body -> true)) {
                tell(address, NodeHubs.PUT, country(2));
                Watched.eventually("news that are lost", () -> lossy.addresses.contains(FeedNews.place("heals")));
            }
            assertThat(watched.stream.state()).isInstanceOf(SyncState.Dormant.class);

            tell(other, NodeHubs.PUT, country(3));

            has(watched, 2);
        }
    }

    @Test
    void newsThatWereLostAreToldAgainWhereNothingMoreIsWritten() {
        MeshAddress address = MESH.addressOn(2, "again/a");
        try (Watched watched = dormant(address)) {
            try (LossyBus lossy = LossyBus.losing(MESH.node(2).vertx(), FEED, body -> true)) {
                tell(address, NodeHubs.PUT, country(2));
                Watched.eventually("news that are lost", () -> lossy.addresses.contains(FeedNews.place("again")));
            }

            has(watched, 2);
        }
    }

    @Test
    void onlyANodeThatWatchesAPartitionHearsOfIt() {
        assertThat(listening("few")).isZero();
        try (Watched one = dormant(MESH.addressOn(2, "few/a"));
                Watched two = dormant(MESH.addressOn(2, "few/b"))) {
            assertThat(listening("few")).isEqualTo(1);
            assertThat(listening("others")).isZero();
            one.stream.close();
            assertThat(listening("few")).isEqualTo(1);
            two.stream.close();
            Watched.eventually("nobody listens any more", () -> listening("few") == 0);
        }
    }

    @Test
    void manyWritesAreFewMessages() {
        long before = COUNTS.of("feed.sent");
        long from = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            tell(MESH.addressOn(2, "busy/a"), NodeHubs.PUT, country(i));
        }
        long windows = (System.nanoTime() - from) / FeedPublisher.GATHERS.toNanos();

        assertThat(COUNTS.of("feed.sent") - before).isLessThanOrEqualTo(windows + 2);
    }
}
