package io.meshhub.routing.failure;

import io.meshhub.routing.MeshAddress;
import org.jspecify.annotations.Nullable;

/** The expected version differs from the current one, which this failure carries. */
public final class Conflict extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 4090;

    private final long currentVersion;

    /**
     * Says so, with what is known.
     *
     * @param currentVersion the version that stands; 0 when nothing does
     */
    public Conflict(String message, FailureDetail detail, long currentVersion) {
        super(CODE, message, detail);
        this.currentVersion = currentVersion;
    }

    /** The node at the address has another version than the writer expected. */
    public static Conflict at(MeshAddress address, @Nullable String node, long expected, long current) {
        String wanted = expected == 0 ? "expected not to exist" : "expected at version " + expected;
        String found = current == 0 ? "does not exist" : "has version " + current;
        return new Conflict(
                "Node '" + address + "' " + found + " and was " + wanted + "; nothing was written",
                FailureDetail.about(address).on(node),
                current);
    }

    /** The version that stands; 0 when nothing does. */
    public long currentVersion() {
        return currentVersion;
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.REPORT;
    }

    @Override
    public Conflict withDetail(FailureDetail newDetail) {
        return new Conflict(getMessage(), newDetail, currentVersion);
    }
}
