package io.meshhub.bench;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.it.ToParent;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A node whose hubs answer with what they were sent, with raw consumers that do the same, and with hubs that are followed.
 * Its figures are had from {@link #stats} over the bus.
 */
final class BenchNode {

    /** Raw consumers, spread over the event loops. */
    static final int RAW = 4;

    // The oldest node plans, which is the one that asks.
    private static final Duration QUIET_PERIOD =
            Duration.ofMillis(Long.getLong("bench.quiet-ms", ClusterOptions.DEFAULT_QUIET_PERIOD.toMillis()));
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration DRAIN = Duration.ofSeconds(12);

    private static final long SLOW_START_MS = 5;

    private BenchNode() {}

    static final class Echo extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on("message", MeshBody.class, Future::succeededFuture);
        }
    }

    /** Arguments: node name, cluster name, own Hazelcast port, seed, quorum, the names of all nodes. */
    public static void main(String[] args) {
        List<String> names = Stream.of(args).skip(5).toList();
        start(args[0], args[1], Integer.parseInt(args[2]), args[3], quorum(Integer.parseInt(args[4]), names))
                .onSuccess(hub -> {
                    Runtime.getRuntime()
                            .addShutdownHook(new Thread(() -> hub.stop(DRAIN)
                                    .toCompletionStage()
                                    .toCompletableFuture()
                                    .join()));
                    ToParent.say("UP");
                })
                .onFailure(failure -> {
                    ToParent.say("FAILED " + failure);
                    Runtime.getRuntime().halt(1);
                });
    }

    static Quorum quorum(int size, List<String> names) {
        return size == 1 ? Quorum.NONE : new Quorum(size, names.size(), names, Quorum.AfterLoss.SAFE, LEASE);
    }

    static Future<MeshHub> start(String node, String cluster, int port, String seed, Quorum quorum) {
        ClusterOptions options = ClusterOptions.builder(node)
                .clusterName(cluster)
                .seeds(List.of(seed))
                .hazelcast("127.0.0.1", port, 1)
                .bus("127.0.0.1", 0)
                .quorum(quorum)
                .quietPeriod(QUIET_PERIOD)
                .build();
        return MeshHub.builder()
                .cluster(options)
                .options(HubOptions.ofDefaults().withAllowPark(true))
                .hub("echo", Echo::new)
                .hub("board", () -> new BenchBoard(0))
                .hub("slow", () -> new BenchBoard(SLOW_START_MS))
                .start()
                .compose(hub -> raw(hub.vertx(), node).map(hub))
                .compose(hub -> BenchStreams.serve(hub, node).map(hub))
                .onSuccess(hub -> count(hub, node));
    }

    private static Future<Void> raw(Vertx vertx, String node) {
        List<Future<Void>> registered = new ArrayList<>();
        for (int i = 0; i < RAW; i++) {
            String address = "raw." + node + "." + i;
            registered.add(Future.future(promise -> {
                Context context = ((VertxInternal) vertx).createEventLoopContext();
                context.runOnContext(turn -> {
                    MessageConsumer<Object> consumer =
                            vertx.eventBus().consumer(address, message -> message.reply(message.body()));
                    consumer.completion().onComplete(promise);
                });
            }));
        }
        return Future.all(registered).mapEmpty();
    }

    /** The address that tells what the node has used: {@code cpuNanos}, {@code busSent}, {@code heapBytes}, {@code live}. */
    static String stats(String node) {
        return "bench.stats." + node;
    }

    private static void count(MeshHub hub, String node) {
        AtomicLong sent = new AtomicLong();
        hub.vertx().eventBus().addOutboundInterceptor(delivery -> {
            sent.incrementAndGet();
            delivery.next();
        });
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        hub.vertx().eventBus().<JsonObject>consumer(stats(node), message -> {
            // The recorder is not loaded without need: that makes the JVM compile much of its code anew.
            if (message.body().containsKey("profile")) {
                Profile.obey(message.body());
            }
            if (message.body().getBoolean("gc", false)) {
                System.gc();
            }
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            message.reply(new JsonObject()
                    .put("cpuNanos", system.getProcessCpuTime())
                    .put("busSent", sent.get())
                    .put("heapBytes", heap)
                    .put("live", hub.runtime().count(RunLevel.STARTED)));
        });
    }
}
