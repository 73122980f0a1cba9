package io.meshhub.it.chaos;

/**
 * One thing that is done to the cluster.
 *
 * @param kind what
 * @param at when it begins, in milliseconds from the start of the faults
 * @param lasts for how long, in milliseconds; for how long the process is down where it is killed or stopped
 * @param node to which node, counted from 0
 * @param other from which other node it is cut off, where one link is cut
 * @param withCaller whether the caller is on the side of the node that is cut off
 */
public record Fault(Kind kind, long at, long lasts, int node, int other, boolean withCaller) {

    /** What is done. */
    public enum Kind {
        /** {@code kill -9}, and a new start. */
        KILL,
        /** An orderly stop, and a new start. */
        RESTART,
        /** Stands still for less than the lease. */
        FREEZE,
        /** Stands still for longer than the lease and the heartbeat limit. */
        LONG_FREEZE,
        /** Stands still for a moment, again and again: everything of it comes late. */
        STUTTER,
        /** Cut off from all other nodes. */
        CUT_NODE,
        /** Cut off from one other node. */
        CUT_LINK;

        /** Whether links are cut. */
        boolean isCut() {
            return this == CUT_NODE || this == CUT_LINK;
        }

        /** Whether it can make two activations where the quorum is 1. */
        boolean isSplit() {
            return isCut() || this == LONG_FREEZE;
        }
    }

    long end() {
        return at + lasts;
    }
}
