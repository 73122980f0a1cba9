package io.meshhub.routing.spi;

import java.time.Instant;

/** The clock of this machine. */
enum SystemClock implements MeshClock {
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
