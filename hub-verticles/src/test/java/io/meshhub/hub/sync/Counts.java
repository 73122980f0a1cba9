package io.meshhub.hub.sync;

import io.meshhub.routing.spi.MeshMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Counts what the nodes of a test count, all together. */
final class Counts implements MeshMetrics {

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

    @Override
    public void count(String name, String... tags) {
        counts.computeIfAbsent(name, absent -> new AtomicLong()).incrementAndGet();
    }

    @Override
    public void time(String name, Duration duration, String... tags) {}

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {}

    long of(String name) {
        AtomicLong count = counts.get(name);
        return count == null ? 0 : count.get();
    }
}
