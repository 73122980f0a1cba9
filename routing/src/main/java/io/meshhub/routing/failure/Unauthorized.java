package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/** The message carries no principal and needs one. */
public final class Unauthorized extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4010;

    /** Says so, with what is known. */
    public Unauthorized(String message, FailureDetail detail) {
        super(CODE, message, detail);
    }

    /** The address is closed to callers without a principal. */
    public static Unauthorized at(MeshAddress address, String node) {
        return new Unauthorized(
                "Address '" + address + "' is closed to callers without a principal",
                FailureDetail.about(address).on(node));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.STOP;
    }

    @Override
    public Unauthorized withDetail(FailureDetail newDetail) {
        return new Unauthorized(getMessage(), newDetail);
    }
}
