package io.meshhub.query;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/** What happens on one context, one thing after the other: what is begun while something goes on comes after it. */
final class Turns {

    private final Consumer<RuntimeException> broken;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;

    /**
     * No turns so far.
     *
     * @param broken takes what a turn threw; the others go on
     */
    Turns(Consumer<RuntimeException> broken) {
        this.broken = broken;
    }

    /** Does it now, or after what goes on. */
    void take(Runnable action) {
        waiting.add(action);
        if (busy) {
            return;
        }
        busy = true;
        try {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                one(next);
            }
        } finally {
            busy = false;
        }
    }

    private void one(Runnable turn) {
        try {
            turn.run();
        } catch (RuntimeException e) {
            broken.accept(e);
        }
    }
}
