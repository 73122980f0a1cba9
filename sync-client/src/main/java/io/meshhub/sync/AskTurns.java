package io.meshhub.sync;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets latches look for their owners again one after the other, so that not all that lost one node ask at the same
 * time; touched only on the client's context. The first ask of a stream waits for no turn. A turn is that of all streams
 * which share a latch, of which one asks at a time.
 */
final class AskTurns {

    private final Queue<SharedLatch> waiting = new ArrayDeque<>();
    private final int bound;
    private int inFlight;
    private boolean giving;

    /**
     * Turns for all latches of a client.
     *
     * @param bound the most asks at one time
     */
    AskTurns(int bound) {
        this.bound = bound;
    }

    /** Has the latch ask when its turn comes. */
    void take(SharedLatch latch) {
        waiting.add(latch);
        next();
    }

    /** A turn has ended. */
    void ended() {
        inFlight--;
        next();
    }

    // An ask that fails at once ends within its turn: the loop that gave it goes on, or each would be a call deeper.
    private void next() {
        if (giving) {
            return;
        }
        giving = true;
        try {
            while (inFlight < bound) {
                SharedLatch latch = waiting.poll();
                if (latch == null) {
                    return;
                }
                if (!latch.isOver()) {
                    inFlight++;
                    latch.turn();
                }
            }
        } finally {
            giving = false;
        }
    }
}
