package io.meshhub.routing.spi;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.MeshException;

/**
 * One message that has reached its owner, and the way of its one answer back.
 *
 * <p>Whoever holds a delivery ends it exactly once, with {@link #reply} or {@link #fail}; what comes after the end, or
 * after the deadline, is ignored. All calls are safe from any thread.
 */
public interface Delivery {

    /** The message. */
    Envelope envelope();

    /** When the message's time is over, on the {@link MeshClock} of this node. */
    long deadlineNanos();

    /** Whether an answer was given, or the deadline passed: then there is nothing left to do. */
    boolean isEnded();

    /**
     * The activation has taken the message: from here on it may be executed. Ends the delivery of a {@code send}; a
     * request goes on to its reply.
     */
    void accepted(ActivationId activation);

    /** Ends the delivery with a reply of that activation. */
    void reply(MeshBody body, ActivationId activation);

    /** Ends the delivery with a failure. */
    void fail(MeshException failure);

    /**
     * What to say for the owner should the deadline pass: a fresh {@link
     * io.meshhub.routing.failure.DeadlineExceeded}. The last one given is asked, on any thread.
     */
    void describedBy(java.util.function.Supplier<MeshException> atDeadline);
}
