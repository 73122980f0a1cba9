package io.meshhub.routing.router;

import io.meshhub.routing.spi.MeshClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. */
final class ManualClock implements MeshClock {

    private final AtomicLong nanos = new AtomicLong(1_000_000_000L);

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(0, nanos.get());
    }

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    void advanceTo(long nanoTime) {
        nanos.accumulateAndGet(nanoTime, Math::max);
    }
}
