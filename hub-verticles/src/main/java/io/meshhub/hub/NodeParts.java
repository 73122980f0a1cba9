package io.meshhub.hub;

import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.hub.life.NodeReturn;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.router.WheelPacer;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running parts of a node, and the order in which they stop: refuse, hand over, dispose, say goodbye, close.
 *
 * @param leave hands all shards over, bounded; names what it could not hand over, or nothing
 * @param store the node store, closed when nothing writes any more
 * @param standing how the node stands in its cluster
 * @param lastly what else is to be done once the hubs have ended
 * @param close closes the Vert.x and what is below it, bounded; names what was cut, or nothing
 */
record NodeParts(
        Vertx vertx,
        Optional<NodeStore> store,
        Membership membership,
        ShardTable shards,
        MeshRouter router,
        HubRuntime runtime,
        WheelPacer pacer,
        Function<Duration, Future<Optional<String>>> leave,
        Function<Duration, Future<Optional<String>>> close,
        Supplier<NodeStanding> standing,
        List<Supplier<? extends Future<?>>> lastly,
        AtomicReference<@Nullable Future<MeshHub.Stopped>> stopping) {

    /** What follows the drain: Vert.x and what is below it. */
    static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);

    Future<MeshHub.Stopped> stop(Duration drain) {
        Promise<MeshHub.Stopped> promise = Promise.promise();
        Future<MeshHub.Stopped> running = stopping.compareAndExchange(null, promise.future());
        if (running != null) {
            return running;
        }
        LOG.info("Node {} is leaving (drain={} ms)", membership.self().name(), drain.toMillis());
        List<String> cut = new ArrayList<>();
        note(membership.announce(NodeInfo.State.LEAVING), "announcing that the node leaves", cut)
                .compose(told -> noteCut(leave.apply(drain), cut))
                .compose(left -> bounded(runtime.release(NodeReturn.ALL_SHARDS, "node is leaving"), drain, "hubs", cut))
                .compose(released -> bounded(
                        Future.join(lastly.stream().map(NodeParts::call).toList()),
                        drain,
                        "what runs at the stop",
                        cut))
                .compose(done -> bounded(router.stop(), CLOSE_BOUND, "taking back the inbound addresses", cut))
                .compose(stopped -> store.isEmpty()
                        ? Future.succeededFuture()
                        : bounded(store.get().close(), CLOSE_BOUND, "closing the store", cut))
                .compose(stopped -> noteCut(close.apply(CLOSE_BOUND), cut))
                .onComplete(closed -> {
                    pacer.close();
                    promise.complete(new MeshHub.Stopped(
                            cut.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", cut))));
                });
        return promise.future();
    }

    private static Future<Void> noteCut(Future<Optional<String>> step, List<String> cut) {
        return step.transform(done -> {
            if (done.succeeded()) {
                done.result().ifPresent(cut::add);
            } else {
                cut.add(String.valueOf(done.cause().getMessage()));
            }
            return Future.succeededFuture();
        });
    }

    // A step that fails does not keep the next one from being taken.
    private static Future<Void> note(Future<?> step, String what, List<String> cut) {
        return step.transform(done -> {
            if (done.failed()) {
                cut.add(what + " failed: " + done.cause().getMessage());
            }
            return Future.succeededFuture();
        });
    }

    private static Future<?> call(Supplier<? extends Future<?>> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<Void> bounded(Future<?> step, Duration bound, String what, List<String> cut) {
        Promise<Void> promise = Promise.promise();
        var timer = pacer.after(bound, () -> {
            if (promise.tryComplete()) {
                cut.add(what + " did not end within " + bound.toMillis() + " ms");
            }
        });
        step.onComplete(done -> {
            timer.cancel();
            if (promise.tryComplete() && done.failed()) {
                cut.add(what + " failed: " + done.cause().getMessage());
            }
        });
        return promise.future();
    }
}
