package io.meshhub.hub.store;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sample and some odd nodes, in a store of either kind and in a list. */
final class QuerySample implements AutoCloseable {

    final List<QueryNode> nodes;
    final InMemoryNodeStore memory = new InMemoryNodeStore();
    final SqliteNodeStore file;
    private final Vertx vertx = Vertx.vertx();
    private final Path directory;

    QuerySample(List<NodeWrite> writes) throws IOException {
        directory = Files.createTempDirectory("meshhub-query");
        file = StoreFixture.await(SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE));
        fill(file, writes);
        fill(memory, writes);
        // As any reader sees them: from their JSON text.
        nodes = writes.stream()
                .filter(write -> write.content() != null)
                .map(write -> new QueryNode(
                        write.address(),
                        write.nodeType(),
                        write.name(),
                        new JsonObject(String.valueOf(write.content())),
                        1))
                .toList();
    }

    private static void fill(NodeStore store, List<NodeWrite> writes) {
        for (int i = 0; i < writes.size(); i += 500) {
            writes.subList(i, Math.min(writes.size(), i + 500)).stream()
                    .map(store::write)
                    .toList()
                    .forEach(StoreFixture::await);
        }
    }

    static QuerySample iso() throws IOException {
        return new QuerySample(StoreFixture.isoSample());
    }

    /** Names and values that are easy to get wrong. */
    static QuerySample odd() throws IOException {
        List<Object> values = List.of(
                4,
                "4",
                "004",
                "4.0",
                4.0,
                4.5,
                0.30000000000000004,
                0.1,
                -0.0,
                0,
                1e300,
                9007199254740993L,
                9007199254740992.0,
                Long.MAX_VALUE,
                new BigInteger("9223372036854775808"),
                true,
                false,
                "true",
                "null",
                "",
                "a",
                "A",
                "a%b",
                "a_b",
                "a*b",
                "a[b",
                "[a]",
                "a?b",
                "O'Brien",
                "say \"hi\"",
                "back\\slash",
                "a\u0000b",
                "a\nb",
                "'; drop table nodes; --",
                "{}",
                "[1]",
                "é",
                "É",
                "ſtraße",
                "\u212a",
                "🇨🇭",
                "\uFF5E",
                "\uD840\uDC00",
                new JsonObject(),
                new JsonArray(),
                new JsonArray().add("a").add(4).addNull().add(new JsonArray().add("b")),
                new JsonArray().add(new JsonObject().put("b", "a")).add(new JsonObject().put("b", 4.5)),
                new JsonObject().put("b", "a"),
                new JsonObject().put("b", new JsonArray().add(true).add("é")),
                new JsonObject().put("b", new JsonObject().put("c", "a")));
        List<NodeWrite> writes = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            String name = value instanceof String text && !text.isEmpty() ? text : "n" + i % 5;
            String path = i % 3 == 0 ? "odd/" + i : i % 3 == 1 ? "odd/x/" + i : "odd-x/" + i;
            JsonObject content = new JsonObject()
                    .put("a", value)
                    .put("i", i)
                    .put("a b", i % 7)
                    .put("q\"", i);
            writes.add(write(path, i % 2 == 0 ? "thing" : name, name, content));
        }
        writes.add(write("odd", "root", "odd", new JsonObject().putNull("a")));
        writes.add(write("odd/x", "root", "\uD840\uDC00", new JsonObject()));
        writes.add(write("odd/\uD840\uDC00", "root", "é", new JsonObject().put("a", "z")));
        writes.add(write("odd/Ω", "root", "\uFF5E", new JsonObject().put("a", "y")));
        return new QuerySample(writes);
    }

    private static NodeWrite write(String path, String type, String name, JsonObject content) {
        return new NodeWrite(
                MeshAddress.of(path),
                type,
                name,
                content,
                NodeWrite.ANY_VERSION,
                ActivationId.of(1, 1),
                StoreFixture.fence(path, 1, "a"));
    }

    @Override
    public void close() throws IOException {
        StoreFixture.await(file.close());
        StoreFixture.await(vertx.close());
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(directory);
    }
}
