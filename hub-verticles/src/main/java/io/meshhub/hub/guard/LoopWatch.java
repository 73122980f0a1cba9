package io.meshhub.hub.guard;

import org.jspecify.annotations.Nullable;

/**
 * Whether one loop makes progress: a state machine without a clock; immutable.
 *
 * <p>It is looked at again and again. A look at which the loop has done nothing since the last one adds the time between
 * them, but never more than is usual between two looks: when the whole process stood still, no loop is to blame.
 *
 * @param stalledNanos for how long it has made no progress
 * @param blocked whether it counts as blocked
 * @param running what ran at the last look; null when that is not known
 */
public record LoopWatch(
        long stalledNanos, boolean blocked, @Nullable Object running) {

    /** All is well. */
    public static final LoopWatch MOVING = new LoopWatch(0, false, null);

    /** What a look shows. */
    public enum Finding {
        /** Nothing new. */
        NONE,
        /** It counts as blocked from now on. */
        BLOCKED,
        /** It was blocked, and goes on. */
        FREED
    }

    /** What comes of a look. */
    public record Step(LoopWatch next, Finding finding) {}

    /**
     * A look.
     *
     * @param sinceLast the time since the last look
     * @param period the usual time between two looks
     * @param answered whether what was asked of the loop at the last look has been done
     * @param runningNow what runs now; null when that is not known
     * @param limit from which time without progress on it counts as blocked
     */
    public Step look(long sinceLast, long period, boolean answered, @Nullable Object runningNow, long limit) {
        if (answered || runningNow != running) {
            return new Step(new LoopWatch(0, false, runningNow), blocked ? Finding.FREED : Finding.NONE);
        }
        long stalled = stalledNanos + Math.min(Math.max(0, sinceLast), 2 * period);
        boolean over = stalled >= limit;
        return new Step(
                new LoopWatch(stalled, blocked || over, runningNow), over && !blocked ? Finding.BLOCKED : Finding.NONE);
    }
}
