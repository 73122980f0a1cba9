package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.failure.MeshException;

/** What can happen to a {@link Latch}; times are in nanoseconds of one monotonic clock. */
public sealed interface LatchEvent {

    /** A sign that the subscription no longer stands. */
    sealed interface Trigger extends LatchEvent {
        long now();
    }

    /** The owner says that this activation disposes. */
    record Goodbye(ActivationId activation, long now) implements Trigger {}

    /** The owner's node was lost, or left. */
    record NodeLost(long now) implements Trigger {}

    /** A beat was answered that the owner does not hold the stream. */
    record UnknownHere(long now) implements Trigger {}

    /**
     * The change feed announces a version.
     *
     * @param received the highest version that the stream has received
     */
    record Announced(long version, long received, long now) implements Trigger {}

    /** A frame did not follow the one before it. */
    record Gap(long now) implements Trigger {}

    /**
     * A subscribe was answered with a failure.
     *
     * @param attempt the {@linkplain LatchCommand.Ask attempt} that it answers; {@link Latch#STRAY} when it answers
     *     none of this latch
     * @param local whether the activation that refused lives in this process
     * @param jitter where in its spread a rest shall lie, from 0 to 1
     */
    record Refused(int attempt, MeshException failure, boolean local, double jitter, long now) implements LatchEvent {
        public Refused {
            if (!(jitter >= 0 && jitter <= 1)) {
                throw new IllegalArgumentException("jitter = " + jitter + " must be between 0 and 1");
            }
        }
    }

    /** A subscribe was accepted by this activation. */
    record Subscribed(int attempt, ActivationId activation, long now) implements LatchEvent {}

    /**
     * The rest is over.
     *
     * @param received the highest version that the stream has received
     */
    record Rested(long received, long now) implements LatchEvent {}

    /** An activation in this process has completed its disposal. */
    record LocalDisposed(ActivationId activation, long now) implements LatchEvent {}

    /** The address was created, has a version that the stream lacks, or was released. */
    record Wake(long now) implements LatchEvent {}

    /** Nobody watches any more. */
    record Dispose() implements LatchEvent {}
}
