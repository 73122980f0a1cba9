package io.meshhub.hub.launcher.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when a refused line is sent again. A put of a whole document may be repeated, so only what repeating
 * cannot cure ends it.
 *
 * @param bound how long a line is ridden out, counted from its first attempt
 */
record ImportRetry(Duration bound) {

    /** Where nothing is set: 60 s, longer than a planned move and a detected loss take. */
    static final ImportRetry DEFAULT = new ImportRetry(Duration.ofSeconds(60));

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int DOUBLINGS = 4;

    /**
     * The pause before the next attempt; empty when there is none.
     *
     * @param attempts the attempts made, 1 or more
     * @param elapsed since the first attempt
     */
    Optional<Duration> pause(CallFailure failure, int attempts, Duration elapsed) {
        boolean curable =
                switch (failure.remedy()) {
                    case "RIDE_OUT", "RETRY_LATER", "RETRY_IF_IDEMPOTENT" -> true;
                    default -> false;
                };
        if (!curable) {
            return Optional.empty();
        }
        Duration doubled = FIRST.multipliedBy(1L << Math.min(attempts - 1, DOUBLINGS));
        Duration own = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        Duration pause = failure.retryAfter().orElse(own);
        return elapsed.plus(pause).compareTo(bound) > 0 ? Optional.empty() : Optional.of(pause);
    }
}
