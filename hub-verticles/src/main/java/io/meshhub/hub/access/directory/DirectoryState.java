package io.meshhub.hub.access.directory;

import io.meshhub.hub.access.Key;
import io.meshhub.hub.access.Lookup;
import io.meshhub.hub.access.Lookup.Unavailable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the directory, and what is being done about it. A pure machine without a clock.
 *
 * <p>A look-up sees one state and answers from it at once. While it is not ready, or has failed, that is Unavailable:
 * so the re-open first takes readiness back, then clears the indexes, and only then the failure, and is seen through in
 * each of its steps.
 *
 * @param phase what is being done
 * @param opening the number of the last opening; what an older one tells is nothing
 * @param waiting how many wait for a snapshot
 * @param ready whether the identities are those of a snapshot of the last opening
 * @param failure what the last opening ended with
 */
record DirectoryState(
        Phase phase,
        long opening,
        int waiting,
        boolean ready,
        Identities identities,
        @Nullable Unavailable failure) {

    private static final Unavailable NOT_READ = new Unavailable(List.of(), "the directory is not read yet");

    /** What is being done. */
    enum Phase {
        /** Nobody has asked for it. */
        CLOSED,
        /** A query is open, and either told a snapshot or will. */
        OPEN,
        /** It failed, and rests. */
        RESTING,
        /** It failed, has rested, and is opened by the next who waits. */
        RESTED
    }

    /** Nobody has asked yet. */
    static final DirectoryState CLOSED = new DirectoryState(Phase.CLOSED, 0, 0, false, Identities.NONE, null);

    /** What happens. */
    sealed interface Event {
        /** Somebody waits who could not be answered at once. */
        record Waits() implements Event {}

        /** One who waited has given up. */
        record GaveUp() implements Event {}

        /** An opening told all identities as they are now. */
        record Told(long opening, Identities identities) implements Event {}

        /** An opening is over. */
        record Failed(long opening, Unavailable why) implements Event {}

        /** The rest after a failure is over. */
        record RestIsOver() implements Event {}
    }

    /** What is to be done. */
    sealed interface Command {
        /** Open the query. */
        record Open(long opening) implements Command {}

        /** Say when the rest is over. */
        record Rest() implements Command {}

        /** Answer all who wait, from the state. */
        record Release() implements Command {}
    }

    /**
     * What follows from an event.
     *
     * @param through each state in order, all of which are seen by look-ups; the last one is what it is now
     */
    record Turn(List<DirectoryState> through, List<Command> commands) {
        Turn {
            through = List.copyOf(through);
            commands = List.copyOf(commands);
        }

        DirectoryState last() {
            return through.get(through.size() - 1);
        }
    }

    /** Answers at once. */
    Lookup find(Key key) {
        if (failure != null) {
            return failure;
        }
        return ready ? identities.find(key) : NOT_READ;
    }

    /** Whether a look-up is answered from a snapshot. */
    boolean answers() {
        return ready && failure == null;
    }

    /** What follows. */
    Turn on(Event event) {
        if (event instanceof Event.Waits) {
            return waits();
        }
        if (event instanceof Event.GaveUp) {
            return stays(with(phase, Math.max(0, waiting - 1)));
        }
        if (event instanceof Event.Told told) {
            return told(told);
        }
        if (event instanceof Event.Failed failed) {
            return failed(failed);
        }
        if (phase != Phase.RESTING) {
            return stays(this);
        }
        return waiting > 0 ? open(with(Phase.RESTED, waiting)) : stays(with(Phase.RESTED, waiting));
    }

    private Turn waits() {
        if (answers()) {
            return new Turn(List.of(this), List.of(new Command.Release()));
        }
        DirectoryState more = with(phase, waiting + 1);
        return phase == Phase.CLOSED || phase == Phase.RESTED ? open(more) : stays(more);
    }

    private Turn told(Event.Told told) {
        if (phase != Phase.OPEN || told.opening() != opening) {
            return stays(this);
        }
        DirectoryState read = new DirectoryState(phase, opening, 0, true, told.identities(), null);
        return new Turn(List.of(read), List.of(new Command.Release()));
    }

    // Who waits goes on waiting: the end of one opening is no answer to whom the next one can answer.
    private Turn failed(Event.Failed failed) {
        if (phase != Phase.OPEN || failed.opening() != opening) {
            return stays(this);
        }
        DirectoryState ended = new DirectoryState(Phase.RESTING, opening, waiting, ready, identities, failed.why());
        return new Turn(List.of(ended), List.of(new Command.Rest()));
    }

    private static Turn open(DirectoryState from) {
        List<DirectoryState> through = new ArrayList<>();
        DirectoryState state = from;
        for (Step step : Step.values()) {
            state = step.of(state);
            through.add(state);
        }
        long next = from.opening + 1;
        through.add(new DirectoryState(Phase.OPEN, next, state.waiting, state.ready, state.identities, state.failure));
        return new Turn(through, List.of(new Command.Open(next)));
    }

    private static Turn stays(DirectoryState state) {
        return new Turn(List.of(state), List.of());
    }

    private DirectoryState with(Phase newPhase, int newWaiting) {
        return new DirectoryState(newPhase, opening, newWaiting, ready, identities, failure);
    }

    /** One step of the re-open, in their order. */
    enum Step {
        NOT_READY {
            @Override
            DirectoryState of(DirectoryState s) {
                return new DirectoryState(s.phase, s.opening, s.waiting, false, s.identities, s.failure);
            }
        },
        CLEAR_INDEXES {
            @Override
            DirectoryState of(DirectoryState s) {
                return new DirectoryState(s.phase, s.opening, s.waiting, s.ready, Identities.NONE, s.failure);
            }
        },
        CLEAR_FAILURE {
            @Override
            DirectoryState of(DirectoryState s) {
                return new DirectoryState(s.phase, s.opening, s.waiting, s.ready, s.identities, null);
            }
        };

        abstract DirectoryState of(DirectoryState s);
    }
}
