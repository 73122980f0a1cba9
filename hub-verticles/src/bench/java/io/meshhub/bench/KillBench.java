package io.meshhub.bench;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Membership;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * How long 10,000 live addresses are away when a node is killed with {@code kill -9}: one of two without a quorum, where
 * its shards are claimed as soon as its loss is known, and one of three with a quorum of two, where they wait until its
 * lease has certainly ended. Meanwhile one of its addresses is asked again and again by callers that do not ride out.
 */
public final class KillBench {

    private static final int ADDRESSES = 10_000;
    private static final int OUTSTANDING = 512;
    private static final int RUNS = Integer.getInteger("bench.runs", 3);
    private static final List<String> QUORUMS =
            List.of(System.getProperty("bench.quorums", "1,2").split(","));
    private static final MeshOptions PATIENT =
            MeshOptions.DEFAULT.withType("message").withDeadline(Duration.ofSeconds(60));
    private static final MeshOptions AT_ONCE =
            MeshOptions.DEFAULT.withType("message").withRideOut(false).withDeadline(Duration.ofSeconds(1));

    private final JsonArray results = new JsonArray();

    private KillBench() {}

    /**
     * No arguments; {@code -Dbench.json=FILE} writes the figures there as well, {@code -Dbench.runs=N} makes more of them,
     * {@code -Dbench.quorums=1} only those with that quorum.
     */
    public static void main(String[] args) throws Exception {
        KillBench bench = new KillBench();
        Report.line(
                "%-22s %9s %12s %14s %9s %9s %9s",
                "killed", "addresses", "known ms", "then all ms", "answered", "refused", "in doubt");
        for (int run = 0; run < RUNS; run++) {
            if (QUORUMS.contains("1")) {
                bench.kill("1 of 2, quorum 1", 2, 1);
            }
            if (QUORUMS.contains("2")) {
                bench.kill("1 of 3, quorum 2 safe", 3, 2);
            }
        }
        Report.write(bench.results);
        Runtime.getRuntime().halt(0);
    }

    private void kill(String what, int nodes, int quorum) throws Exception {
        try (BenchCluster cluster = BenchCluster.start(nodes, quorum)) {
            List<MeshAddress> addresses = IntStream.range(0, ADDRESSES)
                    .mapToObj(i -> MeshAddress.of("echo/" + i))
                    .toList();
            askAll(cluster, addresses);
            MeshAddress gone = cluster.addresses("b", 1).get(0);
            Promise<Long> known = Promise.promise();
            cluster.hub().membership().onChange((change, node) -> {
                if (node.name().equals("b") && change == Membership.Change.DROPPED) {
                    known.tryComplete(System.nanoTime());
                }
            });
            Probe probe = new Probe(cluster, gone);

            long killed = System.nanoTime();
            cluster.kill("b");
            long lossKnown = BenchCluster.get(known.future());
            askAll(cluster, addresses);
            long all = System.nanoTime();
            probe.end();

            double knownMillis = (lossKnown - killed) / 1e6;
            double thenMillis = (all - lossKnown) / 1e6;
            Report.line(
                    "%-22s %9d %12.0f %14.0f %9d %9d %9d",
                    what,
                    ADDRESSES,
                    knownMillis,
                    thenMillis,
                    probe.answered.sum(),
                    probe.refused.sum(),
                    probe.inDoubt.sum());
            results.add(new JsonObject()
                    .put("killed", what)
                    .put("addresses", ADDRESSES)
                    .put("lossKnownMillis", knownMillis)
                    .put("allAnsweredMillis", thenMillis)
                    .put("refused", probe.refused.sum())
                    .put("inDoubt", probe.inDoubt.sum()));
        }
    }

    private static void askAll(BenchCluster cluster, List<MeshAddress> addresses) throws Exception {
        List<Future<Void>> lines = IntStream.range(0, OUTSTANDING)
                .mapToObj(line -> askFrom(cluster, addresses, line))
                .toList();
        BenchCluster.get(Future.all(lines));
    }

    private static Future<Void> askFrom(BenchCluster cluster, List<MeshAddress> addresses, int index) {
        if (index >= addresses.size()) {
            return Future.succeededFuture();
        }
        return cluster.hub()
                .mesh()
                .call(addresses.get(index), "message", PATIENT)
                .answer()
                .compose(answer -> askFrom(cluster, addresses, index + OUTSTANDING));
    }

    /** Asks an address every 20 ms, each time by a caller that takes the first answer. */
    private static final class Probe {
        private final Vertx vertx;
        private final long timer;
        private final LongAdder answered = new LongAdder();
        private final LongAdder refused = new LongAdder();
        private final LongAdder inDoubt = new LongAdder();

        Probe(BenchCluster cluster, MeshAddress address) {
            vertx = cluster.hub().vertx();
            timer = vertx.setPeriodic(
                    20,
                    tick -> cluster.hub()
                            .mesh()
                            .call(address, "message", AT_ONCE)
                            .answer()
                            .onSuccess(answer -> answered.increment())
                            .onFailure(failure -> {
                                if (failure instanceof Unavailable unavailable && !unavailable.sent()) {
                                    refused.increment();
                                } else {
                                    inDoubt.increment();
                                }
                            }));
        }

        void end() {
            vertx.cancelTimer(timer);
        }
    }
}
