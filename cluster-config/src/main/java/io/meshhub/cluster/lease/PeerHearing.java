package io.meshhub.cluster.lease;

/**
 * Whether this node and a peer reach each other over the event bus, whatever the member list says.
 *
 * @param name the peer
 * @param expected whether it must be heard by now: it has been up for at least three rounds
 * @param heard whether this node heard a beat of the peer within the last three rounds
 * @param hears whether the peer answered one of this node within the last three rounds
 */
public record PeerHearing(String name, boolean expected, boolean heard, boolean hears) {

    /** Whether both ways work. */
    public boolean isMutual() {
        return heard && hears;
    }
}
