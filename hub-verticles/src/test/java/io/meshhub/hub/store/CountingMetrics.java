package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Counts by name and tags. */
final class CountingMetrics implements MeshMetrics {

    private final Map<String, Long> counts = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();

    @Override
    public void count(String name, String... tags) {
        counts.merge(key(name, tags), 1L, Long::sum);
    }

    @Override
    public void time(String name, Duration duration, String... tags) {
        counts.merge(key(name, tags), 1L, Long::sum);
    }

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {
        gauges.put(key(name, tags), value);
    }

    long counted(String key) {
        return counts.getOrDefault(key, 0L);
    }

    long gauged(String key) {
        return gauges.get(key).getAsLong();
    }

    private static String key(String name, String... tags) {
        return tags.length == 0 ? name : name + " " + String.join("=", tags);
    }
}
