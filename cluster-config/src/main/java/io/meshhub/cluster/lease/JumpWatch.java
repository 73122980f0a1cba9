package io.meshhub.cluster.lease;

import io.meshhub.routing.spi.MeshClock;

/**
 * Tells when the wall clock has run ahead of the monotonic one: a machine that slept may have a monotonic clock that slept
 * with it. Read by any thread, followed by one.
 */
public final class JumpWatch {

    // Half of what the others wait beyond a lease: the other half is for clocks that merely run at other rates.
    private static final long JUMP_MILLIS = Quorum.MARGIN.toMillis() / 2;

    private final MeshClock clock;
    private volatile long ahead;

    /** Begins at that monotonic time, in nanoseconds. */
    public JumpWatch(MeshClock clock, long now) {
        this.clock = clock;
        this.ahead = ahead(now);
    }

    /** Whether the wall clock is further ahead at that monotonic time than when it was last followed. */
    public boolean jumped(long now) {
        return ahead(now) - ahead > JUMP_MILLIS;
    }

    /** Follows the wall clock as slowly as it is slewed, so that many short sleeps add up to a jump. */
    public void follow(long now) {
        long next = ahead(now);
        ahead = next < ahead || jumped(now) ? next : Math.min(next, ahead + 1);
    }

    private long ahead(long now) {
        return clock.wallMillis() - now / 1_000_000;
    }
}
