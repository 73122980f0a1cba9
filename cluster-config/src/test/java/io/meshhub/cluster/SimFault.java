package io.meshhub.cluster;

/**
 * One thing that goes wrong in a simulated cluster.
 *
 * @param atMillis when
 * @param kind what
 * @param node at which node
 * @param forMillis how long it lasts, where it lasts
 */
record SimFault(long atMillis, Kind kind, int node, long forMillis) {

    /** What can go wrong. */
    enum Kind {
        /** The process ends at once, and starts again. */
        KILL,
        /** The process leaves in good order, and starts again. */
        LEAVE,
        /** The process stands still; its clocks go on. */
        FREEZE,
        /** The machine sleeps: the monotonic clock stands still with it. */
        SLEEP,
        /** The node is cut off from all others. */
        CUT,
        /** The node is cut off on the event bus only: it stays in the member list. */
        CUT_BUS,
        /** The cluster loses the row of the shard of that number, with all its copies. */
        LOSE_ROW,
        /** The node does not end what lives on it when it gives a shard away. */
        HOLD_ON
    }

    @Override
    public String toString() {
        return atMillis + " ms: " + kind + " " + node + (forMillis > 0 ? " for " + forMillis + " ms" : "");
    }
}
