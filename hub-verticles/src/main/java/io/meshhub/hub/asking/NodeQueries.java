package io.meshhub.hub.asking;

import io.meshhub.hub.guard.Gates;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryOptions;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.remote.RemoteParts;
import io.meshhub.query.remote.RemoteProviders;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.spi.Membership;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import org.jspecify.annotations.Nullable;

/**
 * The fan-in of a node, and its address on the event bus.
 *
 * <p>The fan-in has a thread of its own: a hub that blocks its loop must not keep the terminal of a query from firing, and
 * the sorting of large results must not keep a loop from its hubs.
 */
public final class NodeQueries {

    private static final String THREAD = "meshhub-query";

    private final Vertx vertx;
    private final QueryFanIn fanIn;
    private final RemoteParts remote;
    private final @Nullable QueryRelay relay;
    private volatile @Nullable String deployment;
    private volatile @Nullable RemoteProviders others;

    /**
     * A fan-in that is not deployed yet.
     *
     * @param busContext a context on the loop that carries the connections of the bus
     * @param membership who else may have providers
     * @param gates say who asks by the plain event bus, and whether he may
     * @param relays whether plain peers may ask here: a node that only calls has nothing to answer them with
     */
    public NodeQueries(
            Vertx vertx,
            ContextInternal busContext,
            Membership membership,
            QueryFanIn.Parts parts,
            BudgetLadder budgets,
            Gates gates,
            boolean relays) {
        this.vertx = vertx;
        this.fanIn = new QueryFanIn(parts, budgets, QueryOptions.ofDefaults());
        this.remote = new RemoteParts(
                ((VertxInternal) vertx).createEventLoopContext(),
                membership,
                parts.clock(),
                parts.pacer(),
                parts.metrics(),
                RemoteParts.DEFAULT_BEAT);
        this.relay = relays ? new QueryRelay(fanIn, budgets.request(), gates, busContext) : null;
    }

    /** Where providers are registered and queries are asked; only after the start. */
    public QueryFanIn fanIn() {
        return fanIn;
    }

    /** Deploys it, and takes queries. */
    public Future<Void> start() {
        DeploymentOptions options = new DeploymentOptions()
                .setThreadingModel(ThreadingModel.WORKER)
                .setWorkerPoolName(THREAD)
                .setWorkerPoolSize(1);
        return vertx.deployVerticle(fanIn, options)
                .compose(id -> {
                    deployment = id;
                    return vertx.isClustered() ? meetOthers() : Future.succeededFuture();
                })
                .compose(met -> relay == null ? Future.succeededFuture() : relay.start());
    }

    private Future<Void> meetOthers() {
        return RemoteProviders.start(remote, fanIn).map(met -> {
            others = met;
            return null;
        });
    }

    /**
     * Registers a provider here, and lets the other nodes of the cluster ask it too, under its name and that of this node.
     *
     * @return fails where {@link QueryFanIn#register} does
     */
    public Future<Void> serve(QueryProvider provider) {
        RemoteProviders met = others;
        return fanIn.register(provider)
                .compose(registered -> met == null ? Future.succeededFuture() : met.serve(provider));
    }

    /** Takes no more, and ends all queries. */
    public Future<Void> stop() {
        String deployed = deployment;
        if (deployed == null) {
            return Future.succeededFuture();
        }
        deployment = null;
        RemoteProviders met = others;
        return Future.join(
                        relay == null ? Future.succeededFuture() : relay.stop(),
                        met == null ? Future.succeededFuture() : met.close())
                .transform(done -> vertx.undeploy(deployed));
    }
}
