package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * An activation storm: 100,000 addresses of another node that nobody has asked before are asked at once, more than may be
 * in flight to one node. What each ended with, how long all took and the slowest, and the heap that they leave there.
 */
public final class StormBench {

    private static final int STORM = Integer.getInteger("bench.storm", 100_000);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
    private static final int WARM = 20_000;
    private static final String ANSWERED = "answered";
    private static final MeshOptions WAKE = MeshOptions.DEFAULT.withType("message");

    private final BenchCluster cluster;
    private final Context caller;
    private final JsonArray results = new JsonArray();
    private int used;

    private StormBench(BenchCluster cluster) {
        this.cluster = cluster;
        this.caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new StormBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.line("Cold addresses of another node, all asked at once (aim: each is answered)");
        Report.line(
                "%10s %10s %10s %12s %10s %10s %12s  %s",
                "asked", "all ms", "each/s", "p50 ms", "p99 ms", "worst ms", "heap each", "outcomes");
        BenchCluster.get(storm(fresh(WARM)));
        for (int round = 0; round < ROUNDS; round++) {
            List<MeshAddress> addresses = fresh(STORM);
            JsonObject before = cluster.stats("b", true);
            Seen seen = BenchCluster.get(storm(addresses));
            JsonObject after = cluster.stats("b", true);
            int woken = after.getInteger("live") - before.getInteger("live");
            report(seen, woken, after.getLong("heapBytes") - before.getLong("heapBytes"));
        }
        Report.write(results);
    }

    private List<MeshAddress> fresh(int count) {
        List<MeshAddress> addresses = cluster.addresses("b", used, count);
        used += count * 3;
        return addresses;
    }

    private record Seen(long nanos, Histogram times, Map<String, Integer> outcomes) {}

    private Future<Seen> storm(List<MeshAddress> addresses) {
        Promise<Seen> promise = Promise.promise();
        Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(120), 3);
        Map<String, Integer> outcomes = new TreeMap<>();
        caller.runOnContext(turn -> {
            long began = System.nanoTime();
            int[] open = {addresses.size()};
            for (MeshAddress address : addresses) {
                long asked = System.nanoTime();
                cluster.hub().mesh().call(address, "message", WAKE).answer().onComplete(done -> {
                    long now = System.nanoTime();
                    times.recordValue(now - asked);
                    String outcome = done.succeeded()
                            ? ANSWERED
                            : done.cause().getClass().getSimpleName();
                    outcomes.merge(outcome, 1, Integer::sum);
                    if (--open[0] == 0) {
                        promise.complete(new Seen(now - began, times, outcomes));
                    }
                });
            }
        });
        return promise.future();
    }

    private void report(Seen seen, int woken, long heap) {
        double perSecond = seen.outcomes().getOrDefault(ANSWERED, 0) * 1e9 / seen.nanos();
        double heapEach = (double) heap / Math.max(1, woken);
        Histogram times = seen.times();
        Report.line(
                "%10d %10.0f %10.0f %12.1f %10.1f %10.1f %12.0f  %s, woken %d",
                times.getTotalCount(),
                seen.nanos() / 1e6,
                perSecond,
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getMaxValue() / 1e6,
                heapEach,
                seen.outcomes(),
                woken);
        JsonObject outcomes = new JsonObject();
        seen.outcomes().forEach(outcomes::put);
        results.add(new JsonObject()
                .put("asked", times.getTotalCount())
                .put("allMillis", seen.nanos() / 1e6)
                .put("perSecond", perSecond)
                .put("p50Millis", times.getValueAtPercentile(50) / 1e6)
                .put("p99Millis", times.getValueAtPercentile(99) / 1e6)
                .put("worstMillis", times.getMaxValue() / 1e6)
                .put("heapBytesEach", heapEach)
                .put("woken", woken)
                .put("outcomes", outcomes)
                .put("answeredShare", seen.outcomes().getOrDefault(ANSWERED, 0) / (double) times.getTotalCount())
                .put("aim", "answeredShare = 1"));
    }
}
