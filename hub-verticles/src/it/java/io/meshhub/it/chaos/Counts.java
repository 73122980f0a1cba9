package io.meshhub.it.chaos;

import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What a process has counted so far, by the name and the values of the tags. */
final class Counts implements MeshMetrics {

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public void count(String name, String... tags) {
        StringBuilder key = new StringBuilder(name);
        for (int i = 1; i < tags.length; i += 2) {
            key.append(' ').append(tags[i]);
        }
        counts.computeIfAbsent(key.toString(), unseen -> new LongAdder()).increment();
    }

    @Override
    public void time(String name, Duration duration, String... tags) {
        // Nobody asks.
    }

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {
        // Nobody asks.
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        new TreeMap<>(counts).forEach((key, count) -> json.put(key, count.sum()));
        return json;
    }
}
