package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What callers see of planned changes: 1,000 addresses are asked at a steady rate while nothing happens, while a node
 * joins and is given its share, while it leaves, and while all addresses are recycled again and again. The time of an answer counts from when its request
 * was due, not from when it was sent.
 */
public final class MoveBench {

    private static final int ADDRESSES = 1000;
    private static final int PER_SECOND = Integer.getInteger("bench.rate", 2000);
    private static final long QUIET_S = 5;

    private final BenchCluster cluster;
    private final List<MeshAddress> addresses = IntStream.range(0, ADDRESSES)
            .mapToObj(i -> MeshAddress.of("echo/" + i))
            .toList();
    private final JsonArray results = new JsonArray();

    private MoveBench(BenchCluster cluster) {
        this.cluster = cluster;
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new MoveBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.line("%-10s %10s %8s %10s %10s %10s", "while", "requests", "lost", "p99 ms", "p99.9 ms", "worst ms");
        during("warm", this::rest);
        during("quiet", this::rest);
        during("join", () -> {
            cluster.join("c");
            cluster.awaitBalance();
            return rest();
        });
        during("leave", () -> {
            cluster.leave("c");
            return rest();
        });
        during("recycle", this::recycleAll);
        Report.write(results);
    }

    private Void rest() {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(QUIET_S));
        return null;
    }

    private Void recycleAll() throws Exception {
        long ends = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUIET_S);
        while (System.nanoTime() < ends) {
            for (MeshAddress address : addresses) {
                BenchCluster.get(cluster.hub().mesh().recycle(address));
            }
        }
        return null;
    }

    private void during(String what, Callable<Void> change) throws Exception {
        Stream stream = new Stream();
        Vertx vertx = cluster.hub().vertx();
        long timer = vertx.setPeriodic(1, tick -> stream.due());
        change.call();
        vertx.cancelTimer(timer);
        stream.awaitAnswers();
        Histogram times = stream.times;
        results.add(new JsonObject()
                .put("while", what)
                .put("requests", times.getTotalCount())
                .put("lost", stream.lost.sum())
                .put("p99Millis", times.getValueAtPercentile(99) / 1e6)
                .put("p999Millis", times.getValueAtPercentile(99.9) / 1e6)
                .put("worstMillis", times.getMaxValue() / 1e6));
        Report.line(
                "%-10s %10d %8d %10.2f %10.2f %10.2f",
                what,
                times.getTotalCount(),
                stream.lost.sum(),
                times.getValueAtPercentile(99) / 1e6,
                times.getValueAtPercentile(99.9) / 1e6,
                times.getMaxValue() / 1e6);
        stream.slowest.forEach(line -> Report.line("  %s", line));
    }

    /** Requests at a steady rate; what is due is sent at the next tick, and its time counts from when it was due. */
    private final class Stream {
        private final Histogram times = new ConcurrentHistogram(TimeUnit.SECONDS.toNanos(60), 3);
        private final List<String> slowest = new CopyOnWriteArrayList<>();
        private final long began = System.nanoTime();
        private final AtomicBoolean answered = new AtomicBoolean();
        private long sent;
        private long open;
        private final LongAdder lost = new LongAdder();

        void due() {
            long now = System.nanoTime();
            long until = (now - began) * PER_SECOND / TimeUnit.SECONDS.toNanos(1);
            while (sent < until) {
                ask(began + sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND, addresses.get((int) (sent % ADDRESSES)));
                sent++;
            }
        }

        private void ask(long dueAt, MeshAddress address) {
            open++;
            Future<?> answer = cluster.hub()
                    .mesh()
                    .call(address, "message", MeshOptions.DEFAULT.withType("message"))
                    .answer();
            answer.onComplete(done -> {
                long took = System.nanoTime() - dueAt;
                times.recordValue(took);
                if (took > TimeUnit.MILLISECONDS.toNanos(250) && slowest.size() < 5) {
                    slowest.add(address + " shard " + address.shard() + " after "
                            + (dueAt - began) / 1_000_000 + " ms took " + took / 1_000_000 + " ms "
                            + (done.failed() ? done.cause().getMessage() : ""));
                }
                if (done.failed()) {
                    lost.increment();
                }
                open--;
                answered.set(open == 0);
            });
        }

        void awaitAnswers() {
            while (!answered.get()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }
}
