package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * What callers see of planned changes: 1,000 addresses are asked at a steady rate while nothing happens, while a node
 * joins and is given its share, while it leaves, and while all addresses are recycled again and again. Requests whose
 * shard moved while they were under way are told apart from the others of that time (and, of these, what remained once the
 * old owner had let go), and a raw consumer of another node is asked beside them: what both of these see is the machine's. The time of an answer counts from when its request was due,
 * not from when it was sent.
 */
public final class MoveBench {

    private static final int ADDRESSES = 1000;
    private static final int PER_SECOND = Integer.getInteger("bench.rate", 2000);
    private static final long QUIET_S = 5;

    /** Stands for a raw consumer of the event bus, which is asked beside the hubs. */
    private static final int RAW = -1;

    private static final int RAW_EVERY = 5;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger("bench.slow", 250));
    private static final int SLOWEST = 10;

    private final BenchCluster cluster;
    private final List<MeshAddress> addresses = IntStream.range(0, ADDRESSES)
            .mapToObj(i -> MeshAddress.of("echo/" + i))
            .toList();
    private final JsonArray results = new JsonArray();
    private volatile Queue<Move> moves = new ConcurrentLinkedQueue<>();

    private MoveBench(BenchCluster cluster) {
        this.cluster = cluster;
        cluster.hub().shards().onRow(row -> moves.add(new Move(row.shard(), System.nanoTime())));
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new MoveBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.line("%-16s %10s %8s %10s %10s %10s", "while", "requests", "lost", "p99 ms", "p99.9 ms", "worst ms");
        during("warm", this::rest);
        during("quiet", this::rest);
        during("join", () -> {
            cluster.join("c");
            cluster.awaitBalance();
            return rest();
        });
        // A node that leaves is seldom one that has just begun.
        during("settled", () -> {
            rest();
            rest();
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
        moves = stream.moves;
        Vertx vertx = cluster.hub().vertx();
        long timer = vertx.setPeriodic(1, tick -> stream.due());
        change.call();
        vertx.cancelTimer(timer);
        stream.awaitAnswers();
        List<Taken> asked = List.copyOf(stream.taken);
        List<Move> seen = List.copyOf(moves);
        if (seen.isEmpty()) {
            row(what, asked, taken -> taken.address() != RAW);
            row(what + ", raw bus", asked, taken -> taken.address() == RAW);
            return;
        }
        long first = seen.get(0).at() - stream.began;
        long last = seen.get(seen.size() - 1).at() - stream.began;
        Map<Integer, List<Long>> byShard = seen.stream()
                .collect(Collectors.groupingBy(
                        Move::shard, Collectors.mapping(move -> move.at() - stream.began, Collectors.toList())));
        Predicate<Taken> moved = taken -> taken.address() != RAW
                && byShard.getOrDefault(addresses.get(taken.address()).shard(), List.of()).stream()
                        .anyMatch(at -> at >= taken.dueAt() && at <= taken.endedAt());
        // What else was under way between the first and the last of them.
        List<Taken> beside = asked.stream()
                .filter(taken -> taken.endedAt() >= first && taken.dueAt() <= last)
                .toList();
        row(what + ", moving", beside, moved);
        afterTheDrain(what, beside.stream().filter(moved).toList(), byShard);
        row(what + ", resting", beside, taken -> taken.address() != RAW && !moved.test(taken));
        row(what + ", raw bus", beside, taken -> taken.address() == RAW);
    }

    /**
     * What is left of the moved requests' times once their old owner has let go: from the last row of their shard that came
     * while they were under way until their answer. What lies before it is the drain.
     */
    private void afterTheDrain(String what, List<Taken> moved, Map<Integer, List<Long>> byShard) {
        List<Taken> after = moved.stream()
                .map(taken -> {
                    long released = byShard.get(addresses.get(taken.address()).shard()).stream()
                            .filter(at -> at >= taken.dueAt() && at <= taken.endedAt())
                            .mapToLong(at -> at)
                            .max()
                            .orElseThrow();
                    return new Taken(taken.address(), released, taken.endedAt() - released, taken.failure());
                })
                .toList();
        row(what + ", drained", after, taken -> true);
    }

    private void row(String what, List<Taken> asked, Predicate<Taken> which) {
        Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
        List<Taken> all = asked.stream().filter(which).toList();
        all.forEach(taken -> times.recordValue(taken.nanos()));
        long lost = all.stream().filter(taken -> !taken.failure().isEmpty()).count();
        double p99 = times.getValueAtPercentile(99) / 1e6;
        double p999 = times.getValueAtPercentile(99.9) / 1e6;
        double worst = times.getMaxValue() / 1e6;
        results.add(new JsonObject()
                .put("while", what)
                .put("requests", times.getTotalCount())
                .put("lost", lost)
                .put("p99Millis", p99)
                .put("p999Millis", p999)
                .put("worstMillis", worst));
        Report.line("%-16s %10d %8d %10.2f %10.2f %10.2f", what, times.getTotalCount(), lost, p99, p999, worst);
        all.stream()
                .filter(taken -> taken.nanos() > SLOW_NANOS || !taken.failure().isEmpty())
                .sorted(Comparator.comparingLong(Taken::nanos).reversed())
                .limit(SLOWEST)
                .forEach(taken -> Report.line(
                        "  %s, due after %d ms, took %.1f ms %s",
                        taken.address() == RAW
                                ? "raw"
                                : addresses.get(taken.address()) + " of shard "
                                        + addresses.get(taken.address()).shard(),
                        taken.dueAt() / 1_000_000,
                        taken.nanos() / 1e6,
                        taken.failure()));
    }

    /**
     * An answer.
     *
     * @param address its index; {@link #RAW} for a raw consumer
     * @param dueAt nanoseconds after the begin
     * @param nanos from when it was due
     * @param failure empty for a reply
     */
    private record Taken(int address, long dueAt, long nanos, String failure) {
        long endedAt() {
            return dueAt + nanos;
        }
    }

    /** A shard was announced to move, or to have moved. */
    private record Move(int shard, long at) {}

    /** Requests at a steady rate; what is due is sent at the next tick, and its time counts from when it was due. */
    private final class Stream {
        private final List<Taken> taken = new ArrayList<>();
        private final Queue<Move> moves = new ConcurrentLinkedQueue<>();
        private final IntFunction<Future<?>> raw = cluster.raw("b", "message");
        private final long began = System.nanoTime();
        private final AtomicBoolean answered = new AtomicBoolean();
        private long sent;
        private long open;

        void due() {
            long now = System.nanoTime();
            long until = (now - began) * PER_SECOND / TimeUnit.SECONDS.toNanos(1);
            while (sent < until) {
                long dueAt = sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
                int index = (int) (sent % ADDRESSES);
                ask(
                        index,
                        dueAt,
                        cluster.hub()
                                .mesh()
                                .call(addresses.get(index), "message", MeshOptions.DEFAULT.withType("message"))
                                .answer());
                if (sent % RAW_EVERY == 0) {
                    ask(RAW, dueAt, raw.apply(index));
                }
                sent++;
            }
        }

        private void ask(int index, long dueAt, Future<?> answer) {
            open++;
            answer.onComplete(done -> {
                taken.add(new Taken(
                        index,
                        dueAt,
                        System.nanoTime() - began - dueAt,
                        done.failed() ? String.valueOf(done.cause().getMessage()) : ""));
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
