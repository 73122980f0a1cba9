package io.meshhub.bench;

import io.meshhub.bench.pekko.PekkoPair;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * First messages to addresses that nobody has asked before, on the own node and on another one, 256 outstanding; beside
 * first asks to new entities of Pekko Cluster Sharding and, on the own node, the deployment of bare verticles. Rounds of the
 * sides alternate, figures are medians.
 */
public final class ColdBench {

    private static final int COLD = Integer.getInteger("bench.cold", 20_000);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int WARM_ROUNDS = 2;
    private static final int OUTSTANDING = 256;
    private static final MeshOptions WAKE = MeshOptions.DEFAULT.withType("message");

    private final BenchCluster cluster;
    private final PekkoPair pekko;
    private final Context caller;
    private final JsonArray results = new JsonArray();
    private int used;

    private ColdBench(BenchCluster cluster, PekkoPair pekko) {
        this.cluster = cluster;
        this.pekko = pekko;
        this.caller = ((VertxInternal) cluster.hub().vertx()).createEventLoopContext();
    }

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        try (PekkoPair pekko = PekkoPair.start();
                BenchCluster cluster = BenchCluster.start(2, 1)) {
            new ColdBench(cluster, pekko).run();
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        Report.line("First messages to %d addresses at a time, medians of %d rounds, a second", COLD, ROUNDS);
        for (String node : List.of("b", "a")) {
            boolean own = node.equals("a");
            Map<String, List<Double>> rates = new LinkedHashMap<>();
            for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
                List<MeshAddress> addresses = cluster.addresses(node, used, COLD);
                used += COLD * 3;
                note(
                        rates,
                        round,
                        "mesh",
                        rate(i -> cluster.hub()
                                .mesh()
                                .call(addresses.get(i), "message", WAKE)
                                .answer()));
                note(rates, round, "pekko", pekko.cold(own, COLD));
                if (own) {
                    note(
                            rates,
                            round,
                            "verticle",
                            rate(i -> cluster.hub().vertx().deployVerticle(new Bare())));
                }
            }
            report(own ? "own node" : "other node", rates);
        }
        Report.write(results);
    }

    private static final class Bare extends AbstractVerticle {}

    private static void note(Map<String, List<Double>> rates, int round, String side, double rate) {
        if (round >= 0) {
            rates.computeIfAbsent(side, name -> new ArrayList<>()).add(rate);
        }
    }

    private double rate(IntFunction<Future<?>> action) {
        long began = System.nanoTime();
        List<Future<?>> lines = new ArrayList<>();
        for (int line = 0; line < OUTSTANDING; line++) {
            int first = line;
            lines.add(Future.future(
                    promise -> caller.runOnContext(turn -> from(first, action).onComplete(promise))));
        }
        BenchCluster.get(Future.all(lines));
        return COLD * 1e9 / (System.nanoTime() - began);
    }

    private static Future<Void> from(int index, IntFunction<Future<?>> action) {
        return index >= COLD
                ? Future.succeededFuture()
                : action.apply(index).compose(done -> from(index + OUTSTANDING, action));
    }

    private void report(String place, Map<String, List<Double>> rates) {
        JsonObject row = new JsonObject().put("case", place);
        rates.forEach((side, seen) -> row.put(side, Report.median(seen)));
        rates.forEach((side, seen) -> {
            double rate = Report.median(seen);
            if (side.equals("mesh")) {
                Report.line("%-12s %-10s %10.0f", place, side, rate);
            } else {
                double ratio = row.getDouble("mesh") / rate;
                Report.line("%-12s %-10s %10.0f   mesh : %s %.2f   (aim: >= 1)", place, side, rate, side, ratio);
                row.put("ratioTo" + side, ratio);
            }
        });
        results.add(row);
    }
}
