package io.meshhub.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that goes wrong in a simulated cluster.
 *
 * @param atMillis when
 * @param kind what
 * @param node at which node; with a cut the nodes on one of its sides, as bits
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
        /** The nodes are cut off from all others. */
        CUT,
        /** The nodes are cut off on the event bus only: they stay in the member list. */
        CUT_BUS,
        /** The cluster loses the row of the shard of that number, with all its copies, and again as long as it lasts. */
        LOSE_ROW,
        /** The node does not end what lives on it when it gives a shard away. */
        HOLD_ON
    }

    boolean isCut() {
        return kind == Kind.CUT || kind == Kind.CUT_BUS;
    }

    long endMillis() {
        return atMillis + forMillis;
    }

    @Override
    public String toString() {
        List<Integer> nodes = new ArrayList<>();
        for (int i = 0; i < Integer.SIZE; i++) {
            if ((node >> i & 1) != 0) {
                nodes.add(i);
            }
        }
        return atMillis + " ms: " + kind + " " + (isCut() ? nodes.toString() : String.valueOf(node)) + " for "
                + forMillis + " ms";
    }
}
