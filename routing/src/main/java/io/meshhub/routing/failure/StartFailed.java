package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;

/** The start of the hub failed; later messages get this at once until a back-off ends. */
public final class StartFailed extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5001;

    private final String causeType;
    private final String causeMessage;

    /**
     * Says so, with what is known.
     *
     * @param causeType the class name of the cause, or a word for it
     * @param causeMessage its message
     */
    public StartFailed(String message, FailureDetail detail, String causeType, String causeMessage) {
        super(CODE, message, detail);
        this.causeType = causeType;
        this.causeMessage = causeMessage;
    }

    /** The start of the hub at the address failed with the cause. */
    public static StartFailed of(MeshAddress address, FailureDetail detail, Throwable cause) {
        String type = cause.getClass().getName();
        String text = String.valueOf(cause.getMessage());
        return new StartFailed(
                "Hub " + address + detail.inBrackets() + " could not start: " + type + ": " + text, detail, type, text);
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
    public StartFailed withDetail(FailureDetail newDetail) {
        return new StartFailed(getMessage(), newDetail, causeType, causeMessage);
    }
}
