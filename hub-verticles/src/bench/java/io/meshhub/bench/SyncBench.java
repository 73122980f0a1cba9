package io.meshhub.bench;

import io.meshhub.hub.sync.HubState;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Updates of one owner that 1,000 streams in two other processes have seen, in a second, beside raw {@code
 * eventBus.publish} to as many consumers there. An update counts when all have seen it or a later one: an owner conflates
 * what changes in one turn. With one outstanding, each sees each.
 */
public final class SyncBench {

    private static final int STREAMS = Integer.getInteger("bench.streams", 1000);
    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 3000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 8000);
    private static final List<String> NODES = List.of("b", "c");
    private static final double AIM = 1.0;

    private final BenchCluster cluster;
    private final Context caller;
    private final JsonArray results = new JsonArray();

    private SyncBench(BenchCluster cluster) {
        this.cluster = cluster;
        this.caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(3, 1)) {
            new SyncBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        MeshAddress board = cluster.owned("a", name -> MeshAddress.of("board/" + name + "/fan"), 0, 1)
                .get(0);
        // Its first stream wakes it.
        FanOut sync = open("sync", board.toString());
        FanOut raw = open("raw", "bench.fan.raw");
        HubState state = BenchBoard.state(board.toString());
        for (int outstanding : new int[] {1, 16}) {
            Sides sides = new Sides()
                    .with("sync", millis -> window(sync, n -> state.set(BenchBoard.value(n, "a")), outstanding, millis))
                    .with(
                            "raw",
                            millis -> window(
                                    raw,
                                    n -> cluster.hub()
                                            .vertx()
                                            .eventBus()
                                            .publish("bench.fan.raw", BenchBoard.value(n, "a")),
                                    outstanding,
                                    millis));
            report(
                    outstanding,
                    sides.warm(WARM_MS).alternate(WINDOWS, WINDOW_MS).medians(),
                    sync);
        }
        Report.write(results);
    }

    private FanOut open(String what, String address) throws Exception {
        String tell = "bench.fan.tell." + what;
        FanOut fan = new FanOut();
        BenchCluster.get(cluster.hub()
                .vertx()
                .eventBus()
                .<JsonObject>consumer(
                        tell,
                        message -> fan.told(
                                message.body().getString("node"), message.body().getLong("n")))
                .completion());
        for (String node : NODES) {
            cluster.order(node, BenchStreams.count(what, address, STREAMS / NODES.size(), tell));
        }
        return fan;
    }

    private Load.Window window(FanOut fan, LongConsumer publish, int outstanding, long millis) {
        return BenchCluster.get(Load.run(caller, i -> fan.update(publish), outstanding, millis));
    }

    private void report(int outstanding, Map<String, Load.Window> medians, FanOut sync) {
        Report.line("%n1 owner, %d streams in 2 processes, %d updates outstanding", STREAMS, outstanding);
        Report.header("  %-6s %12s %10s %10s %10s", "", "per second", "p50 us", "p99 us", "p99.9 us");
        JsonObject row = new JsonObject().put("streams", STREAMS).put("outstanding", outstanding);
        medians.forEach((side, median) -> {
            Report.line(
                    "  %-6s %12.0f %10.1f %10.1f %10.1f",
                    side, median.perSecond(), median.p50Micros(), median.p99Micros(), median.p999Micros());
            row.put(side, median.json());
        });
        double ratio = Objects.requireNonNull(medians.get("sync")).perSecond()
                / Objects.requireNonNull(medians.get("raw")).perSecond();
        Report.line(
                "  sync / raw: %.2f (aim %.1f); of the updates, streams were told %.0f %% one by one",
                ratio, AIM, sync.toldOneByOne());
        results.add(row.put("ratio", ratio).put("aim", AIM).put("toldOneByOnePercent", sync.toldOneByOne()));
    }

    /** The updates that are under way, and how far each process has seen them. */
    private static final class FanOut {
        private final ConcurrentSkipListMap<Long, Promise<Void>> underWay = new ConcurrentSkipListMap<>();
        private final Map<String, Long> seen = new HashMap<>();
        private final AtomicLong made = new AtomicLong();
        private final AtomicLong told = new AtomicLong();

        Future<Void> update(LongConsumer publish) {
            Promise<Void> all = Promise.promise();
            long number = made.incrementAndGet();
            underWay.put(number, all);
            publish.accept(number);
            return all.future();
        }

        synchronized void told(String node, long number) {
            seen.merge(node, number, Math::max);
            told.incrementAndGet();
            if (seen.size() == NODES.size()) {
                long least =
                        seen.values().stream().mapToLong(Long::longValue).min().orElseThrow();
                Map<Long, Promise<Void>> done = underWay.headMap(least, true);
                done.values().forEach(promise -> promise.tryComplete());
                done.clear();
            }
        }

        double toldOneByOne() {
            return 100.0 * told.get() / NODES.size() / Math.max(1, made.get());
        }
    }
}
