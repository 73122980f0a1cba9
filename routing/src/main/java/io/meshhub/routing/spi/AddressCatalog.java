package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;

/** Knows which nodes exist. */
@FunctionalInterface
public interface AddressCatalog {

    /**
     * Whether a node exists at the address now.
     *
     * @return false only when that is known; fails when it could not be found out
     */
    Future<Boolean> exists(MeshAddress address);
}
