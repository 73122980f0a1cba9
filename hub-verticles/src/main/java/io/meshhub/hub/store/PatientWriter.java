package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * How a writing connection waits for a transaction of another process: it asks again every millisecond.
 *
 * <p>SQLite's own time-out asks ever less often, at last every 100 ms. A process that commits group after group leaves
 * the lock for a fraction of a millisecond at a time, so the other one would miss it for seconds.
 */
final class PatientWriter extends BusyHandler {

    private static final long PAUSE_NANOS = 1_000_000;

    private final MeshClock clock = MeshClock.system();
    private final long timeoutNanos;
    private long begun;

    PatientWriter(Duration timeout) {
        timeoutNanos = timeout.toNanos();
    }

    /** Called on the thread that waits, which serves nobody else. */
    @Override
    protected int callback(int asked) {
        long now = clock.nanoTime();
        if (asked == 0) {
            begun = now;
        }
        if (now - begun >= timeoutNanos) {
            return 0;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return 1;
    }
}
