package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A third node joins two that hold 30,000 live addresses, and is given about 10,000 of them: for how long the row of each
 * one's shard says that it is on its way, as its callers' node sees it, and what a steady stream of requests to all meets.
 */
public final class JoinBench {

    private static final int ADDRESSES = Integer.getInteger("bench.addresses", 30_000);
    private static final int PER_SECOND = Integer.getInteger("bench.rate", 2000);
    private static final int WAKING = 256;
    private static final long AFTER_S = 3;
    private static final long DRAIN_AND_50_MS = 2050;
    private static final MeshOptions TYPE = MeshOptions.DEFAULT.withType("message");

    private final BenchCluster cluster;
    private final Context caller;
    private final List<MeshAddress> addresses = IntStream.range(0, ADDRESSES)
            .mapToObj(i -> MeshAddress.of("echo/" + i))
            .toList();
    // Of the caller's context alone.
    private final Histogram met = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private final Histogram other = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private final List<String> lost = new ArrayList<>();
    private long began;
    private long sent;
    private long open;
    // The shards that are on their way, and since when; and for how long each one was.
    private final Map<Integer, Long> going = new ConcurrentHashMap<>();
    private final Map<Integer, Long> away = new ConcurrentHashMap<>();

    private JoinBench(BenchCluster cluster) {
        this.cluster = cluster;
        this.caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new JoinBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        List<Future<?>> lines = new ArrayList<>();
        for (int line = 0; line < WAKING; line++) {
            lines.add(wake(line));
        }
        BenchCluster.get(Future.all(lines));
        cluster.hub().shards().onRow(this::changed);
        began = System.nanoTime();
        long timer = cluster.hub().vertx().setPeriodic(1, tick -> caller.runOnContext(turn -> due()));
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(AFTER_S));
        long joining = System.nanoTime();
        cluster.join("c");
        cluster.awaitBalance();
        double shared = (System.nanoTime() - joining) / 1e6;
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(AFTER_S));
        cluster.hub().vertx().cancelTimer(timer);
        while (open() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        report(shared);
    }

    private Future<?> wake(int index) {
        return index >= ADDRESSES
                ? Future.succeededFuture()
                : cluster.hub()
                        .mesh()
                        .call(addresses.get(index), "message", TYPE)
                        .answer()
                        .compose(answer -> wake(index + WAKING));
    }

    private void changed(ShardRow row) {
        if (row.state() == ShardRow.State.HANDOFF) {
            going.putIfAbsent(row.shard(), System.nanoTime());
        } else {
            Long since = going.remove(row.shard());
            if (since != null) {
                away.put(row.shard(), System.nanoTime() - since);
            }
        }
    }

    private void due() {
        long until = (System.nanoTime() - began) * PER_SECOND / TimeUnit.SECONDS.toNanos(1);
        for (; sent < until; sent++) {
            long dueAt = began + sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
            MeshAddress address = addresses.get((int) (sent % ADDRESSES));
            long epoch = cluster.hub().shards().row(address.shard()).epoch();
            open++;
            cluster.hub().mesh().call(address, "message", TYPE).answer().onComplete(done -> {
                open--;
                if (done.failed()) {
                    lost.add(String.valueOf(done.cause().getMessage()));
                } else {
                    boolean moved = done.result().activation().epoch() > epoch;
                    (moved ? met : other).recordValue(System.nanoTime() - dueAt);
                }
            });
        }
    }

    private long open() throws Exception {
        Promise<Long> promise = Promise.promise();
        caller.runOnContext(turn -> promise.complete(open));
        return BenchCluster.get(promise.future());
    }

    private void report(double shared) throws Exception {
        Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
        for (MeshAddress address : addresses) {
            Long nanos = away.get(address.shard());
            if (nanos != null) {
                times.recordValue(nanos);
            }
        }
        Report.line(
                "%d live addresses, %d requests a second; %d of them moved in %d shards, all within %.0f ms of the start"
                        + " of the process",
                ADDRESSES, PER_SECOND, times.getTotalCount(), away.size(), shared);
        Report.line("%-36s %10s %10s %10s %10s", "", "how many", "p50 ms", "p99 ms", "worst ms");
        JsonArray results = new JsonArray()
                .add(row("away, by the row of its shard", times))
                .add(row("requests that met a move", met))
                .add(row("requests that met none", other));
        Report.line("lost %d of %d   (aim: lost 0, worst at most %d ms)", lost.size(), sent, DRAIN_AND_50_MS);
        lost.stream().distinct().limit(10).forEach(failure -> Report.line("  %s", failure));
        results.add(new JsonObject()
                .put("requests", sent)
                .put("lost", lost.size())
                .put("sharedMillis", shared)
                .put("aimLost", 0)
                .put("aimWorstMillis", DRAIN_AND_50_MS));
        Report.write(results);
    }

    private static JsonObject row(String what, Histogram times) {
        double p50 = times.getValueAtPercentile(50) / 1e6;
        double p99 = times.getValueAtPercentile(99) / 1e6;
        double worst = times.getMaxValue() / 1e6;
        Report.line("%-36s %10d %10.1f %10.1f %10.1f", what, times.getTotalCount(), p50, p99, worst);
        return new JsonObject()
                .put("what", what)
                .put("count", times.getTotalCount())
                .put("p50Millis", p50)
                .put("p99Millis", p99)
                .put("worstMillis", worst);
    }
}
