package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of one node from STARTING to UP: round after round it reaches the peers that it has not reached yet. */
final class UpRounds {

    private static final Logger LOG = LoggerFactory.getLogger(UpRounds.class);

    private static final Duration PACE = Duration.ofMillis(500);

    private final HazelcastMembership membership;
    private final ControlThread control;
    private final ClusterOptions options;
    private final Function<NodeInfo, Future<Void>> ping;
    private final Promise<Void> up = Promise.promise();
    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private int rounds;

    UpRounds(
            HazelcastMembership membership,
            ControlThread control,
            ClusterOptions options,
            Function<NodeInfo, Future<Void>> ping) {
        this.membership = membership;
        this.control = control;
        this.options = options;
        this.ping = ping;
    }

    Future<Void> start() {
        var timer = control.after(options.upTimeout(), this::giveUp);
        control.execute(this::round);
        return up.future().onComplete(done -> timer.cancel());
    }

    private void giveUp() {
        up.tryFail(control.unavailable("Node " + membership.self().name() + " could not become UP: in " + rounds
                + " rounds within " + options.upTimeout().toMillis() + " ms it did not reach "
                + missing().stream().map(NodeInfo::name).toList()));
    }

    /** The peers that were not reached yet; any thread. */
    List<NodeInfo> missing() {
        return membership.view().live().stream()
                .filter(membership::mustReach)
                .map(NodeRow::node)
                .filter(node -> !reached.contains(node.incarnation()))
                .toList();
    }

    private void round() {
        if (up.future().isComplete()) {
            return;
        }
        List<NodeInfo> missing = missing();
        if (missing.isEmpty()) {
            membership.settle().onComplete(done -> {
                if (done.succeeded()) {
                    up.tryComplete();
                } else {
                    up.tryFail(done.cause());
                }
            });
            return;
        }
        rounds++;
        List<Future<Void>> pings = new ArrayList<>();
        for (NodeInfo peer : missing) {
            pings.add(control.bounded(ping.apply(peer), options.operationTimeout(), "Reaching node " + peer.name())
                    .onSuccess(done -> reached.add(peer.incarnation()))
                    .onFailure(e -> LOG.debug("Node {} was not reached: {}", peer.name(), e.toString())));
        }
        Future.join(pings).onComplete(done -> {
            if (done.succeeded()) {
                round();
            } else {
                control.after(PACE, this::round);
            }
        });
    }
}
