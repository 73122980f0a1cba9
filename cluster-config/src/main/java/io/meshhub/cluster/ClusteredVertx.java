package io.meshhub.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.meshhub.cluster.links.MemberLinks;
import io.meshhub.routing.spi.MeshClock;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Vert.x that has joined the cluster, with the Hazelcast member below it, the thread that controls the node's part in
 * the cluster, and the loop that carries the bus's connections.
 */
public final class ClusteredVertx {

    private static final Logger LOG = LoggerFactory.getLogger(ClusteredVertx.class);

    private static final long PING_INTERVAL_MILLIS = 2_000;
    private static final long PING_REPLY_MILLIS = 3_000;
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

    private static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";
    private static final int LEAST_PARALLELISM = 4;
    private static final int ENOUGH_PROCESSORS = 3;

    private final HazelcastInstance hazelcast;
    private final ControlThread control;
    private final Vertx vertx;
    private final ContextInternal busContext;
    private final BusPlace place;
    private final MemberLinks links;

    private ClusteredVertx(
            HazelcastInstance hazelcast,
            ControlThread control,
            Vertx vertx,
            ContextInternal busContext,
            BusPlace place,
            MemberLinks links) {
        this.place = place;
        this.links = links;
        this.hazelcast = hazelcast;
        this.control = control;
        this.vertx = vertx;
        this.busContext = busContext;
    }

    /**
     * Gives the common pool of the JVM enough workers, unless it was told how many. The first statement of a main method:
     * it has no effect once the pool is in use.
     *
     * <p>With one worker, as on two processors, Hazelcast starts a thread for each completion.
     */
    public static void prepareJvm() {
        if (System.getProperty(PARALLELISM) == null && Runtime.getRuntime().availableProcessors() < ENOUGH_PROCESSORS) {
            System.setProperty(PARALLELISM, Integer.toString(LEAST_PARALLELISM));
        }
    }

    /** Starts with the defaults of Vert.x. */
    public static Future<ClusteredVertx> start(ClusterOptions options) {
        return start(options, new VertxOptions(), builder -> {});
    }

    /**
     * Starts a Hazelcast member, and a Vert.x on it.
     *
     * @param vertxOptions all options but those of the event bus's place, pings and connections, which are set here; not
     *     changed
     * @param customizer adds metrics, a tracer or the like to the builder; must set neither options nor a cluster manager
     * @return completes when the node has joined; fails when it could not, and then nothing is left running
     */
    public static Future<ClusteredVertx> start(
            ClusterOptions options, VertxOptions vertxOptions, Consumer<VertxBuilder> customizer) {
        ControlThread control = new ControlThread(options.nodeName());
        return control.blocking(() -> startMember(options))
                .compose(hazelcast -> {
                    try {
                        return startVertx(options, vertxOptions, customizer, hazelcast, control);
                    } catch (RuntimeException e) {
                        return control.blocking(() -> terminated(hazelcast)).transform(gone -> Future.failedFuture(e));
                    }
                })
                .onFailure(e -> control.close());
    }

    /** Starts a Hazelcast member alone; blocks until it has joined. */
    static HazelcastInstance startMember(ClusterOptions options) {
        Config config = HazelcastConfigs.of(options);
        return Hazelcast.newHazelcastInstance(config);
    }

