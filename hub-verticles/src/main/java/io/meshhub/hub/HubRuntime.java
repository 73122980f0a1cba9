package io.meshhub.hub;

import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.Future;
import java.util.Set;

/** Hosts the activations of a node. */
public final class HubRuntime implements Activator {

    private final HubServices services;

    /** A host for the given types. */
    public HubRuntime(HubServices services, HubTypes types, HubOptions options) {
        this.services = services;
    }

    @Override
    public void deliver(Delivery delivery) {
        delivery.fail(NotFound.noType(delivery.envelope().to(), services.node(), 1));
    }

    @Override
    public Future<Void> release(Set<Integer> shards, String reason) {
        return Future.succeededFuture();
    }
}
