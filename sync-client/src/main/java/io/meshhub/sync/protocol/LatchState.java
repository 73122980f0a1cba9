package io.meshhub.sync.protocol;

import io.meshhub.routing.RideOutBudget.Axis;
import java.util.Optional;
import java.util.OptionalLong;

/** How a stream stands, for people. */
public sealed interface LatchState {

    /** Why a stream is dormant or has ended. */
    enum Reason {
        /** The address does not exist. */
        NOT_FOUND,
        /** The owner kept refusing past a bound. */
        GAVE_UP,
        /** The subscribe is not allowed, or not understood. */
        REFUSED,
        /** The subscribe failed otherwise. */
        FAILED,
        /** Nobody watches any more. */
        DISPOSED
    }

    /** The owner was asked and has not answered yet. */
    record Connecting() implements LatchState {}

    /** The owner holds the subscription, as far as is known. */
    record Live() implements LatchState {}

    /**
     * The owner refuses for now.
     *
     * @param axis to which the last refusal was charged; empty when to neither
     * @param attempt the number of the attempt that is made or comes next, from the last success on
     * @param observed what that axis was charged with so far: activations that refused, or repeats of one; 0 for neither
     * @param allowed how much of that it bears; 0 for neither
     * @param nextAtNanos when it comes; empty when it is being made or waits for a disposal
     */
    record RidingOut(Optional<Axis> axis, int attempt, int observed, int allowed, OptionalLong nextAtNanos)
            implements LatchState {}

    /** Nothing is tried until there is word of the address. */
    record Dormant(Reason reason) implements LatchState {}

    /** Over for good. */
    record Ended(Reason reason) implements LatchState {}
}
