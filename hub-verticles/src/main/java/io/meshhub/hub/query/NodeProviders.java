package io.meshhub.hub.query;

import io.meshhub.hub.MeshHub;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.Optional;

/** Registers the providers of a node at its fan-in. */
public final class NodeProviders {

    private NodeProviders() {}

    /**
     * Registers what the node has: its store where that answers queries, its activations, and the static nodes. Other nodes
     * ask it for its activations only: they have the same store, and are to have the same static nodes.
     *
     * @param nodes from a file; without any there is no provider of them
     * @return completes when queries are asked of all of them
     */
    public static Future<Void> addTo(MeshHub hub, List<QueryNode> nodes) {
        Vertx vertx = hub.vertx();
        Context context = ((VertxInternal) vertx).createEventLoopContext();
        String name = hub.membership().self().name();
        Pacer pacer = pacer(vertx);
        Future<Void> done = hub.serve(new ActivationsProvider(context, hub.runtime(), name, pacer));
        Optional<StoreQueryProvider> store =
                hub.store().flatMap(there -> StoreQueryProvider.of(context, hub.membership(), there, pacer));
        if (store.isPresent()) {
            StoreQueryProvider provider = store.get();
            done = done.compose(registered -> hub.query().register(provider));
            hub.onStop(provider::close);
        }
        return nodes.isEmpty()
                ? done
                : done.compose(registered -> hub.query().register(new StaticNodesProvider(context, nodes)));
    }

    private static Pacer pacer(Vertx vertx) {
        return (delay, action) -> {
            long timer = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> action.run());
            return () -> vertx.cancelTimer(timer);
        };
    }
}
