package io.meshhub.hub.launcher;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.AccessDecider;
import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.Whose;
import io.meshhub.hub.access.directory.IdentityDirectory;
import io.meshhub.hub.access.policy.AccessPolicies;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides from the access model, and says who is who from the identity directory, once the node can read them. Before that
 * nothing is known, and nobody is let in.
 */
final class ModelDecider implements AccessDecider, Whose {

    private static final String THREAD = "mesh-access";

    private final Pacer pacer;
    private final MeshMetrics metrics;
    private volatile @Nullable AccessPolicies policies;
    private volatile @Nullable IdentityDirectory directory;

    ModelDecider(Pacer pacer, MeshMetrics metrics) {
        this.pacer = pacer;
        this.metrics = metrics;
    }

    /** Begins to decide; when the providers of the node are there, of which it asks. */
    Future<Void> start(MeshHub node) {
        AccessPolicies.Parts parts =
                new AccessPolicies.Parts(node.mesh().node(), node.query(), MeshClock.system(), pacer, metrics);
        AccessPolicies decides = new AccessPolicies(parts, node.mesh().budgets());
        IdentityDirectory names = new IdentityDirectory(parts, node.mesh().budgets());
        return deploy(node, names).compose(deployed -> deploy(node, decides)).map(deployed -> {
            directory = names;
            policies = decides;
            return null;
        });
    }

    // A thread of their own: no hub that blocks its loop may hold up who is let in.
    private static Future<Void> deploy(MeshHub node, Deployable verticle) {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName(THREAD)
                .setWorkerPoolSize(1);
        return node.vertx().deployVerticle(verticle, options).map(deployment -> {
            // Before the queries that it follows end with the node.
            node.onStop(() -> node.vertx().undeploy(deployment));
            return null;
        });
    }

    @Override
    public Future<Lookup> find(Key key) {
        IdentityDirectory there = directory;
        return there == null
                ? Future.succeededFuture(
                        new Lookup.Unavailable(List.of(), "the node starts, and has not read who is who"))
                : there.find(key);
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
