package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/** It is known that the principal may not do this. */
public final class Forbidden extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4030;

    /** Says so, with what is known. */
    public Forbidden(String message, FailureDetail detail) {
        super(CODE, message, detail);
    }

    /** The principal lacks the permission at the address. */
    public static Forbidden at(MeshAddress address, String permission, String node) {
        return new Forbidden(
                "The principal lacks permission '" + permission + "' at '" + address + "'",
                FailureDetail.about(address).on(node));
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.STOP;
    }

    @Override
    public Forbidden withDetail(FailureDetail newDetail) {
        return new Forbidden(getMessage(), newDetail);
    }
}
