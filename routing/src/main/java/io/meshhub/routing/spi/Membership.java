package io.meshhub.routing.spi;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Optional;

/**
 * Who is in the mesh, as this node sees it; every call but {@link #announce} is answered from memory.
 *
 * <p>An incarnation is <b>dropped</b> when it is absent from the member list or expelled. A dropped incarnation never
 * comes back.
 */
public interface Membership {

    /** This node, in its current state. */
    NodeInfo self();

    /** All nodes that are not dropped, this one included, in the order in which they joined. */
    Collection<NodeInfo> nodes();

    /** The node of that incarnation, unless it is dropped or was never seen. */
    Optional<NodeInfo> node(String incarnation);

    /**
     * Tells all nodes that this one is now in the given state.
     *
     * @return completes when the cluster holds the new state
     */
    Future<Void> announce(NodeInfo.State state);

    /**
     * Calls the listener after each change, on any thread, one change at a time; it must not block.
     */
    void onChange(Listener listener);

    /**
     * Whether the failure of a message to another node is that the cluster could not be asked where the node is: then
     * nothing was sent.
     */
    default boolean isLookupFailure(Throwable failure) {
        return false;
    }

    /** Hears what becomes of the nodes. */
    @FunctionalInterface
    interface Listener {

        /**
         * A node joined, changed its state or was dropped.
         *
         * @param change what became of it
         * @param node the node as it is now, or as it last was
         */
        void changed(Change change, NodeInfo node);
    }

    /** What became of a node. */
    enum Change {
        /** It was not known before. */
        JOINED,
        /** It is in another state. */
        STATE,
        /** It is dropped: crashed, cut off, ended or expelled. */
        DROPPED
    }
}
