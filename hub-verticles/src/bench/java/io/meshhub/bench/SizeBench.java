package io.meshhub.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/**
 * Bodies of 100 bytes to 1 MB to another node and back, beside a raw {@code eventBus.request}; and what small messages wait
 * for while large ones go to the same node.
 */
public final class SizeBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 2000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 4000);
    private static final int OUTSTANDING = 16;
    private static final int LARGE = 1_000_000;

    private final BenchCluster cluster;
    private final Context small;
    private final Context large;
    private final JsonArray results = new JsonArray();

    private SizeBench(BenchCluster cluster) {
        this.cluster = cluster;
        VertxInternal vertx = (VertxInternal) cluster.hub().vertx();
        this.small = vertx.createEventLoopContext();
        this.large = vertx.createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new SizeBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.line("To another node and back, medians of %d windows of %d ms", WINDOWS, WINDOW_MS);
        Report.line("%-44s %-6s %10s %10s %10s %8s", "", "", "per second", "p50 us", "p99 us", "MB/s");
        for (int size : new int[] {100, 1000, 100_000, LARGE}) {
            compare(
                    size + " bytes, " + OUTSTANDING + " outstanding",
                    size,
                    request -> millis -> BenchCluster.get(Load.run(small, request.of(size), OUTSTANDING, millis)));
        }
        compare(
                "100 bytes, one at a time",
                100,
                request -> millis -> BenchCluster.get(Load.run(small, request.of(100), 1, millis)));
        compare("100 bytes, one at a time, beside 2 x 1 MB", 100, request -> millis -> {
            Future<Load.Window> beside = Load.run(large, request.of(LARGE), 2, millis);
            Load.Window seen = BenchCluster.get(Load.run(small, request.of(100), 1, millis));
            BenchCluster.get(beside);
            return seen;
        });
        Report.write(results);
    }

    /** Requests with bodies of a size. */
    private interface Requests {
        IntFunction<Future<?>> of(int size);
    }

    private interface Case {
        LongFunction<Load.Window> window(Requests requests);
    }

    private void compare(String what, int size, Case measured) {
        Map<String, Load.Window> medians = new Sides()
                .with("mesh", measured.window(bytes -> cluster.mesh("b", Buffer.buffer(new byte[bytes]))))
                .with("raw", measured.window(bytes -> cluster.raw("b", Buffer.buffer(new byte[bytes]))))
                .warm(WARM_MS)
                .alternate(WINDOWS, WINDOW_MS)
                .medians();
        JsonObject row = new JsonObject().put("case", what);
        medians.forEach((side, median) -> {
            Report.line(
                    "%-44s %-6s %10.0f %10.1f %10.1f %8.1f",
                    what,
                    side,
                    median.perSecond(),
                    median.p50Micros(),
                    median.p99Micros(),
                    median.perSecond() * size / 1e6);
            row.put(side, median.json());
        });
        results.add(row);
    }
}
