package io.meshhub.hub.guard;

import java.time.Duration;

/** When it makes sense to come back to a hub that cannot take more, from what is known of it. */
public final class RetryHints {

    /** The least that is told, so that refused ones do not come back in the same moment. */
    public static final Duration LEAST = Duration.ofMillis(20);

    /** The most that is told. */
    public static final Duration MOST = Duration.ofSeconds(5);

    private RetryHints() {}

    /**
     * When half of a mailbox will have been handled, at its pace since it was last empty. As long as nothing was handled
     * at all, it may take as long again as it has taken already.
     */
    public static Duration ofMailbox(int depth, int handled, long busyNanos) {
        return clamped(handled == 0 ? busyNanos : Math.round((double) busyNanos / handled * Math.max(1, depth / 2)));
    }

    /** A start may take as long again as it has taken already. */
    public static Duration ofStart(Duration age) {
        return clamped(age.toNanos());
    }

    private static Duration clamped(long nanos) {
        return Duration.ofNanos(Math.max(LEAST.toNanos(), Math.min(MOST.toNanos(), nanos)));
    }
}
