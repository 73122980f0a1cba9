package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import java.time.Duration;

/** A mailbox, a start-up queue or an in-flight bound is reached; nothing was executed. */
public final class Overloaded extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4290;

    /** Says so, with what is known. */
    public Overloaded(String message, FailureDetail detail) {
        super(CODE, message, detail);
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
