package io.meshhub.hub.access.existence;

import io.meshhub.hub.access.existence.Existence.Assumed;
import io.meshhub.hub.access.existence.Existence.Fault;
import io.meshhub.hub.access.existence.Existence.Known;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one who asks whether something exists has been told. A pure machine without a clock.
 *
 * <p>The bound makes it absent once, and only while nothing was said; a fault is told as one whenever it comes, and ends it.
 *
 * @param told the last word; null before the first
 */
record ExistenceState(@Nullable Existence told) {

    /** Nothing was told yet. */
    static final ExistenceState WAITING = new ExistenceState(null);

    /** What happens. */
    sealed interface Event {
        /** All providers have answered, and something is there or not. */
        record Read(boolean exists) implements Event {}

        /** It cannot be read. */
        record Failed(Fault fault) implements Event {}

        /** The bound is over. */
        record BoundIsOver(Duration bound) implements Event {}
    }

    /**
     * What follows.
     *
     * @param say what is to be told, if anything
     */
    record Turn(ExistenceState state, Optional<Existence> say) {}

    /** Whether nothing more comes. */
    boolean isOver() {
        return told instanceof Fault;
    }

    /** What follows from an event. */
    Turn on(Event event) {
        if (isOver()) {
            return stays();
        }
        if (event instanceof Event.Read read) {
            return says(new Known(read.exists()));
        }
        if (event instanceof Event.Failed failed) {
            return says(failed.fault());
        }
        return told == null ? says(new Assumed(((Event.BoundIsOver) event).bound())) : stays();
    }

    private Turn says(Existence next) {
        return next.equals(told) ? stays() : new Turn(new ExistenceState(next), Optional.of(next));
    }

    private Turn stays() {
        return new Turn(this, Optional.empty());
    }
}