    private static Future<ClusteredVertx> startVertx(
            ClusterOptions options,
            VertxOptions vertxOptions,
            Consumer<VertxBuilder> customizer,
            HazelcastInstance hazelcast,
            ControlThread control) {
        VertxOptions own = new VertxOptions(vertxOptions);
        EventBusOptions bus = new EventBusOptions(vertxOptions.getEventBusOptions())
                .setHost(options.busHost())
                .setPort(options.busPort())
                .setClusterPingInterval(PING_INTERVAL_MILLIS)
                .setClusterPingReplyInterval(PING_REPLY_MILLIS)
                .setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
        options.busTls().ifPresent(tls -> tls.applyTo(bus));
        own.setEventBusOptions(bus);
        Promise<ClusteredVertx> promise = Promise.promise();
        VertxBuilder builder = Vertx.builder();
        customizer.accept(builder);
        HazelcastClusterManager manager = new HazelcastClusterManager(hazelcast);
        BusPlace place = new BusPlace(hazelcast, manager, control, options.operationTimeout(), options.rowReread());
        MemberLinks links = new MemberLinks(hazelcast, control, MeshClock.system(), options.heartbeatLimit());
        builder.with(own)
                .withClusterManager(manager)
                .buildClustered()
                .compose(vertx -> located(hazelcast, control, vertx, place, links))
                .onComplete(done -> control.execute(() -> {
                    if (done.succeeded()) {
                        promise.complete(done.result());
                    } else {
                        control.blocking(() -> terminated(hazelcast)).onComplete(gone -> promise.fail(done.cause()));
                    }
                }));
        return promise.future();
    }

    private static Future<ClusteredVertx> located(
            HazelcastInstance hazelcast, ControlThread control, Vertx vertx, BusPlace place, MemberLinks links) {
        try {
            ContextInternal bus = BusLoop.contextOn(vertx);
            return control.blocking(() -> {
                        place.begin();
                        control.execute(links::watch);
                        return new ClusteredVertx(hazelcast, control, vertx, bus, place, links);
                    })
                    .recover(e -> vertx.close().transform(closed -> Future.failedFuture(e)));
        } catch (IllegalStateException e) {
            return vertx.close().transform(closed -> Future.failedFuture(e));
        }
    }

    private static boolean terminated(HazelcastInstance hazelcast) {
        hazelcast.getLifecycleService().terminate();
        return true;
    }

    /** The Vert.x. */
    public Vertx vertx() {
        return vertx;
    }

    /** The Hazelcast member. */
    public HazelcastInstance hazelcast() {
        return hazelcast;
    }

    /** The thread that controls the node's part in the cluster; ends with {@link #close}. */
    public ControlThread control() {
        return control;
    }

    /**
     * A context on the loop that carries the bus's inbound connections; the first message to a peer is sent from it, so
     * that the connection to the peer lives there too.
     */
    public ContextInternal busContext() {
        return busContext;
    }

    /** Whether that loop carries the bus's connections, so that no hub may live on it. */
    public boolean isBusLoop(EventLoop loop) {
        return loop == busContext.nettyEventLoop();
    }

    /**
     * Ends Vert.x, then the Hazelcast member, whatever became of Vert.x.
     *
     * @param bound for both; Vert.x has two thirds of it, and the member what is left
     * @return what was cut off, for people; empty when all ended by itself. Never fails
     */
    public Future<List<String>> close(Duration bound) {
        place.close();
        control.execute(links::close);
        List<String> cut = new ArrayList<>();
        Promise<List<String>> closed = Promise.promise();
        // From the control thread: the end of a Vert.x that was asked for on one of its own loops may be told to
        // nobody.
        Promise<Void> vertxClosed = Promise.promise();
        control.execute(() -> vertx.close().onComplete(vertxClosed));
        long end = System.nanoTime() + bound.toNanos();
        control.bounded(vertxClosed.future(), bound.multipliedBy(2).dividedBy(3), "Closing Vert.x")
                .onFailure(e -> cut.add("Vert.x: " + e.getMessage()))
                .transform(done -> control.bounded(
                        control.blocking(() -> terminated(hazelcast)),
                        Duration.ofNanos(end - System.nanoTime()),
                        "Terminating the Hazelcast member"))
                .onFailure(e -> cut.add("Hazelcast: " + e.getMessage()))
                .onComplete(done -> {
                    if (!cut.isEmpty()) {
                        LOG.warn("The cluster part did not end by itself; cut off: {}", cut);
                    }
                    control.close();
                    closed.complete(List.copyOf(cut));
                });
        return closed.future();
    }
}
