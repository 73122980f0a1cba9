package io.meshhub.query.gate;

import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.List;

/** What an {@link InitialGate} wants to be done next. */
public sealed interface GateCommand {

    /** Say {@link GateEvent.TimedOut} then. */
    record Arm(long untilNanos) implements GateCommand {}

    /** Never say it: the timer that was armed is to be taken back. */
    record Disarm() implements GateCommand {}

    /** Open the provider; what it says names this ask. */
    record Open(String provider, int ask) implements GateCommand {}

    /** Say {@link GateEvent.RetryDue} for this ask after the rest. */
    record Rest(String provider, int ask, Duration rest) implements GateCommand {}

    /** Never say it. */
    record DropRest(String provider) implements GateCommand {}

    /** Close the call of this ask: nobody listens to it any more. */
    record Close(String provider, int ask) implements GateCommand {}

    /** One of these, exactly once unless nobody waits any more, ends the gate. */
    sealed interface Outcome extends GateCommand {

        /** How the providers are counted in it. */
        ProviderCounts counts();
    }

    /**
     * All have spoken: show the merged first results.
     *
     * @param silent those that completed without a first result, in the order in which they were given
     */
    record Emit(List<String> silent, ProviderCounts counts) implements Outcome {
        public Emit {
            silent = List.copyOf(silent);
        }
    }

    /**
     * Fail with a provider's own error.
     *
     * @param givenUp those that had not spoken when it failed; they are counted as failed, and blamed for nothing
     */
    record Fail(String provider, Throwable cause, List<String> givenUp, ProviderCounts counts) implements Outcome {
        public Fail {
            givenUp = List.copyOf(givenUp);
        }
    }

    /** Fail, and name all that said nothing within the rung. */
    record Stalled(List<Stall> stalls, ProviderCounts counts) implements Outcome {
        public Stalled {
            stalls = List.copyOf(stalls);
        }
    }
}
