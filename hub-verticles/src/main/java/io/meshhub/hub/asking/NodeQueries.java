package io.meshhub.hub.asking;

import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryOptions;
import io.meshhub.routing.BudgetLadder;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
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
    private final @Nullable QueryRelay relay;
    private volatile @Nullable String deployment;

    /**
     * A fan-in that is not deployed yet.
     *
     * @param busContext a context on the loop that carries the connections of the bus
     * @param relays whether plain peers may ask here: a node that only calls has nothing to answer them with
     */
    public NodeQueries(
            Vertx vertx, ContextInternal busContext, QueryFanIn.Parts parts, BudgetLadder budgets, boolean relays) {
        this.vertx = vertx;
        this.fanIn = new QueryFanIn(parts, budgets, QueryOptions.ofDefaults());
        this.relay = relays ? new QueryRelay(fanIn, budgets.request(), busContext) : null;
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
        return vertx.deployVerticle(fanIn, options).compose(id -> {
            deployment = id;
            return relay == null ? Future.succeededFuture() : relay.start();
        });
    }

    /** Takes no more, and ends all queries. */
    public Future<Void> stop() {
        String deployed = deployment;
        if (deployed == null) {
            return Future.succeededFuture();
        }
        deployment = null;
        Future<Void> silent = relay == null ? Future.succeededFuture() : relay.stop();
        return silent.transform(done -> vertx.undeploy(deployed));
    }
}
