package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * {@code mesh.request} beside a raw {@code eventBus.request}, in one run: on the own node and to another process, one at a
 * time and 256 outstanding, a buffer of 100 bytes and JSON of about 1 KB. Windows of the two sides alternate; figures are
 * the medians of the windows.
 */
public final class RouteBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 2000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 4000);

    private final BenchCluster cluster;
    private final MeshHub hub;
    private final Context caller;
    private final JsonArray results = new JsonArray();

    private RouteBench(BenchCluster cluster) {
        this.cluster = cluster;
        this.hub = cluster.hub();
        this.caller = ((VertxInternal) hub.vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(2, 1)) {
            new RouteBench(cluster).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Buffer buffer = Buffer.buffer(new byte[100]);
        JsonObject json = document();
        Report.line(
                "%-34s %12s %9s %9s   %12s %9s %9s   %6s %6s %6s",
                "case", "raw/s", "p50 us", "p99 us", "mesh/s", "p50 us", "p99 us", "rate", "p50", "p99");
        for (String node : List.of("b", "a")) {
            for (int outstanding : new int[] {1, 256}) {
                compare(node, "buffer 100 B", buffer, outstanding);
                compare(node, "JSON 1 KB", json, outstanding);
            }
        }
        Report.write(results);
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

    private void compare(String node, String body, Object message, int outstanding) throws Exception {
        List<MeshAddress> addresses = cluster.addresses(node, BenchNode.RAW * 4);
        IntFunction<Future<?>> raw =
                i -> hub.vertx().eventBus().request("raw." + node + "." + Math.floorMod(i, BenchNode.RAW), message);
        IntFunction<Future<?>> mesh = i -> hub.mesh()
                .call(addresses.get(Math.floorMod(i, addresses.size())), message, MeshOptions.DEFAULT)
                .answer();
        BenchCluster.get(Load.run(caller, raw, outstanding, WARM_MS));
        BenchCluster.get(Load.run(caller, mesh, outstanding, WARM_MS));
        List<Load.Window> rawWindows = new ArrayList<>();
        List<Load.Window> meshWindows = new ArrayList<>();
        for (int i = 0; i < WINDOWS; i++) {
            rawWindows.add(BenchCluster.get(Load.run(caller, raw, outstanding, WINDOW_MS)));
            meshWindows.add(BenchCluster.get(Load.run(caller, mesh, outstanding, WINDOW_MS)));
        }
        report(
                (node.equals("a") ? "own node" : "other node") + ", " + body + ", " + outstanding,
                rawWindows,
                meshWindows);
    }

    private void report(String name, List<Load.Window> raw, List<Load.Window> mesh) {
        Load.Window a = median(raw);
        Load.Window b = median(mesh);
        Report.line(
                "%-34s %12.0f %9.1f %9.1f   %12.0f %9.1f %9.1f   %6.2f %6.2f %6.2f",
                name,
                a.perSecond(),
                a.p50Micros(),
                a.p99Micros(),
                b.perSecond(),
                b.p50Micros(),
                b.p99Micros(),
                b.perSecond() / a.perSecond(),
                b.p50Micros() / a.p50Micros(),
                b.p99Micros() / a.p99Micros());
        if (a.failures() + b.failures() > 0) {
            Report.line("  failures: raw %d, mesh %d", a.failures(), b.failures());
        }
        results.add(new JsonObject()
                .put("case", name)
                .put("raw", json(a))
                .put("mesh", json(b))
                .put("rateRatio", b.perSecond() / a.perSecond())
                .put("p50Ratio", b.p50Micros() / a.p50Micros())
                .put("p99Ratio", b.p99Micros() / a.p99Micros()));
    }

    private static JsonObject json(Load.Window window) {
        return new JsonObject()
                .put("perSecond", window.perSecond())
                .put("p50Micros", window.p50Micros())
                .put("p99Micros", window.p99Micros())
                .put("p999Micros", window.p999Micros())
                .put("failures", window.failures());
    }

    private static Load.Window median(List<Load.Window> windows) {
        return new Load.Window(
                median(windows, Load.Window::perSecond),
                median(windows, Load.Window::p50Micros),
                median(windows, Load.Window::p99Micros),
                median(windows, Load.Window::p999Micros),
                windows.stream().mapToLong(Load.Window::failures).sum());
    }

    private static double median(List<Load.Window> windows, ToDoubleFunction<Load.Window> figure) {
        return windows.stream()
                .map(figure::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .skip(windows.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
