package io.meshhub.sync;

import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.failure.MeshException;
import java.time.Instant;
import java.util.Optional;

/** How a {@link SyncStream} stands. */
public sealed interface SyncState {

    /** Why a stream is dormant or has ended. */
    enum Reason {
        /** The address does not exist. */
        NOT_FOUND,
        /** The owner kept refusing past a bound. */
        GAVE_UP,
        /** To follow it is not allowed, or not understood. */
        REFUSED,
        /** It failed otherwise. */
        FAILED,
        /** The owner's state is final; the stream keeps it. */
        COMPLETED,
        /** It was closed here. */
        CLOSED
    }

    /** The owner was asked, and has not sent its state yet. */
    record Connecting() implements SyncState {}

    /** The value is the owner's, as far as is known. */
    record Live() implements SyncState {}

    /**
     * The owner refuses for now, has let the stream go, or left a beat unanswered, and is asked again; the value is the
     * last one known.
     *
     * @param axis the bound to which the last refusal was charged; empty when to none
     * @param attempt the number of the attempt that is made or comes next, since the stream was live; the first one is
     *     that of an owner that let go, or the next beat where the owner was only silent
     * @param observed what that axis was charged with so far: activations that refused, or repeats of one; 0 for neither
     * @param allowed how much of that it bears before the stream is dormant; 0 for neither
     * @param nextAt when it comes; empty when it is being made, or waits for the end of a disposal
     * @param why what the owner said last, for people
     */
    record RidingOut(Optional<Axis> axis, int attempt, int observed, int allowed, Optional<Instant> nextAt, String why)
            implements SyncState {}

    /** Nothing is tried until there is news of the address; the value is the last one known. */
    record Dormant(Reason reason) implements SyncState {}

    /**
     * Over for good; the value is the last one known.
     *
     * @param cause the failure that ended it; empty when none did
     */
    record Ended(Reason reason, Optional<MeshException> cause) implements SyncState {}
}
