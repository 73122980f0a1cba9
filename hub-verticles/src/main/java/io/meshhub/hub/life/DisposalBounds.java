package io.meshhub.hub.life;

import java.time.Duration;

/**
 * The time that one disposal has; those of hosted hubs are derived from their host's, and are strictly smaller.
 *
 * @param quiesce for what is running, and for requests of the hub itself; positive
 * @param watchdog until the disposal is forced; above {@code quiesce}
 */
public record DisposalBounds(Duration quiesce, Duration watchdog) {

    public DisposalBounds {
        if (quiesce.isNegative() || quiesce.isZero()) {
            throw new IllegalArgumentException("quiesce = " + quiesce.toMillis() + " ms must be > 0 ms");
        }
        if (watchdog.compareTo(quiesce) <= 0) {
            throw new IllegalArgumentException("disposalWatchdog = " + watchdog.toMillis()
                    + " ms must be above quiesce = " + quiesce.toMillis() + " ms");
        }
    }

    /**
     * Until the dispose actions of a host are no longer waited for: half of what is left after quiescing, so that the
     * hosted hubs have the other half.
     */
    public Duration actions() {
        return quiesce.plus(watchdog.minus(quiesce).dividedBy(2));
    }

    /**
     * The bounds of a hub whose host has so much time left: three quarters of it, and at most half of that for
     * quiescing.
     *
     * @param remaining of the host's own bound; what is below a microsecond counts as one
     */
    public DisposalBounds within(Duration remaining) {
        Duration least = Duration.ofNanos(1_000);
        Duration left = remaining.compareTo(least) < 0 ? least : remaining;
        Duration forced = left.multipliedBy(3).dividedBy(4);
        Duration half = forced.dividedBy(2);
        return new DisposalBounds(quiesce.compareTo(half) < 0 ? quiesce : half, forced);
    }

    /** The most that an orderly end takes, with the time that its answers need to leave. */
    public Duration handOver() {
        return quiesce.plus(watchdog);
    }
}
