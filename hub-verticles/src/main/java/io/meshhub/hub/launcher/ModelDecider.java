package io.meshhub.hub.launcher;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.AccessDecider;
import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.policy.AccessPolicies;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides from the access model once the node can read it. Before that nothing is known, and nobody is let in. */
final class ModelDecider implements AccessDecider {

    private static final String THREAD = "mesh-access";

    private final Pacer pacer;
    private final MeshMetrics metrics;
    private volatile @Nullable AccessPolicies policies;

    ModelDecider(Pacer pacer, MeshMetrics metrics) {
        this.pacer = pacer;
        this.metrics = metrics;
    }

    /** Begins to decide; when the providers of the node are there, of which it asks. */
    Future<Void> start(MeshHub node) {
        AccessPolicies made = new AccessPolicies(
                new AccessPolicies.Parts(node.mesh().node(), node.query(), MeshClock.system(), pacer, metrics),
                node.mesh().budgets());
        // A thread of its own: no hub that blocks its loop may hold up who is let in.
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName(THREAD)
                .setWorkerPoolSize(1);
        return node.vertx().deployVerticle(made, options).map(deployment -> {
            // Before the queries that it follows end with the node.
            node.onStop(() -> node.vertx().undeploy(deployment));
            policies = made;
            return null;
        });
    }

    @Override
    public @Nullable AccessDecision known(Principal who, Permission what, MeshAddress where) {
        AccessPolicies there = policies;
        return there == null ? null : there.known(who, what, where);
    }

    @Override
    public Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where) {
        AccessPolicies there = policies;
        return there == null
                ? Future.succeededFuture(
                        new AccessDecision.Undetermined(List.of(), "the node starts, and has not read who may do what"))
                : there.decide(who, what, where);
    }

    @Override
    public Future<JsonObject> explain(Principal who, Permission what, MeshAddress where) {
        AccessPolicies there = policies;
        return there == null ? AccessDecider.super.explain(who, what, where) : there.explain(who, what, where);
    }
}
