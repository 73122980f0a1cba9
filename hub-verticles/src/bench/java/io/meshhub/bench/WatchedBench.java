package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What 100,000 watched addresses cost at rest: event-bus messages and processor time of each of three nodes in a second, of
 * which the second owns them and the third watches them; heap of a stream on both sides; and heap of a node hub that rests
 * with its state.
 */
public final class WatchedBench {

    private static final int ADDRESSES = Integer.getInteger("bench.addresses", 100_000);
    private static final long WINDOW_S = Long.getLong("bench.window-s", 90);
    private static final int OUTSTANDING = 256;
    private static final int CHUNK = 10_000;
    private static final String OWNER = "b";
    private static final String WATCHER = "c";

    private final JsonArray results = new JsonArray();

    private WatchedBench() {}

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        WatchedBench bench = new WatchedBench();
        try (BenchCluster cluster = BenchCluster.start(3, 2)) {
            bench.watched(cluster);
        }
        bench.nodeHubs();
        Report.write(bench.results);
        Runtime.getRuntime().halt(0);
    }

    private void watched(BenchCluster cluster) throws Exception {
        List<MeshAddress> addresses = cluster.owned(OWNER, number -> MeshAddress.of("board/" + number), 0, ADDRESSES);
        Report.header("%-6s %10s %14s %12s %14s", "node", "watched", "messages/s", "CPU %", "heap MB");
        wake(cluster, addresses);
        long ownerAwake = heap(cluster, OWNER);
        long watcherBefore = heap(cluster, WATCHER);
        rest(cluster, 0);
        follow(cluster, addresses.subList(0, ADDRESSES / 10));
        rest(cluster, ADDRESSES / 10);
        follow(cluster, addresses.subList(ADDRESSES / 10, ADDRESSES));
        rest(cluster, ADDRESSES);
        bytesEach("stream, where it is watched", heap(cluster, WATCHER) - watcherBefore);
        bytesEach("stream, at its owner", heap(cluster, OWNER) - ownerAwake);
    }

    private static void wake(BenchCluster cluster, List<MeshAddress> addresses) throws Exception {
        BenchCluster.get(Future.all(IntStream.range(0, OUTSTANDING)
                .mapToObj(line -> wakeFrom(cluster.hub(), addresses, line))
                .toList()));
    }

    private static Future<Void> wakeFrom(MeshHub hub, List<MeshAddress> addresses, int index) {
        return index >= addresses.size()
                ? Future.succeededFuture()
                : hub.mesh()
                        .request(addresses.get(index), null, String.class, MeshOptions.DEFAULT.withType("wake"))
                        .compose(awake -> wakeFrom(hub, addresses, index + OUTSTANDING));
    }

    private static void follow(BenchCluster cluster, List<MeshAddress> addresses) throws Exception {
        for (int from = 0; from < addresses.size(); from += CHUNK) {
            cluster.order(
                    WATCHER, BenchStreams.follow(addresses.subList(from, Math.min(from + CHUNK, addresses.size()))));
        }
    }

    private static long heap(BenchCluster cluster, String node) throws Exception {
        return cluster.stats(node, true).getLong("heapBytes");
    }

    private void rest(BenchCluster cluster, int watched) throws Exception {
        List<JsonObject> before = stats(cluster, true);
        long began = System.nanoTime();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(WINDOW_S));
        double seconds = (System.nanoTime() - began) / 1e9;
        List<JsonObject> after = stats(cluster, false);
        for (int i = 0; i < after.size(); i++) {
            JsonObject from = before.get(i);
            JsonObject to = after.get(i);
            // Without the answer that told the figures.
            double messages = (to.getLong("busSent") - from.getLong("busSent") - 1) / seconds;
            double cpu = (to.getLong("cpuNanos") - from.getLong("cpuNanos")) / seconds / 1e7;
            double heap = from.getLong("heapBytes") / 1e6;
            String node = cluster.names().get(i);
            Report.line("%-6s %10d %14.1f %12.2f %14.1f", node, watched, messages, cpu, heap);
            results.add(new JsonObject()
                    .put("node", node)
                    .put("watched", watched)
                    .put("messagesPerSecond", messages)
                    .put("cpuPercent", cpu)
                    .put("heapMegabytes", heap));
        }
    }

    private static List<JsonObject> stats(BenchCluster cluster, boolean gc) throws Exception {
        List<JsonObject> stats = new ArrayList<>();
        for (String node : cluster.names()) {
            stats.add(cluster.stats(node, gc));
        }
        return stats;
    }

    private void bytesEach(String what, long bytes) {
        Report.line("%-30s %8.0f bytes", what, (double) bytes / ADDRESSES);
        results.add(new JsonObject().put("what", what).put("bytesEach", (double) bytes / ADDRESSES));
    }

    private void nodeHubs() {
        InMemoryNodeStore store = new InMemoryNodeStore();
        MeshHub hub = MeshHub.builder()
                .store(
                        vertx -> Future.succeededFuture(store),
                        (opened, builder) ->
                                builder.catalog(new StoreCatalog(opened)).hub(NodeHubs.type(opened)))
                .start()
                .await();
        Future.all(IntStream.range(0, OUTSTANDING)
                        .mapToObj(line -> putFrom(hub, line))
                        .toList())
                .await();
        long awake = used();
        hub.runtime()
                .release(
                        IntStream.range(0, MeshAddress.SHARDS).boxed().collect(Collectors.toUnmodifiableSet()),
                        "they have been measured")
                .await();
        bytesEach("node hub at rest, its store apart", awake - used());
        hub.stop(Duration.ofSeconds(30)).await();
    }

    private static Future<Void> putFrom(MeshHub hub, int index) {
        return index >= ADDRESSES
                ? Future.succeededFuture()
                : hub.mesh()
                        .request(
                                MeshAddress.of("node/" + index),
                                new JsonObject()
                                        .put("nodeType", "bench")
                                        .put("name", "node " + index)
                                        .put("content", BenchBoard.value(index, "a")),
                                JsonObject.class,
                                MeshOptions.DEFAULT.withType(NodeHubs.PUT))
                        .compose(made -> putFrom(hub, index + OUTSTANDING));
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
