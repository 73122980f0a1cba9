package io.meshhub.hub;

import io.meshhub.cluster.ClusterNode;
import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.ClusteredVertx;
import io.meshhub.cluster.HazelcastShardTable;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.router.Parts;
import io.meshhub.routing.router.RouterOptions;
import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardTable;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a node together, in one process or in a cluster: loops, place among the nodes, router, runtime. */
final class NodeStart {

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);
    private static final Instant EPOCH_ORIGIN = Instant.parse("2025-01-01T00:00:00Z");
    private static final Duration PING_BOUND = Duration.ofSeconds(2);

    private NodeStart() {}

    static Future<MeshHub> start(MeshHub.Builder builder) {
        ClusterOptions cluster = builder.cluster;
        return cluster == null ? single(builder) : clustered(builder, cluster);
    }

    private static Future<MeshHub> single(MeshHub.Builder builder) {
        Vertx given = builder.vertx;
        Vertx vertx = given == null ? ownVertx(builder) : given;
        ContextInternal bus = ((VertxInternal) vertx).createEventLoopContext();
        long epoch = Duration.between(EPOCH_ORIGIN, builder.clock.now()).toSeconds();
        WheelPacer pacer = new WheelPacer();
        return loops(vertx, loop -> false)
                .compose(loops -> SingleNode.start(self(builder, loops), builder.fences, epoch)
                        .compose(node -> MeshRouter.start(parts(builder, vertx, bus, loops, node, node, pacer))
                                .map(router -> hub(
                                        vertx,
                                        node,
                                        node,
                                        router,
                                        runtime(builder, loops, node, node, router, pacer),
                                        pacer,
                                        drain -> Future.succeededFuture(Optional.empty()),
                                        bound -> close(given == null, vertx)))))
                .onSuccess(hub -> LOG.info(
                        "Node {} is up, alone (hub types={})", builder.name, builder.types.prefixes()))
                .recover(cause -> {
                    pacer.close();
                    return (given == null ? vertx.close() : Future.<Void>succeededFuture())
                            .transform(closed -> Future.failedFuture(cause));
                });
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
        return ClusteredVertx.start(options, builder.vertxOptions, builder.vertxCustomizer)
                .compose(cluster -> {
                    WheelPacer pacer = new WheelPacer();
                    return join(builder, options, cluster, pacer).recover(cause -> {
                        pacer.close();
                        return cluster.close(NodeParts.CLOSE_BOUND).transform(closed -> Future.failedFuture(cause));
                    });
                });
    }

    private static Future<MeshHub> join(
            MeshHub.Builder builder, ClusterOptions options, ClusteredVertx cluster, WheelPacer pacer) {
        Vertx vertx = cluster.vertx();
        return loops(vertx, cluster::isBusLoop)
                .compose(loops -> ClusterNode.join(cluster, options, self(builder, loops), builder.fences, builder.clock)
                        .compose(node -> MeshRouter.start(parts(
                                        builder,
                                        vertx,
                                        cluster.busContext(),
                                        loops,
                                        node.membership(),
                                        node.shards(),
                                        pacer))
                                .compose(router -> {
                                    HubRuntime runtime =
                                            runtime(builder, loops, node.membership(), node.shards(), router, pacer);
                                    node.shards().activator(runtime);
                                    Future<Void> up = builder.role.isEmpty()
                                            ? Future.succeededFuture()
                                            : node.membership().announceUp(peer -> router.ping(peer, PING_BOUND));
                                    return up.map(announced -> hub(
                                            vertx,
                                            node.membership(),
                                            node.shards(),
                                            router,
                                            runtime,
                                            pacer,
                                            drain -> leave(node.shards(), drain),
                                            bound -> closeCluster(cluster, bound)));
                                })))
                .onSuccess(hub -> LOG.info(
                        "Node {} is up in cluster {} (nodes={}, hub types={})",
                        builder.name,
                        options.clusterName(),
                        hub.membership().nodes().size(),
                        builder.types.prefixes()));
    }

    private static Future<Optional<String>> closeCluster(ClusteredVertx cluster, Duration bound) {
        return cluster.close(bound)
                .map(cut -> cut.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", cut)));
    }

    private static Future<Optional<String>> leave(HazelcastShardTable shards, Duration drain) {
        return shards.leave(drain)
                .map(left -> left.isEmpty()
                        ? Optional.empty()
                        : Optional.of(left.size() + " shards were not handed over within " + drain.toMillis() + " ms"));
    }

    private static Future<MeshLoops> loops(Vertx vertx, Predicate<EventLoop> reserved) {
        return MeshLoops.create(vertx, Integer.MAX_VALUE, reserved);
    }

    private static NodeInfo self(MeshHub.Builder builder, MeshLoops loops) {
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

    private static Parts parts(
            MeshHub.Builder builder,
            Vertx vertx,
            ContextInternal bus,
            MeshLoops loops,
            Membership membership,
            ShardTable shards,
            WheelPacer pacer) {
        return new Parts(
                vertx,
                bus,
                loops,
                membership,
                shards,
                Lease.ALWAYS,
                builder.clock,
                pacer,
                builder.metrics,
                RouterOptions.of(builder.budgets));
    }

    private static HubRuntime runtime(
            MeshHub.Builder builder,
            MeshLoops loops,
            Membership membership,
            ShardTable shards,
            MeshRouter router,
            WheelPacer pacer) {
        HubServices services = new HubServices(
                membership,
                loops,
                shards,
                builder.catalog,
                builder.budgets,
                builder.clock,
                pacer,
                builder.metrics,
                () -> router);
        HubRuntime runtime = new HubRuntime(services, builder.types, builder.options);
        runtime.onReleased(router::released);
        router.activator(runtime);
        return runtime;
    }

    private static MeshHub hub(
            Vertx vertx,
            Membership membership,
            ShardTable shards,
            MeshRouter router,
            HubRuntime runtime,
            WheelPacer pacer,
            Function<Duration, Future<Optional<String>>> leave,
            Function<Duration, Future<Optional<String>>> close) {
        return new MeshHub(new NodeParts(
                vertx, membership, shards, router, runtime, pacer, leave, close, new AtomicReference<>()));
    }
}
