package io.meshhub.testkit;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The time of a node that passes only when the test says so: deadlines, the rests of riders, idle time-outs, timers of
 * {@link io.meshhub.hub.HubSetup#every} and watchdogs. It begins on the 1st of January 2026 in each test.
 *
 * <p>Timers of Vert.x itself, and what runs on worker threads, keep real time.
 */
public final class MeshTime {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final int ROUNDS = 4;
    private static final Duration TURN_BOUND = Duration.ofSeconds(10);

    private record Entry(long due, long order, Runnable action) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::due).thenComparingLong(Entry::order));
    private long now = 1_000_000_000L;
    private long order;
    private volatile @Nullable VertxInternal vertx;

    MeshTime() {}

    /** The time as a node reads it. */
    MeshClock clock() {
        return new MeshClock() {
            @Override
            public long nanoTime() {
                return nanos();
            }

            @Override
            public Instant now() {
                return MeshTime.this.now();
            }
        };
    }

    Pacer pacer() {
        return this::after;
    }

    void runsOn(Vertx newVertx) {
        vertx = (VertxInternal) newVertx;
    }

    private synchronized long nanos() {
        return now;
    }

    private synchronized Pacer.Cancellable after(Duration delay, Runnable action) {
        Entry entry = new Entry(now + Math.max(0, delay.toNanos()), order++, action);
        entries.add(entry);
        return () -> take(entry);
    }

    private synchronized boolean take(Entry entry) {
        return entries.remove(entry);
    }

    /** The wall time of the node. */
    public synchronized Instant now() {
        return BEGIN.plusNanos(now);
    }

    /**
     * Lets that much time pass. All that is due on the way is done, the earliest first, each at its own moment, and the
     * event loops do what follows from it before the next. Called on the thread of the test.
     *
     * @param duration zero lets the loops do what was posted to them, and nothing else
     * @throws IllegalArgumentException when it is negative
     * @throws IllegalStateException on a thread of Vert.x, or when a loop makes no progress for 10 s
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration = " + duration + " must be >= 0");
        }
        Patience.notOnALoop();
        settle();
        long until = nanos() + duration.toNanos();
        Optional<Runnable> due = poll(until);
        while (due.isPresent()) {
            due.get().run();
            settle();
            due = poll(until);
        }
        setTo(until);
        settle();
    }

    private synchronized void setTo(long time) {
        now = Math.max(now, time);
    }

    private synchronized Optional<Runnable> poll(long until) {
        Entry first = entries.peek();
        if (first == null || first.due > until) {
            return Optional.empty();
        }
        entries.remove();
        now = Math.max(now, first.due);
        return Optional.of(first.action);
    }

    // What one loop posts to another is done in a later round.
    private void settle() {
        VertxInternal on = vertx;
        if (on == null) {
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            on.nettyEventLoopGroup().forEach(loop -> {
                try {
                    loop.submit(() -> {}).get(TURN_BOUND.toMillis(), TimeUnit.MILLISECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    throw new IllegalStateException(
                            "an event loop made no progress for " + TURN_BOUND.toMillis() + " ms: it is blocked", e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("the test was interrupted while time passed", e);
                }
            });
        }
    }

    /** What waits for its time, counted by the class that wants it. */
    synchronized Map<String, Integer> armed() {
        Map<String, Integer> armed = new HashMap<>();
        entries.forEach(entry -> armed.merge(Origin.of(entry.action.getClass()), 1, Integer::sum));
        return new TreeMap<>(armed);
    }
}
