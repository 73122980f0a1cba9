package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;

/** One activation as its own hub sees it; every call is safe from any thread. */
public interface HubContext {

    /** Where the hub lives. */
    MeshAddress address();

    /** Which life of the address this is. */
    ActivationId activation();

    /** The right of this activation to write to a store: a later owner's is higher. */
    ShardFence fence();

    /** How far this life has come. */
    RunLevel level();

    /** The name of the node that hosts the hub. */
    String node();

    /** Sends messages; what a handler sends inherits the principal and the correlation id of its message. */
    Mesh mesh();

    /** The time of this node. */
    MeshClock clock();

    /**
     * Ends this activation in good order; returns at once. A handler must not wait for the result, since the disposal
     * waits for the handler.
     *
     * @param reason for people
     * @return completes when the level is {@link RunLevel#DEAD}; never fails
     */
    Future<Void> dispose(String reason);
}
