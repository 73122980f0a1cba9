package io.meshhub.routing.spi;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Where numbers go. Names are lower-case words joined by dots; tags come in pairs of key and value, and no value is ever
 * an address, an activation or a stream id.
 */
public interface MeshMetrics {

    /** Numbers go nowhere. */
    MeshMetrics NONE = new MeshMetrics() {
        @Override
        public void count(String name, String... tags) {}

        @Override
        public void time(String name, Duration duration, String... tags) {}

        @Override
        public void gauge(String name, LongSupplier value, String... tags) {}
    };

    /** Counts one more. */
    void count(String name, String... tags);

    /** Records how long something took. */
    void time(String name, Duration duration, String... tags);

    /** Shows a number that is read when somebody looks. */
    void gauge(String name, LongSupplier value, String... tags);
}
