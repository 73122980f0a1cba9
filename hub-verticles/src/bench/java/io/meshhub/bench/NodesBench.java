package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What a request to other nodes costs in a mesh of three beside one of two: both run in the same processes at the same
 * time, requests go to all other nodes in turn, and raw requests to consumers of those nodes beside them.
 */
public final class NodesBench {

    private static final int WINDOWS = Integer.getInteger("bench.windows", 5);
    private static final long WINDOW_MS = Long.getLong("bench.window-ms", 2000);
    private static final long WARM_MS = Long.getLong("bench.warm-ms", 4000);
    private static final int ADDRESSES = 16;

    private final Sides sides = new Sides();
    private final int outstanding;

    private NodesBench(int outstanding) {
        this.outstanding = outstanding;
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (BenchCluster two = BenchCluster.start(2, 1);
                BenchCluster three = BenchCluster.start(3, 1)) {
            Report.line(
                    "100 bytes to all other nodes in turn, medians of %d windows of %d ms; both meshes run all the time",
                    WINDOWS, WINDOW_MS);
            Report.line(
                    "%-12s %-12s %12s %10s %10s %10s", "outstanding", "", "per second", "p50 us", "p99 us", "B here");
            JsonArray results = new JsonArray();
            for (int outstanding : new int[] {256, 1}) {
                results.add(new NodesBench(outstanding)
                        .with("2", two)
                        .with("3", three)
                        .run());
            }
            Report.write(results);
        }
        Runtime.getRuntime().halt(0);
    }

    private NodesBench with(String nodes, BenchCluster cluster) {
        Context caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
        Buffer body = Buffer.buffer(new byte[100]);
        List<String> others = cluster.names().subList(1, cluster.names().size());
        List<MeshAddress> addresses = new ArrayList<>();
        List<IntFunction<Future<?>>> raws = new ArrayList<>();
        for (int i = 0; i < ADDRESSES; i++) {
            addresses.add(
                    cluster.addresses(others.get(i % others.size()), i * 100, 1).get(0));
        }
        others.forEach(node -> raws.add(cluster.raw(node, body)));
        IntFunction<Future<?>> mesh = i -> cluster.hub()
                .mesh()
                .call(addresses.get(Math.floorMod(i, ADDRESSES)), body, MeshOptions.DEFAULT)
                .answer();
        IntFunction<Future<?>> raw =
                i -> raws.get(Math.floorMod(i, raws.size())).apply(i / raws.size());
        sides.with("mesh " + nodes, millis -> BenchCluster.get(Load.run(caller, mesh, outstanding, millis)));
        sides.with("raw " + nodes, millis -> BenchCluster.get(Load.run(caller, raw, outstanding, millis)));
        return this;
    }

    private JsonObject run() {
        Map<String, Load.Window> medians =
                sides.warm(WARM_MS).alternate(WINDOWS, WINDOW_MS).medians();
        JsonObject row = new JsonObject().put("case", "100 bytes, " + outstanding);
        medians.forEach((side, seen) -> {
            Report.line(
                    "%-12d %-12s %12.0f %10.1f %10.1f %10.0f",
                    outstanding, side, seen.perSecond(), seen.p50Micros(), seen.p99Micros(), seen.bytesEach());
            row.put(side, seen.json());
        });
        double two = rate(medians, "mesh 2") / rate(medians, "raw 2");
        double three = rate(medians, "mesh 3") / rate(medians, "raw 3");
        double mesh = rate(medians, "mesh 3") / rate(medians, "mesh 2");
        double raw = rate(medians, "raw 3") / rate(medians, "raw 2");
        Report.line(
                "  mesh : raw rate with 2 nodes %.2f, with 3 %.2f; 3 nodes : 2 nodes mesh %.2f, raw %.2f   (aim: none)",
                two, three, mesh, raw);
        return row.put(
                "ratios",
                new JsonObject()
                        .put("meshToRawOf2", two)
                        .put("meshToRawOf3", three)
                        .put("mesh3To2", mesh)
                        .put("raw3To2", raw));
    }

    private static double rate(Map<String, Load.Window> medians, String side) {
        return Objects.requireNonNull(medians.get(side)).perSecond();
    }
}
