package io.meshhub.routing.router;

import java.time.Duration;

/**
 * How fast a bounded queue empties, as seen whenever somebody is refused at it: from that comes when asking again makes
 * sense. Costs nothing while nobody is refused. Safe from any thread; no clock.
 */
final class DrainRate {

    /** Where nothing was seen yet. */
    static final Duration FIRST = Duration.ofMillis(100);

    /** The least that is told, so that refused ones do not come back in the same moment. */
    static final Duration LEAST = Duration.ofMillis(20);

    /** The most that is told. */
    static final Duration MOST = Duration.ofSeconds(5);

    // A sample is looked back at for so long: what was long ago says nothing of now.
    private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

    private boolean sampled;
    private long sampleNanos;
    private long sampleDone;
    private Duration last = FIRST;

    /**
     * When half of what waits will have gone, at the pace seen of late.
     *
     * @param waiting how many wait
     * @param done how many have gone in all
     */
    synchronized Duration retryAfter(long waiting, long done, long nowNanos) {
        if (!sampled || nowNanos - sampleNanos > 10 * WINDOW_NANOS) {
            sampled = true;
            sample(nowNanos, done);
            return last;
        }
        long elapsed = nowNanos - sampleNanos;
        if (elapsed < LEAST.toNanos()) {
            return last;
        }
        long gone = done - sampleDone;
        // Nothing has gone: it may take as long again as it has taken already.
        double nanos = gone <= 0 ? (double) elapsed : (double) elapsed / gone * Math.max(1, waiting / 2);
        last = Duration.ofNanos(Math.max(LEAST.toNanos(), Math.min(MOST.toNanos(), Math.round(nanos))));
        if (elapsed > WINDOW_NANOS && gone > 0) {
            sample(nowNanos, done);
        }
        return last;
    }

    private void sample(long nowNanos, long done) {
        sampleNanos = nowNanos;
        sampleDone = done;
    }
}
