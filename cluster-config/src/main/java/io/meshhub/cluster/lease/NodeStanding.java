package io.meshhub.cluster.lease;

import io.meshhub.routing.spi.NodeInfo;
import java.util.List;

/**
 * How a node stands in its cluster.
 *
 * @param state how far it is in its life
 * @param lease its right to serve
 * @param hearing whether it and each of its peers reach each other over the event bus, as of the last round; empty where it
 *     is alone
 * @param unreached the peers that a node which starts has yet to reach at each of their inbound addresses, and hear from
 * @param shardsToMove how many shards of its role, as this node sees them, are not with the node that should have them or
 *     are on their way; 0 once all have come to rest
 */
public record NodeStanding(
        NodeInfo.State state,
        LeaseStanding lease,
        List<PeerHearing> hearing,
        List<String> unreached,
        int shardsToMove) {

    public NodeStanding {
        hearing = List.copyOf(hearing);
        unreached = List.copyOf(unreached);
    }

    /** That of a node without a cluster. */
    public static NodeStanding alone(NodeInfo.State state) {
        return new NodeStanding(state, LeaseStanding.NOT_NEEDED, List.of(), List.of(), 0);
    }

    /** Whether this node is one that others can count on: it is up, may serve, and hears enough of its peers. */
    public boolean isSound() {
        return state == NodeInfo.State.UP && lease.isSound() && hearsEnough();
    }

    /** The names of the peers that it does not hear, or that do not hear it. */
    public List<String> unheard() {
        return hearing.stream()
                .filter(peer -> !peer.isMutual())
                .map(PeerHearing::name)
                .toList();
    }

    /**
     * Whether it and its peers hear each other well enough. One that starts must have reached all of them. Afterwards half
     * of those that are to be expected will do: where one node is cut off, it is that one which is not ready, not the others.
     */
    public boolean hearsEnough() {
        if (state == NodeInfo.State.STARTING) {
            return unreached.isEmpty();
        }
        long expected = hearing.stream().filter(PeerHearing::expected).count();
        long heard = hearing.stream()
                .filter(peer -> peer.expected() && peer.isMutual())
                .count();
        return 2 * heard >= expected;
    }
}
