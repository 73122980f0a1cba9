package io.meshhub.hub;

import io.meshhub.cluster.ClusterNode;
import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.ClusteredVertx;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.hub.asking.NodeQueries;
import io.meshhub.hub.guard.Gates;
import io.meshhub.hub.life.HubServices;
import io.meshhub.hub.life.NodeReturn;
import io.meshhub.query.QueryFanIn;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.router.Parts;
import io.meshhub.routing.router.RouterOptions;
import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import io.meshhub.sync.FeedPublisher;
import io.meshhub.sync.SyncClient;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.protocol.LatchBudget;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a node together, in one process or in a cluster: loops, place among the nodes, router, runtime. */
final class NodeStart {

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);
    private static final Instant EPOCH_ORIGIN = Instant.parse("2025-01-01T00:00:00Z");
    private static final Duration PING_BOUND = Duration.ofSeconds(2);

    private final MeshHub.Builder builder;
    private final Vertx vertx;
    private final ContextInternal busContext;
    private final WheelPacer pacer = new WheelPacer();
    private @Nullable NodeStore store;
    private @Nullable NodeQueries queries;

    private NodeStart(MeshHub.Builder builder, Vertx vertx, ContextInternal busContext) {
        this.builder = builder;
        this.vertx = vertx;
        this.busContext = busContext;
    }

    static Future<MeshHub> start(MeshHub.Builder builder) {
        ClusterOptions cluster = builder.cluster;
        return cluster == null ? single(builder) : clustered(builder, cluster);
    }

    private static Future<MeshHub> single(MeshHub.Builder builder) {
        Vertx given = builder.vertx;
        Vertx vertx = given == null ? ownVertx(builder) : given;
        ContextInternal bus = ((VertxInternal) vertx).createEventLoopContext();
        long epoch = Duration.between(EPOCH_ORIGIN, builder.clock.now()).toSeconds();
        NodeStart start = new NodeStart(builder, vertx, bus);
        return detached(start.open()
                        .compose(opened -> start.loops(loop -> false))
                        .compose(loops -> SingleNode.start(start.self(loops), builder.fences, epoch)
                                .compose(node -> start.router(loops, node, node, Lease.ALWAYS)
                                        .map(router -> start.hub(
                                                loops,
                                                node,
                                                node,
                                                Lease.ALWAYS,
                                                router,
                                                drain -> Future.succeededFuture(Optional.empty()),
                                                bound -> close(given == null, vertx),
                                                () -> NodeStanding.alone(
                                                        node.self().state())))))
                        .compose(start::beforeUp))
                .onSuccess(hub -> LOG.atLevel(builder.announced)
                        .log("Node {} is up, alone (hub types={})", builder.name, builder.types.prefixes()))
                .recover(cause -> start.undo()
                        .compose(undone -> given == null ? vertx.close() : Future.<Void>succeededFuture())
                        .transform(closed -> Future.failedFuture(cause)));
    }

    // A node that stops does so by real time, whatever its hubs live by.
    private Pacer time() {
        Pacer own = builder.pacer;
        return own == null ? pacer : own;
    }

    private static Vertx ownVertx(MeshHub.Builder builder) {
        var vertxBuilder = Vertx.builder().with(builder.vertxOptions);
        builder.vertxCustomizer.accept(vertxBuilder);
        return vertxBuilder.build();
    }

    private static Future<Optional<String>> close(boolean own, Vertx vertx) {
        return own ? vertx.close().map(closed -> Optional.empty()) : Future.succeededFuture(Optional.empty());
    }

    private static Future<MeshHub> clustered(MeshHub.Builder builder, ClusterOptions options) {
        // Beside the join, which mostly waits.
        Future<Void> rehearsed = builder.role.isEmpty() ? Future.succeededFuture() : Rehearsal.perform();
        return ClusteredVertx.start(options, builder.vertxOptions, builder.vertxCustomizer)
                .compose(cluster -> {
                    NodeStart start = new NodeStart(builder, cluster.vertx(), cluster.busContext());
                    return detached(start.open()
                                    .compose(opened -> start.loops(cluster::isBusLoop))
                                    .compose(loops -> start.join(options, cluster, loops, rehearsed)))
                            .recover(cause -> start.undo()
                                    .compose(undone -> cluster.close(builder.tail))
                                    .transform(closed -> Future.failedFuture(cause)));
                });
    }

    private Future<MeshHub> join(
            ClusterOptions options, ClusteredVertx cluster, MeshLoops loops, Future<Void> rehearsed) {
        return ClusterNode.join(cluster, options, self(loops), builder.fences, builder.clock)
                .compose(node -> router(loops, node, node, node).compose(router -> {
                    NodeReturn back = new NodeReturn(
                            node,
                            router,
                            pacer,
                            builder.metrics,
                            () -> self(loops),
                            PING_BOUND,
                            options.operationTimeout());
                    MeshHub hub = hub(
                            loops,
                            node,
                            node,
                            node,
                            router,
                            drain -> {
                                back.end();
                                return leave(node, drain);
                            },
                            bound -> closeCluster(cluster, bound),
                            node::standing);
                    node.activator(hub.runtime());
                    hub.onStop(() -> {
                        // A beat later than this could open a connection that is closed under it.
                        node.close();
                        return Future.succeededFuture();
                    });
                    node.onExpelled(reason -> back.begin(reason, hub.runtime()));
                    return beforeUp(hub)
                            .compose(done -> Rehearsal.within(pacer, rehearsed))
                            .compose(done -> builder.role.isEmpty()
                                    ? Future.succeededFuture()
                                    : node.rehearse()
                                            .compose(again -> node.announceUp(peer -> router.ping(peer, PING_BOUND))))
                            .map(hub);
                }))
                .onSuccess(hub -> LOG.info(
                        "Node {} is up in cluster {} (nodes={}, hub types={})",
                        builder.name,
                        options.clusterName(),
                        hub.membership().nodes().size(),
                        builder.types.prefixes()));
    }

    private Future<MeshHub> beforeUp(MeshHub hub) {
        Future<?> done = hub.runtime()
                .sync()
                .start(busContext, syncOptions().beatInterval())
                .compose(hears -> hub.sync().start())
                .compose(begun -> startQueries(hub));
        hub.onStop(() -> Future.join(hub.sync().close(), hub.runtime().sync().stop()));
        NodeStore written = store;
        if (written != null && vertx.isClustered()) {
            String self = hub.membership().self().incarnation();
            FeedPublisher others = FeedPublisher.start(busContext, self, written.changes(), time(), builder.metrics);
            hub.onStop(others::stop);
        }
        for (var action : builder.beforeUp) {
            done = done.compose(before -> action.apply(hub).mapEmpty());
        }
        return done.map(hub);
    }

    private Future<Void> startQueries(MeshHub hub) {
        NodeQueries asked = queries;
        if (asked == null) {
            return Future.succeededFuture();
        }
        hub.onStop(asked::stop);
        return asked.start();
    }

    private static Future<Optional<String>> closeCluster(ClusteredVertx cluster, Duration bound) {
        return cluster.close(bound).map(cut -> cut.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", cut)));
    }

    // A node that is the last one has nobody to hand its shards to, and has cut nothing.
    private static Future<Optional<String>> leave(ClusterNode node, Duration drain) {
        return node.leave(drain)
                .map(left -> left.isEmpty() || node.nodes().stream().noneMatch(NodeInfo::isCandidate)
                        ? Optional.empty()
                        : Optional.of(left.size() + " shards were not handed over within " + drain.toMillis() + " ms"));
    }

    private Future<Void> open() {
        var opener = builder.storeOpener;
        if (opener == null) {
            return Future.succeededFuture();
        }
        return opener.apply(vertx).map(opened -> {
            store = opened;
            builder.fences(opened, opened.storeId());
            builder.storeUser.accept(opened, builder);
            return null;
        });
    }

    // What was begun is taken back when a later step fails.
    private Future<Void> undo() {
        NodeQueries asked = queries;
        NodeStore opened = store;
        return detached(asked == null ? Future.<Void>succeededFuture() : asked.stop())
                .transform(ended -> {
                    pacer.close();
                    return opened == null
                            ? Future.succeededFuture()
                            : detached(opened.close().otherwiseEmpty());
                });
    }

    // A future of one of the Vert.x's contexts tells nobody once that Vert.x is closed, and a start that failed would
    // never end.
    private static <T> Future<T> detached(Future<T> future) {
        Promise<T> promise = Promise.promise();
        future.onComplete(promise);
        return promise.future();
    }

    private Future<MeshLoops> loops(Predicate<EventLoop> reserved) {
        return MeshLoops.create(vertx, Integer.MAX_VALUE, reserved);
    }

    private NodeInfo self(MeshLoops loops) {
        String version = NodeStart.class.getPackage().getImplementationVersion();
        return new NodeInfo(
                builder.name,
                builder.name + "-" + UUID.randomUUID().toString().substring(0, 13),
                NodeInfo.State.STARTING,
                loops.size(),
                builder.role,
                builder.types.prefixes(),
                builder.storeId,
                version == null ? "development" : version);
    }

    private Future<MeshRouter> router(MeshLoops loops, Membership membership, ShardTable shards, Lease lease) {
        return MeshRouter.start(new Parts(
                vertx,
                busContext,
                loops,
                membership,
                builder.seams.shards().apply(shards),
                builder.seams.lease().apply(lease),
                builder.clock,
                builder.seams.pacer().apply(time()),
                builder.metrics,
                RouterOptions.of(builder.budgets, builder.options.rideOut()).withBounds(builder.inFlight)));
    }

    private SyncOptions syncOptions() {
        SyncOptions set = builder.sync;
        if (set != null) {
            return set;
        }
        return SyncOptions.of(LatchBudget.of(
                builder.options.rideOut(), builder.options.disposal().watchdog()));
    }

    private static Function<MeshAddress, Future<OptionalLong>> versions(NodeStore store) {
        return address -> store.read(address)
                .map(found -> found.filter(node -> !node.deleted())
                        .map(node -> OptionalLong.of(node.version()))
                        .orElseGet(OptionalLong::empty));
    }

    private MeshHub hub(
            MeshLoops loops,
            Membership membership,
            ShardTable shards,
            Lease lease,
            MeshRouter router,
            Function<Duration, Future<Optional<String>>> leave,
            Function<Duration, Future<Optional<String>>> close,
            Supplier<NodeStanding> standing) {
        HubServices services = new HubServices(
                membership,
                loops,
                builder.seams.shards().apply(shards),
                builder.seams.lease().apply(lease),
                builder.catalog,
                builder.budgets,
                builder.clock,
                time(),
                builder.metrics,
                () -> router);
        HubRuntime runtime = new HubRuntime(services, builder.types, builder.options, builder.guards);
        runtime.sync().gate(builder.readGate);
        Gates gates = builder.gates.apply(vertx, time());
        runtime.gates(gates);
        router.entries(gates);
        runtime.onReleased(router::released);
        SyncClient sync = SyncClient.create(
                new SyncClient.Parts(
                        busContext,
                        router,
                        membership,
                        builder.clock,
                        time(),
                        builder.metrics,
                        store == null ? ChangeFeed.NONE : store.changes(),
                        Optional.ofNullable(store).map(NodeStart::versions)),
                syncOptions());
        router.onReleased(sync::released);
        runtime.onDisposed(sync::disposed);
        runtime.sync().onDisowned(sync::disowned);
        router.activator(builder.seams.activator().apply(runtime));
        NodeQueries asked = new NodeQueries(
                vertx,
                busContext,
                membership,
                new QueryFanIn.Parts(builder.name, builder.clock, time(), builder.metrics),
                builder.budgets,
                gates,
                !builder.role.isEmpty());
        queries = asked;
        return new MeshHub(new NodeParts(
                vertx,
                Optional.ofNullable(store),
                membership,
                shards,
                router,
                runtime,
                sync,
                asked,
                pacer,
                leave,
                close,
                standing,
                new CopyOnWriteArrayList<>(),
                builder.tail,
                builder.announced,
                ConcurrentHashMap.newKeySet(),
                new AtomicReference<>()));
    }
}
