package io.meshhub.it;

import io.meshhub.routing.spi.MeshMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** When a node counted what, in nanoseconds. */
final class SyncCounts implements MeshMetrics {

    private final Map<String, List<Long>> times = new ConcurrentHashMap<>();

    @Override
    public void count(String name, String... tags) {
        if (name.startsWith("sync.")) {
            times.computeIfAbsent(name, absent -> new CopyOnWriteArrayList<>()).add(System.nanoTime());
        }
    }

    @Override
    public void time(String name, Duration duration, String... tags) {}

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {}

    int of(String name) {
        return times.getOrDefault(name, List.of()).size();
    }

    /** The times after the first so many. */
    List<Long> since(String name, int first) {
        List<Long> all = List.copyOf(times.getOrDefault(name, List.of()));
        return all.subList(first, all.size());
    }
}
