package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import java.util.OptionalInt;

/** The address, the headers or the body are malformed, or the body is over its bound. */
public final class Rejected extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4000;

    private final int position;

    /**
     * Says so, with what is known.
     *
     * @param position where the fault is, counted in characters from 0; negative when it has no place
     */
    public Rejected(String message, FailureDetail detail, int position) {
        super(CODE, message, detail);
        this.position = position;
    }

    /** A malformed address. */
    public static Rejected address(String text, int position, String message) {
        return new Rejected(message, FailureDetail.about(text), position);
    }

    /** A message to this address that cannot be taken, for the reason given. */
    public static Rejected message(MeshAddress address, String reason) {
        return new Rejected("Message to '" + address + "' was rejected: " + reason, FailureDetail.about(address), -1);
    }

    /** Where the fault is, counted in characters from 0. */
    public OptionalInt position() {
        return position < 0 ? OptionalInt.empty() : OptionalInt.of(position);
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.STOP;
    }

    @Override
    public Rejected withDetail(FailureDetail newDetail) {
        return new Rejected(getMessage(), newDetail, position);
    }
}
