package io.meshhub.hub.life;

import io.meshhub.cluster.ClusterNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a node back that was expelled: everything that lived on it ends, its inbound addresses go, and it joins again as
 * a new incarnation, as often as it takes.
 */
public final class NodeReturn {

    private static final Logger LOG = LoggerFactory.getLogger(NodeReturn.class);

    /** All shards of a role. */
    public static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, MeshAddress.SHARDS).boxed().collect(Collectors.toUnmodifiableSet());

    private static final Duration PACE = Duration.ofSeconds(1);

    private final ClusterNode node;
    private final MeshRouter router;
    private final Pacer pacer;
    private final MeshMetrics metrics;
    private final Supplier<NodeInfo> next;
    private final Duration pingBound;
    private final Duration stepBound;

    // Each expulsion has a return of its own; an earlier one that is still under way gives way.
    private final AtomicInteger returns = new AtomicInteger();

    /**
     * Nothing to bring back yet.
     *
     * @param next the node under its next incarnation
     * @param pingBound how long a peer may take to answer a ping
     * @param stepBound how long inbound addresses may take to come or go
     */
    public NodeReturn(
            ClusterNode node,
            MeshRouter router,
            Pacer pacer,
            MeshMetrics metrics,
            Supplier<NodeInfo> next,
            Duration pingBound,
            Duration stepBound) {
        this.node = node;
        this.router = router;
        this.pacer = pacer;
        this.metrics = metrics;
        this.next = next;
        this.pingBound = pingBound;
        this.stepBound = stepBound;
    }

    /** The node leaves for good: nothing is brought back any more. */
    public void end() {
        returns.incrementAndGet();
    }

    /** The node was expelled. */
    public void begin(String reason, Activator runtime) {
        metrics.count("node.expelled");
        attempt(runtime, "this node was expelled: " + reason, returns.incrementAndGet(), 1);
    }

    private boolean isCurrent(int mine) {
        return returns.get() == mine;
    }

    private void attempt(Activator runtime, String reason, int mine, int number) {
        if (!isCurrent(mine)) {
            return;
        }
        // At once: nothing that lives here may go on while addresses are taken back.
        Future<Void> ended = runtime.release(ALL_SHARDS, "the node is expelled");
        NodeInfo self = next.get();
        bounded(router.withdraw(reason), "taking back the inbound addresses")
                .transform(withdrawn -> ended)
                .transform(released -> stillMine(mine))
                .compose(go -> node.rejoin(self))
                .compose(joined -> stillMine(mine))
                .compose(go -> {
                    node.activator(runtime);
                    return bounded(router.enter(), "registering the inbound addresses");
                })
                .compose(entered -> stillMine(mine))
                .compose(go -> up(self))
                .onSuccess(up -> LOG.info(
                        "Node {} is back as incarnation {} (attempt {})", self.name(), self.incarnation(), number))
                .onFailure(e -> again(runtime, mine, number, e));
    }

    private void again(Activator runtime, int mine, int number, Throwable cause) {
        if (!isCurrent(mine)) {
            LOG.debug("A return of this node gave way to a later one, or to its end", cause);
            return;
        }
        LOG.warn(
                "Node {} could not come back yet (attempt {}); next try in {} ms: {}",
                node.self().name(),
                number,
                PACE.toMillis(),
                cause.toString());
        pacer.after(PACE, () -> attempt(runtime, "this node could not come back yet", mine, number + 1));
    }

    private Future<Void> stillMine(int mine) {
        return isCurrent(mine)
                ? Future.succeededFuture()
                : Future.failedFuture("it was expelled again, or leaves for good");
    }

    private Future<Void> bounded(Future<Void> step, String what) {
        Promise<Void> promise = Promise.promise();
        Pacer.Cancellable timer = pacer.after(
                stepBound, () -> promise.tryFail(what + " did not end within " + stepBound.toMillis() + " ms"));
        step.onComplete(done -> {
            timer.cancel();
            if (done.succeeded()) {
                promise.tryComplete();
            } else {
                promise.tryFail(done.cause());
            }
        });
        return promise.future();
    }

    private Future<Void> up(NodeInfo self) {
        return self.role().isEmpty() ? Future.succeededFuture() : node.announceUp(peer -> router.ping(peer, pingBound));
    }
}
