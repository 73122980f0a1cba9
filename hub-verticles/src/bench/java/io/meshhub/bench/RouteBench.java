package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * {@code mesh.request} beside a raw {@code eventBus.request}, in one run: on the own node and to another process, one at a
 * time and 256 outstanding, a buffer of 100 bytes and JSON of about 1 KB. Windows of the two sides alternate; figures are
 * the medians of the windows.
 */
public final class RouteBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 2000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 4000);

    private final MeshHub hub;
    private final Context caller;
    private final JsonArray results = new JsonArray();

    private RouteBench(MeshHub hub) {
        this.hub = hub;
        this.caller = ((VertxInternal) hub.vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        String cluster = "bench-" + UUID.randomUUID();
        int here = freePort();
        int there = freePort();
        String seed = "127.0.0.1:" + here;
        MeshHub hub = get(EchoNode.start("a", cluster, here, seed));
        Process child = child("b", cluster, there, seed);
        try {
            new RouteBench(hub).run();
        } finally {
            child.destroyForcibly();
            get(hub.stop());
        }
        Runtime.getRuntime().halt(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Process child(String node, String cluster, int port, String seed) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.util.concurrent.ForkJoinPool.common.parallelism=4");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EchoNode.class.getName()));
        command.addAll(List.of(node, cluster, Integer.toString(port), seed));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals("UP")) {
                Thread drain = new Thread(() -> output.lines().forEach(ignored -> {}));
                drain.setDaemon(true);
                drain.start();
                return process;
            }
        }
        throw new IOException("the other node did not start");
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    private void run() throws Exception {
        while (addresses("b").size() < EchoNode.RAW * 4) {
            // The other node has been given its share of the shards when enough addresses live there.
            TimeUnit.MILLISECONDS.sleep(100);
        }
        Buffer buffer = Buffer.buffer(new byte[100]);
        JsonObject json = document();
        System.out.printf(
                "%-34s %12s %9s %9s   %12s %9s %9s   %6s %6s %6s%n",
                "case", "raw/s", "p50 us", "p99 us", "mesh/s", "p50 us", "p99 us", "rate", "p50", "p99");
        for (String node : List.of("b", "a")) {
            for (int outstanding : new int[] {1, 256}) {
                compare(node, "buffer 100 B", buffer, outstanding);
                compare(node, "JSON 1 KB", json, outstanding);
            }
        }
        String file = System.getProperty("bench.json");
        if (file != null) {
            java.nio.file.Files.writeString(Path.of(file), results.encodePrettily() + "\n");
        }
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

    // Four addresses of the node for each of its loops or so: the caller cycles over them as over the raw consumers.
    private List<MeshAddress> addresses(String node) {
        return IntStream.range(0, 4096)
                .mapToObj(i -> MeshAddress.of("echo/" + i))
                .filter(address -> {
                    String owner = hub.shards().row(address.shard()).owner();
                    return owner != null
                            && hub.membership()
                                    .node(owner)
                                    .map(NodeInfo::name)
                                    .filter(node::equals)
                                    .isPresent();
                })
                .limit(EchoNode.RAW * 4)
                .toList();
    }

    private void compare(String node, String body, Object message, int outstanding) throws Exception {
        List<MeshAddress> addresses = addresses(node);
        IntFunction<Future<?>> raw =
                i -> hub.vertx().eventBus().request("raw." + node + "." + Math.floorMod(i, EchoNode.RAW), message);
        IntFunction<Future<?>> mesh = i -> hub.mesh()
                .call(addresses.get(Math.floorMod(i, addresses.size())), message, MeshOptions.DEFAULT)
                .answer();
        get(Load.run(caller, raw, outstanding, WARM_MS));
        get(Load.run(caller, mesh, outstanding, WARM_MS));
        List<Load.Window> rawWindows = new ArrayList<>();
        List<Load.Window> meshWindows = new ArrayList<>();
        for (int i = 0; i < WINDOWS; i++) {
            rawWindows.add(get(Load.run(caller, raw, outstanding, WINDOW_MS)));
            meshWindows.add(get(Load.run(caller, mesh, outstanding, WINDOW_MS)));
        }
        report(
                (node.equals("a") ? "own node" : "other node") + ", " + body + ", " + outstanding,
                rawWindows,
                meshWindows);
    }

    private void report(String name, List<Load.Window> raw, List<Load.Window> mesh) {
        Load.Window a = median(raw);
        Load.Window b = median(mesh);
        System.out.printf(
                "%-34s %12.0f %9.1f %9.1f   %12.0f %9.1f %9.1f   %6.2f %6.2f %6.2f%n",
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
            System.out.printf("  failures: raw %d, mesh %d%n", a.failures(), b.failures());
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
