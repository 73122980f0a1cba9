package io.meshhub.hub;

import io.meshhub.cluster.ClusterNode;
import io.meshhub.routing.router.MeshRouter;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a node back that was expelled: everything that lived on it ends, its inbound addresses go, and it joins again as
 * a new incarnation, as often as it takes.
 */
final class NodeReturn {

    private static final Logger LOG = LoggerFactory.getLogger(MeshHub.class);

    private static final Duration PACE = Duration.ofSeconds(1);

    private final ClusterNode node;
    private final MeshRouter router;
    private final Pacer pacer;
    private final Supplier<NodeInfo> next;
    private final Duration pingBound;
    private volatile boolean ended;

    NodeReturn(ClusterNode node, MeshRouter router, Pacer pacer, Supplier<NodeInfo> next, Duration pingBound) {
        this.node = node;
        this.router = router;
        this.pacer = pacer;
        this.next = next;
        this.pingBound = pingBound;
    }

    /** The node leaves for good: nothing is brought back any more. */
    void end() {
        ended = true;
    }

    void begin(String reason, HubRuntime runtime) {
        router.withdraw("this node was expelled: " + reason)
                .transform(withdrawn -> runtime.release(NodeParts.ALL_SHARDS, "the node is expelled"))
                .onComplete(released -> attempt(runtime, 1));
    }

    private void attempt(HubRuntime runtime, int number) {
        if (ended) {
            return;
        }
        NodeInfo self = next.get();
        node.rejoin(self)
                .compose(joined -> {
                    node.activator(runtime);
                    return router.enter();
                })
                .compose(entered -> up(self))
                .onSuccess(up -> LOG.info(
                        "Node {} is back as incarnation {} (attempt {})", self.name(), self.incarnation(), number))
                .onFailure(e -> {
                    LOG.warn(
                            "Node {} could not come back yet (attempt {}); next try in {} ms: {}",
                            self.name(),
                            number,
                            PACE.toMillis(),
                            e.toString());
                    pacer.after(
                            PACE,
                            () -> router.withdraw("this node could not come back yet")
                                    .onComplete(done -> attempt(runtime, number + 1)));
                });
    }

    private Future<Void> up(NodeInfo self) {
        return self.role().isEmpty() ? Future.succeededFuture() : node.announceUp(peer -> router.ping(peer, pingBound));
    }
}
