package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;

/**
 * One change of one node.
 *
 * @param sequence one more with each change that this feed announces
 * @param kind what became of the node
 * @param address the node
 * @param version the version that it has now
 */
public record NodeChange(long sequence, Kind kind, MeshAddress address, long version) {

    /** What became of a node. */
    public enum Kind {
        /** It did not exist before. */
        CREATED,
        /** It has another version. */
        UPDATED,
        /** It exists no longer. */
        DELETED
    }
}
