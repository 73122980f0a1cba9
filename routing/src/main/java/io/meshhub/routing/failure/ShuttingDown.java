package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;

/**
 * An activation at or past {@link RunLevel#QUIESCING} refuses; the address may reactivate.
 *
 * <p>Only an owner's activation says this. The wire code is {@link #CODE} when no handler was entered, {@link
 * #CODE_ENTERED} after one had been.
 */
public final class ShuttingDown extends MeshException {

    /** The wire code when nothing was executed: {@value}. */
    public static final int CODE = 5030;

    /** The wire code when a handler had been entered: {@value}. */
    public static final int CODE_ENTERED = 5031;

    /** Says so, with what is known. */
    public ShuttingDown(String message, FailureDetail detail) {
        super(detail.entered() ? CODE_ENTERED : CODE, message, detail);
    }

    /** The refusal of one activation, as people and peers without our codecs read it. */
    public static ShuttingDown refusal(MeshAddress address, ActivationId activation, RunLevel level, String node) {
        return new ShuttingDown(
                "Hub " + address + " is shutting down (runLevel=" + level + ", " + ActivationTag.render(activation)
                        + ", node=" + node + "); the address may reactivate",
                FailureDetail.about(address).of(activation, level).on(node));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.RIDE_OUT;
    }

    @Override
    public ShuttingDown withDetail(FailureDetail newDetail) {
        return new ShuttingDown(getMessage(), newDetail);
    }
}
