package io.meshhub.cluster.lease;

import io.meshhub.routing.spi.NodeInfo;
import java.util.List;

/**
 * How a node stands in its cluster.
 *
 * @param state how far it is in its life
 * @param leased whether it may serve now: it holds a lease, or needs none
 * @param hearing whether it and each of its peers reach each other over the event bus; empty where it is alone
 */
public record NodeStanding(NodeInfo.State state, boolean leased, List<PeerHearing> hearing) {

    public NodeStanding {
        hearing = List.copyOf(hearing);
    }

    /** Whether this node is one that others can count on: it is up, may serve, and hears at least half of its peers. */
    public boolean isSound() {
        long heard = hearing.stream().filter(PeerHearing::isMutual).count();
        return state == NodeInfo.State.UP && leased && 2 * heard >= hearing.size();
    }

    /** The names of the peers that it does not hear, or that do not hear it. */
    public List<String> unheard() {
        return hearing.stream()
                .filter(peer -> !peer.isMutual())
                .map(PeerHearing::name)
                .toList();
    }
}
