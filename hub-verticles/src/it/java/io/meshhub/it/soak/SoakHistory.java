package io.meshhub.it.soak;

import java.util.List;

/**
 * What is known of a run.
 *
 * @param acknowledged the writes of which somebody was told that they stand
 * @param seen what streams said, in the order of each stream
 */
record SoakHistory(List<Acknowledged> acknowledged, List<Seen> seen) {

    /**
     * A write.
     *
     * @param at when its author was told
     * @param version the version of the node with it, or a lower one that the change was made to at least
     * @param node the name of the node that wrote it, or whose stream changed it
     */
    record Acknowledged(long at, String address, long version, String node) {}

    /**
     * What a stream said over a stretch of time.
     *
     * @param process whose stream it is, with the number of the start
     * @param live whether it said that its value is the owner's
     * @param from when it was first seen so
     * @param to when it was last seen so; it changed before the next look
     */
    record Seen(String process, String address, long version, boolean live, long from, long to) {

        Seen until(long newTo) {
            return new Seen(process, address, version, live, from, Math.max(from, newTo));
        }
    }
}
