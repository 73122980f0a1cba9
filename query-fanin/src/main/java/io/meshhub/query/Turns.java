package io.meshhub.query;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens on one context, one thing after the other: what is begun while something goes on comes after it. */
final class Turns {

    private static final Logger LOG = LoggerFactory.getLogger(QueryFanIn.class);

    private final Consumer<Throwable> broken;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;

    /**
     * No turns so far.
     *
     * @param broken takes what a turn threw; the others go on
     */
    Turns(Consumer<Throwable> broken) {
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
        } catch (Throwable e) {
            // Also an error: who waits for this run would wait for ever.
            try {
                broken.accept(e);
            } catch (Throwable again) {
                LOG.error("The end of a broken query failed as well", again);
            }
        }
    }
}
