package io.meshhub.routing.spi;

import java.time.Instant;

/** The time, as a seam: monotonic for every wait, wall time only for records that people read. */
public interface MeshClock {

    /** Monotonic nanoseconds, comparable only with others of the same clock. */
    long nanoTime();

    /** The wall time; never compared with another machine's. */
    Instant now();

    /** The wall time in milliseconds; only differences on one machine mean anything. */
    default long wallMillis() {
        return now().toEpochMilli();
    }

    /** The clock of this machine. */
    static MeshClock system() {
        return SystemClock.INSTANCE;
    }
}
