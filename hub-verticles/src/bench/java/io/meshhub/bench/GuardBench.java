package io.meshhub.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Fails when the rate of requests, as a ratio to the raw event bus in the same run, is below a floor far under what is usual:
 * then something on the path of each message has become much slower. It is no measurement.
 */
public final class GuardBench {

    private static final double FLOOR_OTHER = 0.8;
    private static final double FLOOR_OWN = 1.4;
    private static final int OUTSTANDING = 256;
    private static final int ATTEMPTS = 3;

    private GuardBench() {}

    /** No arguments; ends with 1 when a ratio stayed below its floor in three attempts. */
    public static void main(String[] args) throws Exception {
        boolean passed;
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            boolean other = isAbove(cluster, "b", "other node", FLOOR_OTHER);
            boolean own = isAbove(cluster, "a", "own node", FLOOR_OWN);
            passed = other && own;
        }
        Runtime.getRuntime().halt(passed ? 0 : 1);
    }

    private static boolean isAbove(BenchCluster cluster, String node, String place, double floor) {
        Context caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
        Buffer body = Buffer.buffer(new byte[100]);
        IntFunction<Future<?>> mesh = cluster.mesh(node, body);
        IntFunction<Future<?>> raw = cluster.raw(node, body);
        // Other work on the machine may spoil one attempt.
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Map<String, Load.Window> seen = new Sides()
                    .with("mesh", millis -> BenchCluster.get(Load.run(caller, mesh, OUTSTANDING, millis)))
                    .with("raw", millis -> BenchCluster.get(Load.run(caller, raw, OUTSTANDING, millis)))
                    .warm(2500)
                    .alternate(5, 600)
                    .medians();
            double ratio = rate(seen, "mesh") / rate(seen, "raw");
            Report.line(
                    "guard: %s, 100 bytes, %d outstanding: mesh %.0f/s, raw %.0f/s, ratio %.2f (floor %.1f)",
                    place, OUTSTANDING, rate(seen, "mesh"), rate(seen, "raw"), ratio, floor);
            if (ratio >= floor) {
                return true;
            }
        }
        return false;
    }

    private static double rate(Map<String, Load.Window> seen, String side) {
        return Objects.requireNonNull(seen.get(side)).perSecond();
    }
}
