package io.meshhub.hub;

import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.hub.asking.NodeQueries;
import io.meshhub.hub.life.NodeReturn;
import io.meshhub.hub.life.StopSteps;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.ShardTable;
import io.meshhub.sync.SyncClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The running parts of a node, and the order in which they stop: refuse, hand over, dispose, say goodbye, close. All up to
 * the goodbye shares the drain, and what follows shares the tail.
 *
 * @param leave hands all shards over, bounded; names what it could not hand over, or nothing
 * @param store the node store, closed when nothing writes any more
 * @param queries the query fan-in
 * @param standing how the node stands in its cluster
 * @param lastly what else is to be done once the hubs have ended
 * @param underWay the steps of the stop that have begun and not ended
 * @param tail what everything after the drain may take
 * @param announced at what level people are told
 * @param close closes the Vert.x and what is below it, bounded; names what was cut, or nothing
 */
record NodeParts(
        Vertx vertx,
        Optional<NodeStore> store,
        Membership membership,
        ShardTable shards,
        MeshRouter router,
        HubRuntime runtime,
        SyncClient sync,
        NodeQueries queries,
        WheelPacer pacer,
        Function<Duration, Future<Optional<String>>> leave,
        Function<Duration, Future<Optional<String>>> close,
        Supplier<NodeStanding> standing,
        List<Supplier<? extends Future<?>>> lastly,
        Duration tail,
        Level announced,
        Set<String> underWay,
        AtomicReference<@Nullable Future<MeshHub.Stopped>> stopping) {

    /** What the actions that run at the stop need, such as closing a port; a drain is 2 s more than a hand-over. */
    private static final Duration LASTLY = Duration.ofMillis(1500);

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);

    Future<MeshHub.Stopped> stop(Duration drain) {
        Promise<MeshHub.Stopped> promise = Promise.promise();
        Future<MeshHub.Stopped> running = stopping.compareAndExchange(null, promise.future());
        if (running != null) {
            return running;
        }
        LOG.atLevel(announced)
                .log("Node {} is leaving (drain={} ms)", membership.self().name(), drain.toMillis());
        List<String> cut = new CopyOnWriteArrayList<>();
        drain(new StopSteps(pacer, MeshClock.system(), drain, cut, underWay))
                .compose(drained -> close(new StopSteps(pacer, MeshClock.system(), tail, cut, underWay)))
                .onComplete(closed -> {
                    pacer.close();
                    promise.complete(new MeshHub.Stopped(
                            cut.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", cut))));
                });
        return promise.future();
    }

    /** What a stop that goes on waits for, for people. */
    List<String> pending() {
        List<String> pending = new ArrayList<>(underWay);
        for (RunLevel level : RunLevel.values()) {
            int hubs = runtime.count(level);
            if (hubs > 0) {
                pending.add(hubs + (hubs == 1 ? " hub at " : " hubs at ") + level);
            }
        }
        runtime.blocked().ifPresent(pending::add);
        return pending;
    }

    private Future<Void> drain(StopSteps steps) {
        Duration disposal = runtime.endBound().plus(LASTLY);
        return steps.step(
                        "announcing that the node leaves",
                        disposal,
                        bound -> membership.announce(NodeInfo.State.LEAVING).map(told -> Optional.empty()))
                .compose(told -> {
                    Future<Void> left = steps.step("handing over the shards", LASTLY, leave);
                    // Handing over ends hubs too. Those of shards that nobody takes must be disposed in order as
                    // well, while there is time for that.
                    Future<Void> ended = steps.endOrTime(left, disposal)
                            .compose(turn -> steps.step(
                                    "disposing the hubs",
                                    LASTLY,
                                    bound -> runtime.release(NodeReturn.ALL_SHARDS, "node is leaving")
                                            .map(done -> runtime.blocked())));
                    return Future.join(left, ended);
                })
                .compose(ended ->
                        steps.step("what runs at the stop", Duration.ZERO, bound -> StopSteps.together(lastly)));
    }

    private Future<Void> close(StopSteps steps) {
        Duration third = tail.dividedBy(3);
        return steps.step(
                        "taking back the inbound addresses",
                        third.multipliedBy(2),
                        bound -> router.stop().map(stopped -> Optional.empty()))
                .compose(stopped -> steps.step(
                        "closing the store",
                        third,
                        bound -> store.map(NodeStore::close)
                                .orElse(Future.succeededFuture())
                                .map(closed -> Optional.empty())))
                .compose(closed -> steps.step("closing Vert.x and the cluster", Duration.ZERO, close));
    }
}
