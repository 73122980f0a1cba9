package io.meshhub.hub.store;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the tests of the stores say often. */
final class StoreFixture {

    private StoreFixture() {}

    static ShardFence fence(String path, long epoch, String incarnation) {
        return new ShardFence("hub", MeshAddress.of(path).shard(), epoch, incarnation);
    }

    static NodeWrite write(String path, @Nullable JsonObject content, long expected, long epoch, String incarnation) {
        return new NodeWrite(
                MeshAddress.of(path),
                "thing",
                "a thing",
                content,
                expected,
                ActivationId.of(epoch, 1),
                fence(path, epoch, incarnation));
    }

    /** Under the first epoch of one writer, whatever version stands. */
    static NodeWrite put(String path, JsonObject content) {
        return write(path, content, NodeWrite.ANY_VERSION, 1, "a");
    }

    static NodeWrite creation(String path) {
        return write(path, new JsonObject().put("at", path), 0, 1, "a");
    }

    static NodeWrite deletion(String path) {
        return write(path, null, NodeWrite.ANY_VERSION, 1, "a");
    }

    static List<String> list(NodeStore store, @Nullable String path, NodeListing.Scope scope) {
        return list(store, path, scope, null, NodeListing.MAX_LIMIT);
    }

    static List<String> list(
            NodeStore store, @Nullable String path, NodeListing.Scope scope, @Nullable String after, int limit) {
        return await(store.list(new NodeListing(address(path), scope, address(after), limit))).stream()
                .map(record -> record.address().toString())
                .toList();
    }

    private static @Nullable MeshAddress address(@Nullable String path) {
        return path == null ? null : MeshAddress.of(path);
    }

    static NodeRecord read(NodeStore store, String path) {
        return await(store.read(MeshAddress.of(path))).orElseThrow();
    }

    static List<NodeWrite> isoSample() throws IOException {
        Path sample = Path.of("conf/samples/iso.jsonl");
        try (Stream<String> lines =
                Files.lines(Files.exists(sample) ? sample : Path.of("..").resolve(sample))) {
            return lines.map(JsonObject::new)
                    .map(line -> new NodeWrite(
                            MeshAddress.of(line.getString("path")),
                            line.getString("nodeType"),
                            line.getString("name"),
                            line.getJsonObject("content"),
                            0,
                            ActivationId.of(1, 1),
                            fence(line.getString("path"), 1, "a")))
                    .toList();
        }
    }

    /** The result; throws the failure itself. */
    static <T> T await(Future<T> future) {
        Throwable failure;
        try {
            return future.toCompletionStage().toCompletableFuture().get(25, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            failure = e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            failure = e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        throw new AssertionError(failure);
    }

    /** The failure. */
    static Throwable failureOf(Future<?> future) {
        try {
            Object result = await(future);
            throw new AssertionError("succeeded with " + result);
        } catch (RuntimeException e) {
            return e;
        }
    }
}
