package io.meshhub.hub;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A time that passes only when a test says so. */
final class ManualTime implements MeshClock, Pacer {

    private record Entry(long due, long order, Runnable action) {}

    private final List<Entry> entries = new ArrayList<>();
    private long now = 1_000_000_000L;
    private long order;

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public synchronized Instant now() {
        return Instant.EPOCH.plusNanos(now);
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable action) {
        Entry entry = new Entry(now + Math.max(0, delay.toNanos()), order++, action);
        entries.add(entry);
        return () -> {
            synchronized (this) {
                return entries.remove(entry);
            }
        };
    }

    /** What is due at or before that time, the earliest first. */
    synchronized Optional<Runnable> pollUntil(long until) {
        Optional<Entry> first = entries.stream()
                .filter(entry -> entry.due <= until)
                .min(Comparator.comparingLong(Entry::due).thenComparingLong(Entry::order));
        first.ifPresent(entry -> {
            entries.remove(entry);
            now = Math.max(now, entry.due);
        });
        return first.map(Entry::action);
    }

    synchronized void setTo(long time) {
        now = time;
    }

    /** How many actions wait. */
    synchronized int armed() {
        return entries.size();
    }
}
