package io.meshhub.testkit;

import io.vertx.core.VertxOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Knows every handler that is registered on the event bus of one Vert.x, by its metrics. */
final class BusWatch implements VertxMetricsFactory, VertxMetrics, EventBusMetrics<BusWatch.Handler> {

    private static final String REPLIES = "__vertx.reply";

    private final Set<Handler> handlers = ConcurrentHashMap.newKeySet();

    /** One registration; told apart by identity. */
    static final class Handler {
        private final String address;

        Handler(String address) {
            this.address = address;
        }

        /** What it is, for people. */
        @Override
        public String toString() {
            return address.startsWith(REPLIES)
                    ? "request on the event bus without an answer (reply address " + address + ")"
                    : "consumer of event-bus address '" + address + "'";
        }
    }

    /** All that are registered now. */
    Set<Handler> handlers() {
        return Set.copyOf(handlers);
    }

    @Override
    public VertxMetrics metrics(VertxOptions options) {
        return this;
    }

    @Override
    public EventBusMetrics<?> createEventBusMetrics() {
        return this;
    }

    @Override
    public Handler handlerRegistered(String address) {
        Handler handler = new Handler(address);
        handlers.add(handler);
        return handler;
    }

    @Override
    public void handlerUnregistered(Handler handler) {
        handlers.remove(handler);
    }
}
