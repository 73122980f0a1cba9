package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * What a quiet cluster of three nodes under a lease costs, with no address awake and with 100,000: event-bus messages and
 * processor time of each node in a second.
 */
public final class IdleBench {

    private static final int ADDRESSES = Integer.getInteger("bench.addresses", 100_000);
    private static final long WINDOW_S = Long.getLong("bench.window-s", 20);
    private static final int OUTSTANDING = 256;

    private final BenchCluster cluster;
    private final JsonArray results = new JsonArray();

    private IdleBench(BenchCluster cluster) {
        this.cluster = cluster;
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(3, 2)) {
            new IdleBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.header("%-6s %10s %14s %12s %14s", "node", "live", "messages/s", "CPU %", "heap MB");
        rest();
        wake();
        rest();
        Report.write(results);
    }

    private void rest() throws Exception {
        List<JsonObject> before = stats(true);
        long began = System.nanoTime();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(WINDOW_S));
        double seconds = (System.nanoTime() - began) / 1e9;
        List<JsonObject> after = stats(false);
        for (int i = 0; i < after.size(); i++) {
            JsonObject from = before.get(i);
            JsonObject to = after.get(i);
            JsonObject row = new JsonObject()
                    .put("node", cluster.names().get(i))
                    .put("live", to.getInteger("live"))
                    // Without the answer that told the figures.
                    .put("messagesPerSecond", (to.getLong("busSent") - from.getLong("busSent") - 1) / seconds)
                    .put("cpuPercent", (to.getLong("cpuNanos") - from.getLong("cpuNanos")) / seconds / 1e7)
                    .put("heapMegabytes", from.getLong("heapBytes") / 1e6);
            results.add(row);
            Report.line(
                    "%-6s %10d %14.1f %12.2f %14.1f",
                    row.getString("node"),
                    row.getInteger("live"),
                    row.getDouble("messagesPerSecond"),
                    row.getDouble("cpuPercent"),
                    row.getDouble("heapMegabytes"));
        }
    }

    private List<JsonObject> stats(boolean gc) throws Exception {
        List<JsonObject> stats = new ArrayList<>();
        for (String node : cluster.names()) {
            stats.add(cluster.stats(node, gc));
        }
        return stats;
    }

    private void wake() throws Exception {
        List<Future<Void>> lines =
                IntStream.range(0, OUTSTANDING).mapToObj(this::wakeFrom).toList();
        BenchCluster.get(Future.all(lines));
    }

    private Future<Void> wakeFrom(int index) {
        if (index >= ADDRESSES) {
            return Future.succeededFuture();
        }
        return cluster.hub()
                .mesh()
                .request(MeshAddress.of("echo/" + index), "wake", String.class)
                .compose(answer -> wakeFrom(index + OUTSTANDING));
    }
}
