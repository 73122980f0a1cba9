package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Live queries over a store that is written to: each query finds {@link #ROWS} nodes, and each write changes one of them.
 * The time of a change is from its commit to the frame that tells it, 50 ms of which changes gather.
 */
final class QueryLive {

    private static final int QUERIES = Integer.getInteger("bench.queries", 1000);
    private static final int PER_SECOND = Integer.getInteger("bench.writes", 1000);
    private static final long WINDOW_S = Long.getLong("bench.live-s", 20);
    private static final int ROWS = 10;
    private static final int ROUNDS = 100;
    private static final int WRITES_AT_ONCE = 1000;

    private final MeshHub hub;
    private final NodeStore store;
    private final JsonArray results;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicLong frames = new AtomicLong();
    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();

    // A document that is written as it stands already is no change.
    private int round;

    private record Seen(int number, int round, long at) {}

    QueryLive(MeshHub hub, JsonArray results) {
        this.hub = hub;
        this.store = hub.store().orElseThrow();
        this.results = results;
    }

    void run() {
        for (int from = 0; from < QUERIES * ROWS; from += WRITES_AT_ONCE) {
            BenchCluster.get(Future.all(IntStream.range(from, Math.min(from + WRITES_AT_ONCE, QUERIES * ROWS))
                    .mapToObj(i -> write(i, -1))
                    .toList()));
        }
        Report.line(
                "%n%d live queries of %d nodes each, %d writes a second, of which each changes one of them",
                QUERIES, ROWS, PER_SECOND);
        Window quiet = window(false);
        long before = used();
        List<LiveQuery> live =
                IntStream.range(0, QUERIES).mapToObj(this::follow).toList();
        await(QUERIES);
        double each = (used() - before) / (double) QUERIES;
        Window busy = window(true);
        live.forEach(LiveQuery::close);
        double shared = shared();
        Report.line("  without queries: %.0f writes/s, CPU %.0f %%", quiet.perSecond, quiet.cpuPercent);
        Report.line(
                "  with them: %.0f writes/s, CPU %.0f %%, commit to frame p50 %.1f ms, p99 %.1f ms, %.0f frames/s,"
                        + " %d of %d changes told one by one",
                busy.perSecond,
                busy.cpuPercent,
                busy.p50Millis,
                busy.p99Millis,
                busy.framesPerSecond,
                busy.told,
                busy.writes);
        Report.line("  heap: %.0f bytes for a live query of its own, %.0f for one more listener of one", each, shared);
        results.add(new JsonObject()
                .put("what", "live")
                .put("queries", QUERIES)
                .put("rows", ROWS)
                .put("writesPerSecond", busy.perSecond)
                .put("writesPerSecondAim", PER_SECOND)
                .put("cpuPercent", busy.cpuPercent)
                .put("cpuPercentWithout", quiet.cpuPercent)
                .put("p50Millis", busy.p50Millis)
                .put("p99Millis", busy.p99Millis)
                .put("framesPerSecond", busy.framesPerSecond)
                .put("heapBytesEach", each)
                .put("heapBytesShared", shared));
    }

    private Future<NodeRecord> write(int row, int number) {
        MeshAddress path = MeshAddress.of("live/" + row % QUERIES + "/" + row / QUERIES);
        return store.write(QueryBench.write(
                hub,
                path,
                "bench",
                path.name(),
                new JsonObject().put("number", number).put("round", round)));
    }

    private static Query query(int index) {
        return Query.parse("nodeType:bench path:live/" + index + " scope:children sort:name limit:100");
    }

    private LiveQuery follow(int index) {
        return hub.query().live(query(index), QueryCaller.MESH, this::told);
    }

    private void told(QueryFrame frame) {
        frames.incrementAndGet();
        if (frame instanceof QueryFrame.Initial) {
            begun.incrementAndGet();
        } else if (frame instanceof QueryFrame.Updated updated) {
            long now = System.nanoTime();
            for (QueryNode node : updated.nodes()) {
                seen.add(new Seen(
                        node.content().getInteger("number"), node.content().getInteger("round"), now));
            }
        }
    }

    private record Window(
            double perSecond,
            double cpuPercent,
            double p50Millis,
            double p99Millis,
            double framesPerSecond,
            long told,
            int writes) {}

    // Writes at their rate, whether or not the ones before are done; the time of each counts from its commit.
    private Window window(boolean followed) {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        int writes = Math.toIntExact(PER_SECOND * WINDOW_S);
        long[] committed = new long[writes];
        round++;
        seen.clear();
        List<Future<NodeRecord>> all = new ArrayList<>(writes);
        long framesBefore = frames.get();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        long perRound = TimeUnit.SECONDS.toNanos(1) / ROUNDS;
        int turn = 0;
        for (int number = 0; number < writes; turn++) {
            int until = Math.min(writes, number + PER_SECOND / ROUNDS);
            for (; number < until; number++) {
                int mine = number;
                all.add(write(number % (QUERIES * ROWS), number)
                        .onComplete(done -> committed[mine] = System.nanoTime()));
            }
            long due = start + (turn + 1) * perRound;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        BenchCluster.get(Future.all(all));
        double seconds = (System.nanoTime() - start) / 1e9;
        double used = (system.getProcessCpuTime() - cpu) / seconds / 1e7;
        ConcurrentHistogram delays = new ConcurrentHistogram(TimeUnit.SECONDS.toNanos(60), 3);
        if (followed) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (seen.size() < writes && System.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            seen.forEach(each -> {
                if (each.round == round) {
                    delays.recordValue(Math.max(0, each.at - committed[each.number]));
                }
            });
        }
        return new Window(
                writes / seconds,
                used,
                delays.getValueAtPercentile(50) / 1e6,
                delays.getValueAtPercentile(99) / 1e6,
                (frames.get() - framesBefore) / seconds,
                delays.getTotalCount(),
                writes);
    }

    // The heap of those who share a run.
    private double shared() {
        begun.set(0);
        LiveQuery first = follow(0);
        await(1);
        long before = used();
        List<LiveQuery> more =
                IntStream.range(0, QUERIES).mapToObj(i -> follow(0)).toList();
        await(1 + QUERIES);
        double each = (used() - before) / (double) QUERIES;
        more.forEach(LiveQuery::close);
        first.close();
        return each;
    }

    private void await(int count) {
        while (begun.get() < count) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
