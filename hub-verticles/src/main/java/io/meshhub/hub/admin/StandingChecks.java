package io.meshhub.hub.admin;

import io.meshhub.cluster.lease.LeaseStanding;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.cluster.lease.PeerHearing;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import java.util.List;
import java.util.function.Predicate;

/** The checks of {@code /health/ready} that say how a node stands in its cluster, and name who keeps it from being ready. */
final class StandingChecks {

    private StandingChecks() {}

    /** Whether it and its peers hear each other over the event bus. */
    static Future<Status> peers(NodeStanding standing) {
        JsonObject data = new JsonObject()
                .put("peers", standing.hearing().size())
                .put("mutual", names(standing, PeerHearing::isMutual).size())
                .put("notHeard", new JsonArray(names(standing, peer -> !peer.heard())))
                .put("notHearing", new JsonArray(names(standing, peer -> !peer.hears())))
                .put("shardsToMove", standing.shardsToMove());
        if (!standing.unreached().isEmpty()) {
            data.put("notReached", new JsonArray(standing.unreached()));
        }
        return status(standing.hearsEnough(), data);
    }

    private static List<String> names(NodeStanding standing, Predicate<PeerHearing> which) {
        return standing.hearing().stream().filter(which).map(PeerHearing::name).toList();
    }

    /** Whether it may serve, and acknowledges others where it is to. */
    static Future<Status> lease(NodeStanding standing) {
        LeaseStanding lease = standing.lease();
        JsonObject data = new JsonObject().put("quorum", lease.quorum()).put("held", lease.held());
        lease.since().ifPresent(since -> data.put("since", since.toString()));
        lease.votesFrom().ifPresent(from -> data.put("votesFrom", from.toString()));
        if (lease.quorum() > 1) {
            data.put("votersHeard", new JsonArray(lease.heard())).put("votersNotHeard", new JsonArray(lease.unheard()));
        }
        return status(lease.isSound(), data);
    }

    private static Future<Status> status(boolean ok, JsonObject data) {
        return Future.succeededFuture(ok ? Status.OK(data) : Status.KO(data));
    }
}
