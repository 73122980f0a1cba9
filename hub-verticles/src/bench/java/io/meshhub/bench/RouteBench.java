package io.meshhub.bench;

import io.meshhub.bench.pekko.PekkoPair;
import io.meshhub.hub.MeshHub;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code mesh.request} beside a raw {@code eventBus.request} and an {@code ask} of Pekko Cluster Sharding, in one run: on the
 * own node and to another process, one at a time and 256 outstanding: 100 bytes, about 1 KB of JSON, and the same document as
 * a record, beside which the raw bus sends the JSON. Pekko sends its document as a record in both cases. Windows of the sides
 * alternate; figures are the medians of the windows.
 */
public final class RouteBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 2000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 4000);

    private static final Pattern ONLY = Pattern.compile(System.getProperty("bench.only", ""));
    private static final @Nullable String PROFILES = System.getProperty("bench.profiles");
    private static final long PROFILE_MS = 8000;
    private static final boolean RAW = !"false".equals(System.getProperty("bench.raw"));

    private final BenchCluster cluster;
    private final Optional<PekkoPair> pekko;
    private final MeshHub hub;
    private final Context caller;
    private final JsonArray results = new JsonArray();

    private RouteBench(BenchCluster cluster, Optional<PekkoPair> pekko) {
        this.cluster = cluster;
        this.pekko = pekko;
        this.hub = cluster.hub();
        this.caller = ((VertxInternal) hub.vertx()).createEventLoopContext();
    }

    /**
     * No arguments; {@code -Dbench.json=FILE} writes the figures there as well, {@code -Dbench.pekko=false} and {@code
     * -Dbench.raw=false} leave a side out, {@code -Dbench.only=PATTERN} leaves out all cases in whose name that is not found, and {@code
     * -Dbench.profiles=DIRECTORY} writes a flight recording of each case and process there.
     */
    public static void main(String[] args) throws Exception {
        boolean withPekko = !"false".equals(System.getProperty("bench.pekko"));
        Optional<PekkoPair> pekko = withPekko ? Optional.of(PekkoPair.start()) : Optional.empty();
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new RouteBench(cluster, pekko).run();
        } finally {
            pekko.ifPresent(PekkoPair::close);
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Buffer buffer = Buffer.buffer(new byte[100]);
        JsonObject json = document();
        Report.line(
                "Two nodes in two processes; medians of %d windows of %d ms; ratios are mesh : other",
                WINDOWS, WINDOW_MS);
        for (String node : List.of("b", "a")) {
            // The many first: they warm the path that the lone ones are measured on.
            for (int outstanding : new int[] {256, 1}) {
                compare(node, "100 bytes", buffer, outstanding);
                compare(node, "JSON 1 KB", json, outstanding);
                compare(node, "record 1 KB", json.mapTo(Order.class), outstanding);
            }
        }
        Report.write(results);
    }

    /** The same document as an immutable value, which the mesh passes on as it is. */
    record Order(String customer, List<Item> items) {}

    /** One line of it. */
    record Item(String item, int quantity, double price, String note) {}

    // The raw bus has no codec for records.
    private static Object plain(Object message) {
        return message instanceof Order ? document() : message;
    }

    private static JsonObject document() {
        JsonArray items = new JsonArray();
        for (int i = 0; i < 10; i++) {
            items.add(new JsonObject()
                    .put("item", "article number " + i)
                    .put("quantity", i)
                    .put("price", 12.5 * i)
                    .put("note", "as it was ordered"));
        }
        return new JsonObject().put("customer", "somebody").put("items", items);
    }

    private Sides sides(String node, Object message, int outstanding) {
        IntFunction<Future<?>> mesh = cluster.mesh(node, message);
        IntFunction<Future<?>> raw = cluster.raw(node, plain(message));
        Sides sides = new Sides().with("mesh", millis -> window(mesh, outstanding, millis));
        if (RAW) {
            sides.with("raw", millis -> window(raw, outstanding, millis));
        }
        pekko.ifPresent(pair -> sides.with("pekko", millis -> {
            PekkoPair.Result seen = pair.run(node.equals("a"), !(message instanceof Buffer), outstanding, millis);
            return new Load.Window(
                    seen.perSecond(),
                    seen.p50Micros(),
                    seen.p99Micros(),
                    seen.p999Micros(),
                    Double.NaN,
                    seen.failures());
        }));
        sides.warm(WARM_MS);
        // Its remote path was seen to get faster for about 15 s.
        pekko.ifPresent(pair -> sides.warm("pekko", 2 * WARM_MS));
        return sides;
    }

    private Load.Window window(IntFunction<Future<?>> request, int outstanding, long millis) {
        return BenchCluster.get(Load.run(caller, request, outstanding, millis));
    }

    private void compare(String node, String body, Object message, int outstanding) throws Exception {
        String place = node.equals("a") ? "own node" : "other node";
        String name = place + ", " + body + ", " + outstanding;
        if (!ONLY.matcher(name).find()) {
            return;
        }
        Map<String, Load.Window> medians =
                sides(node, message, outstanding).alternate(WINDOWS, WINDOW_MS).medians();
        Report.line("%n%s outstanding", name);
        Report.line("  %-6s %12s %10s %10s %10s %10s", "", "per second", "p50 us", "p99 us", "p99.9 us", "B here");
        JsonObject row = new JsonObject().put("case", name);
        medians.forEach((side, median) -> {
            Report.line(
                    "  %-6s %12.0f %10.1f %10.1f %10.1f %10.0f",
                    side,
                    median.perSecond(),
                    median.p50Micros(),
                    median.p99Micros(),
                    median.p999Micros(),
                    median.bytesEach());
            if (median.failures() > 0) {
                Report.line("  %d requests failed", median.failures());
            }
            row.put(side, median.json());
        });
        JsonObject ratios = new JsonObject();
        Load.Window own = Objects.requireNonNull(medians.get("mesh"));
        medians.forEach((side, seen) -> {
            if (!side.equals("mesh")) {
                ratios.put(side, ratio(side, own, seen, aim(place, body, outstanding, side)));
            }
        });
        costs(row, node, message, outstanding);
        results.add(row.put("ratios", ratios));
        if (PROFILES != null) {
            profile(PROFILES + "/" + name.replaceAll("[^A-Za-z0-9]+", "-"), cluster.mesh(node, message), outstanding);
        }
    }

    private void profile(String file, IntFunction<Future<?>> mesh, int outstanding) throws Exception {
        for (String each : cluster.names()) {
            cluster.profile(each, "start");
        }
        window(mesh, outstanding, PROFILE_MS);
        for (String each : cluster.names()) {
            cluster.profile(each, file + "-" + each + ".jfr");
        }
    }

    // Windows of their own: what both processes spend on a request, whatever else the machine does, and, since
    // event-bus
    // messages carry frames, how many requests one carries there and how many answers back.
    private void costs(JsonObject row, String node, Object message, int outstanding) throws Exception {
        Cost mesh = cost(cluster.mesh(node, message), outstanding);
        Cost raw = cost(cluster.raw(node, plain(message)), outstanding);
        Report.line(
                "  processor time of a request, both processes: mesh %.2f us, raw %.2f us, mesh : raw %.2f",
                mesh.cpuMicros(), raw.cpuMicros(), mesh.cpuMicros() / raw.cpuMicros());
        row.put("meshCpuMicros", mesh.cpuMicros()).put("rawCpuMicros", raw.cpuMicros());
        if (!node.equals("a")) {
            Report.line(
                    "  in one event-bus message: %.1f requests, %.1f answers", mesh.perBusThere(), mesh.perBusBack());
            row.put("requestsInOne", mesh.perBusThere()).put("answersInOne", mesh.perBusBack());
        }
    }

    private record Cost(double cpuMicros, double perBusThere, double perBusBack) {}

    private Cost cost(IntFunction<Future<?>> request, int outstanding) throws Exception {
        JsonObject here = cluster.stats("a", false);
        JsonObject there = cluster.stats("b", false);
        Load.Window seen = window(request, outstanding, WINDOW_MS);
        JsonObject hereAfter = cluster.stats("a", false);
        JsonObject thereAfter = cluster.stats("b", false);
        double requests = seen.perSecond() * WINDOW_MS / 1000;
        double cpu = grown("cpuNanos", here, hereAfter) + grown("cpuNanos", there, thereAfter);
        return new Cost(
                cpu / 1000 / requests,
                requests / grown("busSent", here, hereAfter),
                requests / grown("busSent", there, thereAfter));
    }

    private static double grown(String what, JsonObject before, JsonObject after) {
        return after.getLong(what) - before.getLong(what);
    }

    private static JsonObject ratio(String side, Load.Window own, Load.Window other, String aim) {
        double rate = own.perSecond() / other.perSecond();
        double p50 = own.p50Micros() / other.p50Micros();
        double p99 = own.p99Micros() / other.p99Micros();
        Report.line("  mesh : %-6s rate %.2f  p50 %.2f  p99 %.2f   (aim: %s)", side, rate, p50, p99, aim);
        return new JsonObject()
                .put("rate", rate)
                .put("p50", p50)
                .put("p99", p99)
                .put("aim", aim);
    }

    private static String aim(String place, String body, int outstanding, String side) {
        if (side.equals("pekko")) {
            return "ahead in rate and p99, 2 times";
        }
        if (place.equals("own node")) {
            // The aim is for bodies that need no copy, beside a raw bus that sends the same.
            return outstanding == 1 || !body.equals("100 bytes") ? "none" : "rate >= 5, p99 <= 0.5";
        }
        return outstanding == 1 ? "p50 <= 1.2" : "rate >= 2, p99 <= 0.8";
    }
}
