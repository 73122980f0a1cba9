package io.meshhub.cluster;

import io.meshhub.routing.spi.Membership;
import io.vertx.core.Future;
import java.util.Set;

/** The membership as the shard table needs it. */
interface ClusterMembership extends Membership {

    /** Whether the incarnation is dropped; one that is, stays so. Any thread. */
    boolean isDropped(String incarnation);

    /** Takes an incarnation for dropped from now on, whatever the member list will say of it. */
    void drop(String incarnation);

    /** Tells all nodes, that one included, that they go on without it. */
    Future<Void> expel(String incarnation);

    /** Whether the cluster held rows of dropped nodes at the last read. */
    boolean holdsDropped();

    /**
     * Removes the rows of dropped nodes that nobody needs any more: those of the role that own no shard, and those that
     * played no role.
     *
     * @param owners the incarnations that own a shard of the role
     */
    void forget(String role, Set<String> owners);
}
