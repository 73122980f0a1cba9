package io.meshhub.sync;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets streams look for their owners again one after the other, so that not all that lost one node ask at the same time;
 * touched only on the client's context. The first ask of a stream waits for no turn.
 */
final class AskTurns {

    private record Turn(Upstream stream, int attempt) {}

    private final Queue<Turn> waiting = new ArrayDeque<>();
    private final int bound;
    private int inFlight;
    private boolean giving;

    /**
     * Turns for all streams of a client.
     *
     * @param bound the most asks at one time
     */
    AskTurns(int bound) {
        this.bound = bound;
    }

    /** Has the stream ask when its turn comes. */
    void take(Upstream stream, int attempt) {
        waiting.add(new Turn(stream, attempt));
        next();
    }

    /** An ask has ended. */
    void ended(int attempt) {
        if (attempt > 1) {
            inFlight--;
            next();
        }
    }

    // An ask that fails at once ends within its turn: the loop that gave it goes on, or each would be a call deeper.
    private void next() {
        if (giving) {
            return;
        }
        giving = true;
        try {
            while (inFlight < bound) {
                Turn turn = waiting.poll();
                if (turn == null) {
                    return;
                }
                if (!turn.stream().isEnded()) {
                    inFlight++;
                    turn.stream().ask(turn.attempt());
                }
            }
        } finally {
            giving = false;
        }
    }
}
