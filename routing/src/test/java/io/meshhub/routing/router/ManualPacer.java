package io.meshhub.routing.router;

import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Runs what waits when a test moves the time, on the test's own thread, in the order in which it is due. */
final class ManualPacer implements Pacer {

    private record Timer(long dueNanos, long order, Runnable action) {}

    private static final Comparator<Timer> BY_TIME =
            Comparator.comparingLong(Timer::dueNanos).thenComparingLong(Timer::order);

    private final ManualClock clock;
    private final NavigableSet<Timer> timers = new ConcurrentSkipListSet<>(BY_TIME);
    private final AtomicLong order = new AtomicLong();

    ManualPacer(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        Timer timer = new Timer(clock.nanoTime() + Math.max(0, delay.toNanos()), order.incrementAndGet(), action);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Moves the time, and runs all that falls due on the way, each at its own time. */
    void advance(Duration by) {
        long end = clock.nanoTime() + by.toNanos();
        for (Optional<Timer> next = nextUntil(end); next.isPresent(); next = nextUntil(end)) {
            Timer timer = next.get();
            if (timers.remove(timer)) {
                clock.advanceTo(timer.dueNanos());
                timer.action().run();
            }
        }
        clock.advanceTo(end);
    }

    private Optional<Timer> nextUntil(long end) {
        return timers.stream().findFirst().filter(timer -> timer.dueNanos() <= end);
    }

    /** How many actions wait. */
    int pending() {
        return timers.size();
    }
}
