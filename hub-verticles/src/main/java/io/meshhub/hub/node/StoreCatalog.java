package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.AddressCatalog;
import io.meshhub.routing.spi.NodeStore;
import io.vertx.core.Future;

/** The catalogue of the nodes of a store: a node exists while its record is there and is no tombstone. */
public final class StoreCatalog implements AddressCatalog {

    private final NodeStore store;

    /** Asks that store. */
    public StoreCatalog(NodeStore store) {
        this.store = store;
    }

    @Override
    public Future<Boolean> exists(MeshAddress address) {
        return store.read(address)
                .map(record -> record.isPresent() && !record.get().deleted());
    }
}
