package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/** The handler threw, or its future failed; the next message is handled. */
public final class HandlerFailed extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5000;

    private final String causeType;
    private final String causeMessage;

    /**
     * Says so, with what is known.
     *
     * @param causeType the class name of the cause, or a word for it
     * @param causeMessage its message
     */
    public HandlerFailed(String message, FailureDetail detail, String causeType, String causeMessage) {
        super(CODE, message, detail);
        this.causeType = causeType;
        this.causeMessage = causeMessage;
    }

    /** The handler of the type at the address failed with the cause. */
    public static HandlerFailed of(MeshAddress address, String type, FailureDetail detail, Throwable cause) {
        String causeType = cause.getClass().getName();
        String text = String.valueOf(cause.getMessage());
        return new HandlerFailed(
                "Handler of '" + type + "' at hub " + address + detail.inBrackets() + " failed: " + causeType + ": "
                        + text,
                detail.enter(),
                causeType,
                text);
    }

    /** The class name of the cause, or a word for it. */
    public String causeType() {
        return causeType;
    }

    /** The message of the cause. */
    public String causeMessage() {
        return causeMessage;
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.REPORT;
    }

    @Override
    public HandlerFailed withDetail(FailureDetail newDetail) {
        return new HandlerFailed(getMessage(), newDetail, causeType, causeMessage);
    }
}
