package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.query.NodeProviders;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.hub.store.QueryableStore;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreAnswer;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.language.Query;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Queries of one node: what the fan-in adds to the answer of 1, 8 and 64 ready providers; the nodes of the sample filtered,
 * sorted and limited; and, by {@link QueryLive}, live queries over a store that is written to, and their heap.
 */
public final class QueryBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 1500);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 3000);
    private static final double AIM_ADDED_MS = 1.0;
    private static final Path SAMPLE = Path.of("conf/samples/iso.jsonl");
    private static final Duration DRAIN = Duration.ofSeconds(12);
    private static final int WRITES_AT_ONCE = 1000;

    private static final Map<String, String> RECORDS = Map.of(
            "scope and sort", "nodeType:subdivision path:iso/CH scope:children sort:name",
            "filter, sort, limit", "nodeType:subdivision name:S* sort:-name limit:20",
            "content, sort, limit", "content.type:Province sort:name limit:20",
            "free text, limit", "saint limit:20",
            "all, sort by content", "path:iso scope:descendants sort:content.type,name limit:100");

    private final MeshHub hub;
    private final Context caller;
    private final JsonArray results;

    private QueryBench(MeshHub hub, JsonArray results) {
        this.hub = hub;
        this.caller = ((VertxInternal) hub.vertx()).createEventLoopContext();
        this.results = results;
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("bench-query");
        JsonArray results = new JsonArray();
        try {
            MeshHub hub = BenchCluster.get(MeshHub.builder()
                    .store(
                            vertx -> SqliteNodeStore.open(vertx, StoreOptions.in(directory), MeshMetrics.NONE),
                            (opened, builder) -> {})
                    .start());
            BenchCluster.get(NodeProviders.addTo(hub, List.of()));
            QueryBench bench = new QueryBench(hub, results);
            bench.ready();
            bench.records();
            new QueryLive(hub, results).run();
            Report.write(results);
            BenchCluster.get(hub.stop(DRAIN));
        } finally {
            delete(directory);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void ready() {
        Report.line("ready providers, one query at a time; the first is asked alone, without a fan-in");
        Report.header("  %-12s %12s %10s %10s", "", "per second", "p50 us", "p99 us");
        ReadyProvider alone = provider("alone", 0);
        Query ofAlone = Query.parse("from:alone");
        Sides sides = new Sides().with("alone", millis -> load(i -> alone.alone(ofAlone), millis));
        for (int count : new int[] {1, 8, 64}) {
            String source = "ready" + count;
            IntStream.range(0, count)
                    .mapToObj(i -> provider(source, i))
                    .forEach(each -> BenchCluster.get(hub.query().register(each)));
            Query query = Query.parse("from:" + source + " limit:20");
            sides.with(Integer.toString(count), millis -> load(i -> hub.query().run(query, QueryCaller.MESH), millis));
        }
        Map<String, Load.Window> medians =
                sides.warm(WARM_MS).alternate(WINDOWS, WINDOW_MS).medians();
        Load.Window yardstick = Objects.requireNonNull(medians.get("alone"));
        medians.forEach((side, seen) -> {
            line(side, seen);
            JsonObject row = seen.json().put("what", "ready").put("providers", side);
            if (!side.equals("alone")) {
                double added = (seen.p50Micros() - yardstick.p50Micros()) / 1e3;
                Report.line("    added at p50: %.3f ms (aim: at most %.1f)", added, AIM_ADDED_MS);
                row.put("addedMillis", added).put("aim", AIM_ADDED_MS);
            }
            results.add(row);
        });
    }

    private ReadyProvider provider(String source, int number) {
        return new ReadyProvider(source, number, ((VertxInternal) hub.vertx()).createEventLoopContext());
    }

    private Load.Window load(IntFunction<Future<?>> request, long millis) {
        return BenchCluster.get(Load.run(caller, request, 1, millis));
    }

    private static void line(String side, Load.Window seen) {
        Report.line("  %-12s %12.0f %10.1f %10.1f", side, seen.perSecond(), seen.p50Micros(), seen.p99Micros());
    }

    private void records() throws IOException {
        InMemoryNodeStore memory = new InMemoryNodeStore();
        NodeStore files = hub.store().orElseThrow();
        List<JsonObject> lines = sample();
        importAll(memory, lines);
        importAll(files, lines);
        Report.line("%n%d records, one query at a time", lines.size());
        for (String what : RECORDS.keySet().stream().sorted().toList()) {
            String text = Objects.requireNonNull(RECORDS.get(what));
            Query query = Query.parse(text);
            int most = query.limit().orElse(lines.size());
            Map<String, Load.Window> medians = new Sides()
                    .with("memory", millis -> load(i -> asked(memory, query, most), millis))
                    .with("sqlite", millis -> load(i -> asked((QueryableStore) files, query, most), millis))
                    .with("fan-in", millis -> load(i -> hub.query().run(query, QueryCaller.MESH), millis))
                    .warm(WARM_MS / 3)
                    .alternate(WINDOWS, WINDOW_MS / 3)
                    .medians();
            Report.line("%s: %s", what, text);
            medians.forEach((side, seen) -> {
                line(side, seen);
                results.add(seen.json()
                        .put("what", "records")
                        .put("query", text)
                        .put("records", lines.size())
                        .put("side", side));
            });
        }
    }

    private static Future<StoreAnswer> asked(QueryableStore store, Query query, int most) {
        return store.query(query, most);
    }

    private static List<JsonObject> sample() throws IOException {
        Path file = Files.exists(SAMPLE) ? SAMPLE : Path.of("..").resolve(SAMPLE);
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(JsonObject::new).toList();
        }
    }

    private void importAll(NodeStore store, List<JsonObject> lines) {
        for (int from = 0; from < lines.size(); from += WRITES_AT_ONCE) {
            List<Future<NodeRecord>> writes = new ArrayList<>();
            for (JsonObject line : lines.subList(from, Math.min(from + WRITES_AT_ONCE, lines.size()))) {
                writes.add(store.write(write(
                        hub,
                        MeshAddress.of(line.getString("path")),
                        line.getString("nodeType"),
                        line.getString("name"),
                        line.getJsonObject("content"))));
            }
            BenchCluster.get(Future.all(writes));
        }
    }

    /** A write that nobody else contends for. */
    static NodeWrite write(MeshHub hub, MeshAddress address, String type, String name, JsonObject content) {
        String incarnation = hub.membership().self().incarnation();
        return new NodeWrite(
                address,
                type,
                name,
                content,
                NodeWrite.ANY_VERSION,
                ActivationId.of(1, 1),
                new ShardFence("bench", address.shard(), 1, incarnation));
    }
}
