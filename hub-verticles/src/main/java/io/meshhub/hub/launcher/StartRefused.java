package io.meshhub.hub.launcher;

/** The node does not start for a reason that its operator can cure; the message is the one line that says it all. */
public final class StartRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With that line, without a full stop. */
    public StartRefused(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
