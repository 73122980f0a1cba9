package io.meshhub.routing.router;

import io.meshhub.routing.spi.MeshMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Remembers how often each name was counted. */
final class CountingMetrics implements MeshMetrics {

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    int count(String name) {
        return counts.getOrDefault(name, 0);
    }

    @Override
    public void count(String name, String... tags) {
        counts.merge(name, 1, Integer::sum);
    }

    @Override
    public void time(String name, Duration duration, String... tags) {}

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {}
}
