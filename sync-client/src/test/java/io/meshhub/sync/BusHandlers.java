package io.meshhub.sync;

import io.vertx.core.VertxOptions;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Knows every handler that is registered on the event bus of one Vert.x, by its metrics. */
final class BusHandlers implements VertxMetricsFactory, VertxMetrics, EventBusMetrics<BusHandlers.Handler> {

    private static final String REPLIES = "__vertx.reply";

    private final Set<Handler> handlers = ConcurrentHashMap.newKeySet();

    /** One registration; told apart by identity. */
    static final class Handler {
        private final String address;

        Handler(String address) {
            this.address = address;
        }
    }

    /** How many requests wait for their answer. */
    long replies() {
        return handlers.stream()
                .filter(handler -> handler.address.startsWith(REPLIES))
                .count();
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
