package io.meshhub.sync;

import io.meshhub.sync.protocol.LatchBudget;
import java.time.Duration;

/**
 * The bounds of a {@link SyncClient}, and of the owners of the same node.
 *
 * @param beatInterval how often a process and a node tell each other that streams are alive; a follower that is silent
 *     for three intervals is dropped
 * @param idleRelease how long a stream that nobody here watches any more is kept for the next one
 * @param resubscribesInFlight the most streams that look for their owners again at one time; at least 1
 * @param latch what a stream may spend on an owner that shuts down
 */
public record SyncOptions(Duration beatInterval, Duration idleRelease, int resubscribesInFlight, LatchBudget latch) {

    /** How often beats are sent: 45 s. */
    public static final Duration DEFAULT_BEAT_INTERVAL = Duration.ofSeconds(45);

    /** How long an idle stream is kept: 5 s. */
    public static final Duration DEFAULT_IDLE_RELEASE = Duration.ofSeconds(5);

    /** How many streams look for their owners at one time: 256. */
    public static final int DEFAULT_RESUBSCRIBES_IN_FLIGHT = 256;

    /** The bound after which the teardown of an owner is forced where nothing is set: 7.5 s. */
    public static final Duration DEFAULT_WATCHDOG = Duration.ofMillis(7500);

    private static final Duration SHORTEST_BEAT = Duration.ofMillis(10);

    public SyncOptions {
        if (beatInterval.compareTo(SHORTEST_BEAT) < 0) {
            throw new IllegalArgumentException(
                    "beatInterval = " + beatInterval.toMillis() + " ms must be >= " + SHORTEST_BEAT.toMillis() + " ms");
        }
        if (idleRelease.isNegative()) {
            throw new IllegalArgumentException("idleRelease = " + idleRelease + " must be >= 0");
        }
        if (resubscribesInFlight < 1) {
            throw new IllegalArgumentException("resubscribesInFlight = " + resubscribesInFlight + " must be >= 1");
        }
    }

    /** The bounds where nothing is set. */
    public static SyncOptions ofDefaults() {
        return of(LatchBudget.ofDefaults(DEFAULT_WATCHDOG));
    }

    /** The bounds where nothing else is set, for owners that are torn down within other bounds. */
    public static SyncOptions of(LatchBudget latch) {
        return new SyncOptions(DEFAULT_BEAT_INTERVAL, DEFAULT_IDLE_RELEASE, DEFAULT_RESUBSCRIBES_IN_FLIGHT, latch);
    }

    /** The same with another beat interval. */
    public SyncOptions withBeatInterval(Duration newInterval) {
        return new SyncOptions(newInterval, idleRelease, resubscribesInFlight, latch);
    }

    /** The same with another time for idle streams. */
    public SyncOptions withIdleRelease(Duration newRelease) {
        return new SyncOptions(beatInterval, newRelease, resubscribesInFlight, latch);
    }

    /** The same with another bound of streams that look for their owners at one time. */
    public SyncOptions withResubscribesInFlight(int newBound) {
        return new SyncOptions(beatInterval, idleRelease, newBound, latch);
    }
}
