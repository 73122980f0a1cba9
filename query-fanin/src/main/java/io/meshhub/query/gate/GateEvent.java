package io.meshhub.query.gate;

import java.util.Set;

/**
 * What can happen to an {@link InitialGate}; times are in nanoseconds of one monotonic clock. What names an ask that is
 * not the provider's present one changes nothing.
 */
public sealed interface GateEvent {

    /** The providers may be asked now; the rung begins. */
    record Opened(long now) implements GateEvent {}

    /** The provider is elsewhere, and nothing was heard of it so far. */
    record OnItsWay(String provider, int ask) implements GateEvent {}

    /** The place where the provider is has heard that it is asked. */
    record Reached(String provider, int ask) implements GateEvent {}

    /** The provider has its thread or connection: from now on it is its own time that passes. */
    record Started(String provider, int ask, long now) implements GateEvent {}

    /** The provider gave its first result. */
    record First(String provider, int ask, long now) implements GateEvent {}

    /** The provider will say nothing more. */
    record Completed(String provider, int ask, long now) implements GateEvent {}

    /**
     * The provider ended with a failure.
     *
     * @param connectionFault whether it was not reached at all, so that it may be asked again
     */
    record Failed(String provider, int ask, Throwable cause, boolean connectionFault, long now) implements GateEvent {}

    /** What these providers gave does not do: they are to be asked again, whatever they said. */
    record AskAgain(Set<String> providers, long now) implements GateEvent {
        public AskAgain {
            providers = Set.copyOf(providers);
        }
    }

    /** The rest before an ask is over. */
    record RetryDue(String provider, int ask, long now) implements GateEvent {}

    /** The rung is over. */
    record TimedOut(long now) implements GateEvent {}

    /** Nobody waits any more. */
    record Cancelled(long now) implements GateEvent {}
}
