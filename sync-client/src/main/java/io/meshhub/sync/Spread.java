package io.meshhub.sync;

import java.time.Duration;

/**
 * How long a stream that lost its node with others waits before it looks for its owner, so that all processes that followed
 * there are no storm for the nodes that take over. Without a clock: chance is given.
 */
final class Spread {

    /** So many streams wait for nothing. */
    static final int FEW = 16;

    /** How much time there is for each of more: 100 us. */
    static final Duration PER_STREAM = Duration.ofNanos(100_000);

    /** The longest time, however many there are: 1 s. */
    static final Duration LONGEST = Duration.ofSeconds(1);

    private Spread() {}

    /**
     * The wait of one stream.
     *
     * @param streams how many lost the node, in this process
     * @param chance where in the time for all of them it lies, from 0 to below 1
     */
    static Duration delay(int streams, double chance) {
        if (!(chance >= 0 && chance < 1)) {
            throw new IllegalArgumentException("chance = " + chance + " must be >= 0 and < 1");
        }
        if (streams <= FEW) {
            return Duration.ZERO;
        }
        long window = Math.min(LONGEST.toNanos(), streams * PER_STREAM.toNanos());
        return Duration.ofNanos((long) (chance * window));
    }
}
