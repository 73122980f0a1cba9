package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.spi.Membership;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How long streams are not live: one whose owner in another process is recycled, once or again and again, or held away
 * for a while, and 10,000 whose owners' node is killed with {@code kill -9}, without a quorum and with one. The owners of
 * those 10,000 take 5 ms to start, so that the most that start at one time show how many streams look for their owners
 * together.
 */
public final class LiveBench {

    private static final int STREAMS = Integer.getInteger("bench.streams", 10_000);
    private static final int RUNS = Integer.getInteger("bench.runs", 3);
    private static final int RECYCLES = Integer.getInteger("bench.recycles", 20);
    private static final int HOLDS = Integer.getInteger("bench.holds", 10);
    private static final Duration CALM = Duration.ofMillis(1100);
    private static final Duration HELD = Duration.ofMillis(1200);
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final Duration LOOKS = Duration.ofMillis(5);

    private final JsonArray results = new JsonArray();

    private LiveBench() {}

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        LiveBench bench = new LiveBench();
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            bench.recycled(cluster);
        }
        Report.line(
                "%n%-22s %9s %12s %14s %10s %9s", "killed", "streams", "known ms", "then all ms", "together", "bound");
        for (int run = 0; run < RUNS; run++) {
            bench.killed("1 of 2, quorum 1", 2, 1);
            bench.killed("1 of 3, quorum 2 safe", 3, 2);
        }
        Report.write(bench.results);
        Runtime.getRuntime().halt(0);
    }

    private void recycled(BenchCluster cluster) throws Exception {
        MeshAddress board = cluster.owned("b", number -> MeshAddress.of("board/" + number), 0, 1)
                .get(0);
        SyncStream<JsonObject> stream = cluster.hub().sync().watch(board).onChange(change -> {});
        BenchCluster.get(stream.first());
        Report.line("%-22s %9s %12s %14s %14s %10s", "owner", "times", "away ms", "then live ms", "worst ms", "aim ms");
        // Signs that come within a second of the last ask share the next one: a recycle by itself is one after that.
        List<double[]> recycles = new ArrayList<>();
        for (int i = 0; i < RECYCLES; i++) {
            LockSupport.parkNanos(CALM.toNanos());
            recycles.add(away(cluster.hub(), stream, Duration.ZERO));
        }
        report("recycled", recycles);
        List<double[]> again = new ArrayList<>();
        for (int i = 0; i < RECYCLES; i++) {
            again.add(away(cluster.hub(), stream, Duration.ZERO));
        }
        report("recycled again at once", again);
        List<double[]> holds = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            holds.add(away(cluster.hub(), stream, HELD));
        }
        report("held at DEAD", holds);
        stream.close();
    }

    /** For how long the owner was away, and how much later the stream was live with what the next one says. */
    private static double[] away(MeshHub hub, SyncStream<JsonObject> stream, Duration held) throws Exception {
        long life = life(stream);
        long began = System.nanoTime();
        if (held.isZero()) {
            BenchCluster.get(hub.mesh().recycle(stream.address()));
        } else {
            order(hub, stream.address(), "park");
            LockSupport.parkNanos(held.toNanos());
            order(hub, stream.address(), "release");
        }
        long back = System.nanoTime();
        until(() -> stream.state() instanceof SyncState.Live && life(stream) != life);
        return new double[] {(back - began) / 1e6, Math.max(0, System.nanoTime() - back) / 1e6};
    }

    private static void order(MeshHub hub, MeshAddress address, String what) throws Exception {
        BenchCluster.get(hub.mesh()
                .call(address, new JsonObject().put(what, true), MeshOptions.DEFAULT.withType(MeshRouter.RECYCLE))
                .answer());
    }

    private static long life(SyncStream<JsonObject> stream) {
        return stream.value().map(value -> value.getLong("since")).orElse(0L);
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + BOUND.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    private void report(String what, List<double[]> seen) {
        double away = Report.median(seen.stream().map(each -> each[0]).toList());
        double live = Report.median(seen.stream().map(each -> each[1]).toList());
        double worst = seen.stream().mapToDouble(each -> each[1]).max().orElseThrow();
        long pace = SyncOptions.ofDefaults().latch().policy().pace().toMillis();
        Report.line("%-22s %9d %12.1f %14.1f %14.1f %10d", what, seen.size(), away, live, worst, pace);
        results.add(new JsonObject()
                .put("owner", what)
                .put("times", seen.size())
                .put("awayMillis", away)
                .put("thenLiveMillis", live)
                .put("worstMillis", worst)
                .put("aimMillis", pace));
    }

    private void killed(String what, int nodes, int quorum) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(nodes, quorum)) {
            List<SyncStream<JsonObject>> streams = new ArrayList<>();
            List<Future<?>> first = new ArrayList<>();
            for (MeshAddress address : cluster.owned("b", number -> MeshAddress.of("slow/" + number), 0, STREAMS)) {
                SyncStream<JsonObject> stream =
                        cluster.hub().sync().watch(address).onChange(change -> {});
                streams.add(stream);
                first.add(stream.first());
            }
            BenchCluster.get(Future.all(first));
            Promise<Long> known = Promise.promise();
            cluster.hub().membership().onChange((change, node) -> {
                if (node.name().equals("b") && change == Membership.Change.DROPPED) {
                    known.tryComplete(System.nanoTime());
                }
            });
            BenchBoard.MOST_STARTING.set(0);

            long killed = System.nanoTime();
            cluster.kill("b");
            long lossKnown = BenchCluster.get(known.future());
            List<SyncStream<JsonObject>> waiting = new ArrayList<>(streams);
            while (!waiting.isEmpty()) {
                waiting.removeIf(LiveBench::isElsewhere);
                LockSupport.parkNanos(LOOKS.toNanos());
                if (System.nanoTime() - killed > BOUND.toNanos()) {
                    throw new IllegalStateException(waiting.size() + " streams are not live within " + BOUND.toSeconds()
                            + " s; one is " + waiting.get(0).state());
                }
            }
            long all = System.nanoTime();
            int together = BenchBoard.MOST_STARTING.get();
            double knownMillis = (lossKnown - killed) / 1e6;
            double thenMillis = (all - lossKnown) / 1e6;
            Report.line(
                    "%-22s %9d %12.0f %14.0f %10d %9d",
                    what, STREAMS, knownMillis, thenMillis, together, SyncOptions.DEFAULT_RESUBSCRIBES_IN_FLIGHT);
            results.add(new JsonObject()
                    .put("killed", what)
                    .put("streams", STREAMS)
                    .put("lossKnownMillis", knownMillis)
                    .put("allLiveMillis", thenMillis)
                    .put("together", together)
                    .put("bound", SyncOptions.DEFAULT_RESUBSCRIBES_IN_FLIGHT));
        }
    }

    private static boolean isElsewhere(SyncStream<JsonObject> stream) {
        return stream.state() instanceof SyncState.Live
                && stream.value()
                        .map(value -> value.getString("node"))
                        .filter(node -> !node.equals("b"))
                        .isPresent();
    }
}
