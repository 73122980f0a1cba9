package io.meshhub.routing.router;

import io.meshhub.routing.spi.Pacer;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Real time, on one thread and a wheel: a deadline for each message costs no timer of the event loop. Actions run up to
 * one tick (10 ms) late, and must not block.
 */
public final class WheelPacer implements Pacer, AutoCloseable {

    private static final long TICK_MS = 10;
    private static final int SLOTS = 1024;

    private final HashedWheelTimer wheel =
            new HashedWheelTimer(new DefaultThreadFactory("mesh-pacer", true), TICK_MS, TimeUnit.MILLISECONDS, SLOTS);

    /** Starts the thread. */
    public WheelPacer() {
        wheel.start();
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        Timeout timeout = wheel.newTimeout(due -> action.run(), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return timeout::cancel;
    }

    /** Ends the thread; what has not begun never runs. */
    @Override
    public void close() {
        wheel.stop();
    }
}
