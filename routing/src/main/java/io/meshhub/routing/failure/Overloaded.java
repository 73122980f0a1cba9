package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import java.time.Duration;

/**
 * A mailbox, a start-up queue or an in-flight bound is reached; nothing was executed.
 *
 * <p>The wire code is {@link #CODE}, or {@link #CODE_ENTERED} when it leaves a handler that met it on its own way: then
 * work may have been done.
 */
public final class Overloaded extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4290;

    /** The wire code when a handler had been entered: {@value}. */
    public static final int CODE_ENTERED = 4291;

    /** Says so, with what is known. */
    public Overloaded(String message, FailureDetail detail) {
        super(detail.entered() ? CODE_ENTERED : CODE, message, detail);
    }

    /** The named bound was reached with so many waiting. */
    public static Overloaded at(MeshAddress address, String node, String bound, long observed, Duration retryAfter) {
        return new Overloaded(
                "Hub " + address + " cannot take more (" + bound + "=" + observed + ", node=" + node
                        + "); nothing was executed, retry in " + retryAfter.toMillis() + " ms",
                FailureDetail.about(address).on(node).retryAfter(retryAfter));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.RETRY_LATER;
    }

    @Override
    public Overloaded withDetail(FailureDetail newDetail) {
        return new Overloaded(getMessage(), newDetail);
    }
}
