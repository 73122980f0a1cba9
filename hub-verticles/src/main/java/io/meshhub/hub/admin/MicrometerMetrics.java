package io.meshhub.hub.admin;

import io.meshhub.routing.spi.MeshMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * The numbers of the mesh in a Micrometer registry, under the same names and tags. A gauge that is registered again
 * shows the newer value.
 */
public final class MicrometerMetrics implements MeshMetrics {

    private final MeterRegistry registry;

    // Counters without tags are the ones that each message moves: they skip the look-up by name and tags.
    private final ConcurrentMap<String, Counter> plain = new ConcurrentHashMap<>();

    /** Everything goes to that registry. */
    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void count(String name, String... tags) {
        if (tags.length == 0) {
            plain.computeIfAbsent(name, registry::counter).increment();
        } else {
            registry.counter(name, tags).increment();
        }
    }

    @Override
    public void time(String name, Duration duration, String... tags) {
        Timer timer = registry.timer(name, tags);
        timer.record(duration);
    }

    @Override
    public void gauge(String name, LongSupplier value, String... tags) {
        registry.remove(new Meter.Id(name, Tags.of(tags), null, null, Meter.Type.GAUGE));
        Gauge.builder(name, value, LongSupplier::getAsLong)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }
}
