package io.meshhub.routing.router;

import io.meshhub.routing.spi.Pacer;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Real time, on one thread and a wheel: a deadline for each message costs no timer of the event loop. Actions run up to
 * one tick (10 ms) late, and must not block.
 */
public final class WheelPacer implements Pacer, AutoCloseable {

    private static final long TICK_MS = 10;
    private static final int SLOTS = 1024;

    private final DefaultThreadFactory threads = new DefaultThreadFactory("mesh-pacer", true);
    private final HashedWheelTimer wheel =
            new HashedWheelTimer(this::onlyThread, TICK_MS, TimeUnit.MILLISECONDS, SLOTS);
    private volatile @Nullable Thread thread;

    /** Starts the thread. */
    public WheelPacer() {
        wheel.start();
    }

    private Thread onlyThread(Runnable work) {
        Thread made = threads.newThread(work);
        thread = made;
        return made;
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        Timeout timeout = wheel.newTimeout(due -> action.run(), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return timeout::cancel;
    }

    /** Ends the thread; what has not begun never runs. Also from an action, after which it then ends. */
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            // The wheel refuses to be stopped from its own thread, for which it waits.
            threads.newThread(wheel::stop).start();
        } else {
            wheel.stop();
        }
    }
}
