package io.meshhub.bench;

import io.meshhub.bench.pekko.PekkoPair;
import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * What very many idle addresses cost on one node: heap of each, time to wake them, a full collection with all of them live,
 * and the passivation of all; beside as many bare verticles and entities of Pekko Cluster Sharding as one has the patience
 * for.
 */
public final class ScaleBench {

    private static final int VERTICLES = 100_000;
    private static final int ENTITIES = 100_000;
    private static final List<Integer> HUBS = List.of(100_000, Integer.getInteger("bench.addresses", 1_000_000));
    private static final int OUTSTANDING = 256;
    private static final Duration IDLE = Duration.ofSeconds(90);

    private final JsonArray results = new JsonArray();

    private ScaleBench() {}

    /** No arguments; {@code -Dbench.json=FILE} writes the figures there as well. */
    public static void main(String[] args) throws Exception {
        ScaleBench bench = new ScaleBench();
        Report.line(
                "%-10s %10s %12s %10s %12s %16s",
                "what", "how many", "bytes each", "each/s", "full GC ms", "all passive ms");
        bench.verticles();
        bench.entities();
        for (int count : HUBS) {
            bench.hubs(count);
        }
        bench.ratios();
        Report.write(bench.results);
        Runtime.getRuntime().halt(0);
    }

    private static final class Bare extends AbstractVerticle {}

    private void verticles() {
        Vertx vertx = Vertx.vertx();
        Seen seen = make(VERTICLES, i -> vertx.deployVerticle(new Bare()));
        report("verticle", VERTICLES, seen, Double.NaN);
        vertx.close().await();
    }

    // In two processes of their own, as everywhere; its passivation is off.
    private void entities() throws IOException {
        try (PekkoPair pekko = PekkoPair.start()) {
            PekkoPair.Heap heap = pekko.heap(ENTITIES);
            report(
                    "pekko",
                    ENTITIES,
                    new Seen(heap.bytesEach(), heap.perSecond(), heap.collectionMillis(), 0),
                    Double.NaN);
        }
    }

    private void ratios() {
        double hub = bytesEach("hub");
        double verticle = bytesEach("verticle");
        double pekko = bytesEach("pekko");
        Report.line(
                "hub - verticle %.0f bytes (aim: at most 200); hub : pekko %.2f (aim: below 1)",
                hub - verticle, hub / pekko);
        results.add(new JsonObject()
                .put("what", "ratios")
                .put("hubMinusVerticle", hub - verticle)
                .put("aimHubMinusVerticle", 200)
                .put("hubToPekko", hub / pekko));
    }

    // Of the most that were made.
    private double bytesEach(String what) {
        return results.stream()
                .map(JsonObject.class::cast)
                .filter(row -> what.equals(row.getString("what")))
                .mapToDouble(row -> row.getDouble("bytesEach"))
                .reduce(Double.NaN, (before, last) -> last);
    }

    private void hubs(int count) {
        MeshHub hub = MeshHub.builder()
                .hub("echo", BenchNode.Echo::new)
                .options(HubOptions.ofDefaults().withIdleTimeout(IDLE))
                .start()
                .await();
        Seen seen = make(
                count,
                i -> hub.mesh()
                        .call(MeshAddress.of("echo/" + i), "wake", MeshOptions.DEFAULT.withType("message"))
                        .answer());
        int live = hub.runtime().count(RunLevel.STARTED);
        if (live != count) {
            throw new IllegalStateException(
                    live + " of " + count + " addresses are live; some were passivated too early");
        }
        long due = seen.lastNanos() + IDLE.toNanos();
        while (hub.runtime().count(RunLevel.STARTED) > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        report("hub", count, seen, (System.nanoTime() - due) / 1e6);
        hub.stop(Duration.ofSeconds(30)).await();
    }

    private record Seen(double bytesEach, double perSecond, double collectionMillis, long lastNanos) {}

    private static Seen make(int count, IntFunction<Future<?>> maker) {
        long before = used();
        long began = System.nanoTime();
        Future.all(IntStream.range(0, OUTSTANDING)
                        .<Future<?>>mapToObj(line -> makeFrom(line, count, maker))
                        .toList())
                .await();
        long made = System.nanoTime();
        System.gc();
        double collection = (System.nanoTime() - made) / 1e6;
        return new Seen((double) (used() - before) / count, count * 1e9 / (made - began), collection, made);
    }

    private static Future<Void> makeFrom(int index, int count, IntFunction<Future<?>> maker) {
        return index >= count
                ? Future.succeededFuture()
                : maker.apply(index).compose(made -> makeFrom(index + OUTSTANDING, count, maker));
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void report(String what, int count, Seen seen, double passiveMillis) {
        Report.line(
                "%-10s %10d %12.0f %10.0f %12.0f %16.0f",
                what, count, seen.bytesEach(), seen.perSecond(), seen.collectionMillis(), passiveMillis);
        results.add(new JsonObject()
                .put("what", what)
                .put("count", count)
                .put("bytesEach", seen.bytesEach())
                .put("perSecond", seen.perSecond())
                .put("fullCollectionMillis", seen.collectionMillis())
                .put("allPassiveMillis", Double.isNaN(passiveMillis) ? null : passiveMillis));
    }
}
