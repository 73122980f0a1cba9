package io.meshhub.hub.sync;

import io.meshhub.hub.MeshHub;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.vertx.core.Future;

/** One store in memory for all nodes of a test, which none of them closes. */
final class SharedStore extends ForwardingNodeStore {

    SharedStore() {
        super(new InMemoryNodeStore());
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    /** Lets the node host node hubs over this store. */
    void serve(MeshHub.Builder node) {
        node.store(
                vertx -> Future.succeededFuture(this),
                (store, builder) -> builder.catalog(new StoreCatalog(store)).hub(NodeHubs.type(store)));
    }
}
