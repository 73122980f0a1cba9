package io.meshhub.routing.spi;

import java.util.Set;

/**
 * One process of the mesh, as it tells the others about itself.
 *
 * @param name the node's configured name, stable over restarts
 * @param incarnation a new id at each start; routes and shard rows name incarnations
 * @param state how far it is in its life
 * @param loops how many hub loops it has, each with an inbound address; at least 1
 * @param role the role whose shards it may own; empty for a process that only calls
 * @param types the hub types that it hosts
 * @param storeId the identity of its node store; empty when it has none
 * @param version the version of the software
 */
public record NodeInfo(
        String name,
        String incarnation,
        State state,
        int loops,
        String role,
        Set<String> types,
        String storeId,
        String version) {

    /** The role of addresses that match no published prefix. */
    public static final String DEFAULT_ROLE = "hub";

    /** How far a node is in its life. */
    public enum State {
        /** It has joined and owns nothing yet. */
        STARTING,
        /** It may own shards. */
        UP,
        /** It hands everything over and accepts nothing new. */
        LEAVING,
        /** The others have given it up; it comes back as a new incarnation. */
        EXPELLED
    }

    public NodeInfo {
        if (loops < 1) {
            throw new IllegalArgumentException("loops = " + loops + " must be >= 1");
        }
        types = Set.copyOf(types);
    }

    /** The same node in another state. */
    public NodeInfo in(State newState) {
        return new NodeInfo(name, incarnation, newState, loops, role, types, storeId, version);
    }

    /** Whether shards may be given to this node. */
    public boolean isCandidate() {
        return state == State.UP && !role.isEmpty();
    }
}
