package io.meshhub.cluster;

/** A node that does not fit to the live ones: its message is one line that says why, for whoever runs it. */
public final class JoinRefused extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    JoinRefused(String message) {
        super(message);
    }
}
