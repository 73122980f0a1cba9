package io.meshhub.hub.query;

import static io.meshhub.testkit.MeshExtension.await;
import static io.meshhub.testkit.MeshExtension.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryResult;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Queries at two nodes that share a file of nodes: the same answer from either, and news of either at the other. */
@Timeout(60)
class TwoNodesAnswerAlikeTest {

    private static final String CANTONS = "nodeType:subdivision path:iso/CH scope:children sort:name";

    @TempDir
    static Path directory;

    @RegisterExtension
    static final MeshExtension MESH = MeshExtension.cluster(2)
            .configure(node -> node.store(
                            vertx -> SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE),
                            (store, builder) ->
                                    builder.catalog(new StoreCatalog(store)).hub(NodeHubs.type(store)))
                    .beforeUp(hub -> NodeProviders.addTo(hub, List.of())))
            .build();

    @BeforeEach
    void importSwitzerland() throws IOException {
        Path sample = Path.of("conf/samples/iso.jsonl");
        try (Stream<String> lines =
                Files.lines(Files.exists(sample) ? sample : Path.of("..").resolve(sample))) {
            lines.map(JsonObject::new)
                    .filter(line -> line.getString("path").startsWith("iso/CH"))
                    .forEach(line -> tell(MeshAddress.of((String) line.remove("path")), NodeHubs.PUT, line));
        }
    }

    private static void tell(MeshAddress to, String type, @Nullable JsonObject body) {
        await(MESH.mesh(1).request(to, body, Object.class, MeshOptions.DEFAULT.withType(type)));
    }

    private static QueryResult.Complete ask(int node, String query) {
        return await(MESH.node(node).query().run(Query.parse(query), QueryCaller.MESH));
    }

    private static List<String> paths(List<QueryNode> nodes) {
        return nodes.stream().map(node -> node.path().toString()).toList();
    }

    /** What a client of a live query knows. */
    private static final class Following implements AutoCloseable {
        private final BlockingQueue<QueryFrame> frames = new LinkedBlockingQueue<>();
        private final Map<String, String> names = new TreeMap<>();
        private final LiveQuery live;

        Following(int node, String query) {
            live = MESH.node(node).query().live(Query.parse(query), QueryCaller.MESH, frames::add);
        }

        /** Takes frames until the name of the node is that; null where it is to be gone. */
        void until(String path, @Nullable String name) throws InterruptedException {
            do {
                QueryFrame frame = frames.poll(10, TimeUnit.SECONDS);
                assertThat(frame).as("a frame after %s", names).isNotNull();
                if (frame instanceof QueryFrame.Initial initial) {
                    initial.nodes().forEach(this::put);
                } else if (frame instanceof QueryFrame.Added added) {
                    added.nodes().forEach(this::put);
                } else if (frame instanceof QueryFrame.Updated updated) {
                    updated.nodes().forEach(this::put);
                } else if (frame instanceof QueryFrame.Removed removed) {
                    removed.paths().forEach(gone -> names.remove(gone.toString()));
                } else if (frame instanceof QueryFrame.Reset reset) {
                    names.clear();
                    reset.nodes().forEach(this::put);
                } else {
                    throw new AssertionError(frame);
                }
            } while (name == null ? names.containsKey(path) : !name.equals(names.get(path)));
        }

        private void put(QueryNode node) {
            names.put(node.path().toString(), node.name());
        }

        @Override
        public void close() {
            live.close();
        }
    }

    @Test
    void theCantonsAreTheSame26InTheSameOrderFromEither() {
        QueryResult.Complete first = ask(1, CANTONS);

        assertThat(first.nodes())
                .hasSize(26)
                .isSortedAccordingTo(Query.parse(CANTONS).order());
        assertThat(paths(ask(2, CANTONS).nodes())).isEqualTo(paths(first.nodes()));
        assertThat(paths(ask(1, CANTONS).nodes())).isEqualTo(paths(first.nodes()));
        assertThat(first.silent()).isEmpty();
    }

    @Test
    void whatIsWrittenAnywhereIsSeenAtBoth() throws Exception {
        MeshAddress mine = MESH.addressOn(1, "live");
        MeshAddress yours = MESH.addressOn(2, "live");
        try (Following one = new Following(1, "path:live scope:children");
                Following two = new Following(2, "nodeType:canton path:live scope:children sort:name");
                Following all = new Following(1, "nodeType:canton")) {
            for (MeshAddress address : List.of(mine, yours)) {
                String path = address.toString();
                for (String name : List.of("Eins", "Zwei")) {
                    tell(
                            address,
                            NodeHubs.PUT,
                            new JsonObject(Map.of("nodeType", "canton", "name", name, "content", new JsonObject())));
                    for (Following each : List.of(one, two, all)) {
                        each.until(path, name);
                    }
                }
                tell(address, NodeHubs.DELETE, null);
                for (Following each : List.of(one, two, all)) {
                    each.until(path, null);
                }
            }
        }
    }

    @Test
    void aQueryWithoutAPathHearsOfEveryPartitionOfTheOtherNode() throws Exception {
        MeshAddress yours = MESH.addressOn(2, "every");
        try (Following all = new Following(1, "nodeType:hamlet")) {
            for (String name : List.of("Eins", "Zwei", "Drei")) {
                tell(
                        yours,
                        NodeHubs.PUT,
                        new JsonObject(Map.of("nodeType", "hamlet", "name", name, "content", new JsonObject())));
                all.until(yours.toString(), name);
            }
        }
    }

    @Test
    void activationsOfANodeAreToldAtEitherAsTheyComeAndGo() throws Exception {
        MeshAddress address = MESH.addressOn(1, "iso/CH/there");
        try (Following following = new Following(1, "from:activations node:node-1 path:" + address);
                Following elsewhere = new Following(2, "from:activations node:node-1 path:" + address)) {
            tell(
                    address,
                    NodeHubs.PUT,
                    new JsonObject(Map.of("nodeType", "canton", "name", "x", "content", new JsonObject())));
            following.until(address.toString(), address.name());
            elsewhere.until(address.toString(), address.name());
            QueryNode found = ask(1, "from:activations runLevel:STARTED path:" + address)
                    .nodes()
                    .get(0);
            assertThat(found.nodeType()).isEqualTo(ActivationsProvider.NODE_TYPE);
            assertThat(found.content().fieldNames())
                    .containsExactlyInAnyOrder("type", "node", "runLevel", "activation", "mailboxDepth");
            await(MESH.mesh(1).recycle(address));

            following.until(address.toString(), null);
            elsewhere.until(address.toString(), null);
        }
    }

    @Test
    void aPlainPeerAsksOverTheBusAndIsRefusedWithTheProjectsCodes() {
        var bus = MESH.node(2).vertx().eventBus();
        JsonObject page = await(bus.<JsonObject>request("mesh.query", new JsonObject().put("q", CANTONS)))
                .body();
        assertThat(page.getJsonArray("nodes")).hasSize(26);
        assertThat(page.getString("query")).isEqualTo(Query.parse(CANTONS).text());
        assertThat(page.getJsonObject("providers").getInteger("answered")).isPositive();

        for (JsonObject bad : List.of(
                new JsonObject().put("q", "scope:nowhere"),
                new JsonObject(),
                new JsonObject().put("q", "").put("mesh-principal", "root"),
                new JsonObject().put("q", "").put("mesh-deadline-ms", 0))) {
            assertThat(awaitFailure(bus.request("mesh.query", bad)))
                    .isInstanceOfSatisfying(
                            ReplyException.class,
                            refused -> assertThat(refused.failureCode())
                                    .as(bad.encode())
                                    .isEqualTo(Rejected.CODE));
        }
    }
}
