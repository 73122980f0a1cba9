package io.meshhub.hub.guard;

import java.time.Duration;

/**
 * When a hub counts as one that harms others.
 *
 * @param stormPerSecond the most messages of one type to one address in a second before that key is refused; 0 switches
 *     the guard off
 * @param blockedAfter a loop without progress for so long counts as blocked; at least 100 ms. It should stay below the
 *     disposal watchdog, so that who blocks is known before anybody waits for its end in vain
 */
public record GuardOptions(int stormPerSecond, Duration blockedAfter) {

    /** Far above what one hub can handle: 200,000 per second. */
    public static final int DEFAULT_STORM_PER_SECOND = 200_000;

    /** Longer than any pause that passes by itself, and below the disposal watchdog of 7.5 s: 5 s. */
    public static final Duration DEFAULT_BLOCKED_AFTER = Duration.ofSeconds(5);

    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MAX_PERIOD = Duration.ofSeconds(1);

    public GuardOptions {
        if (stormPerSecond < 0) {
            throw new IllegalArgumentException("stormPerSecond = " + stormPerSecond + " must be >= 0");
        }
        if (blockedAfter.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "blockedAfter = " + blockedAfter.toMillis() + " ms must be >= " + LEAST.toMillis() + " ms");
        }
    }

    /** The bounds where nothing is set. */
    public static GuardOptions ofDefaults() {
        return new GuardOptions(DEFAULT_STORM_PER_SECOND, DEFAULT_BLOCKED_AFTER);
    }

    /** How often the loops are looked at: a fifth of the bound, at most 1 s. */
    public Duration period() {
        Duration fifth = blockedAfter.dividedBy(5);
        return fifth.compareTo(MAX_PERIOD) < 0 ? fifth : MAX_PERIOD;
    }
}
