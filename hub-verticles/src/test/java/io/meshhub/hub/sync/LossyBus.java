package io.meshhub.hub.sync;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Loses some of what one node sends over the event bus, until it is closed. */
final class LossyBus implements AutoCloseable {

    private final Vertx vertx;
    private final Handler<DeliveryContext<Object>> interceptor;

    /** The addresses to which something was sent meanwhile. */
    final Set<String> addresses = ConcurrentHashMap.newKeySet();

    private LossyBus(Vertx vertx, String prefix, Predicate<JsonObject> loses) {
        this.vertx = vertx;
        this.interceptor = delivery -> {
            String address = delivery.message().address();
            boolean lost = address.startsWith(prefix) && loses.test(read(delivery.body()));
            if (address.startsWith(prefix)) {
                addresses.add(address);
            }
            if (!lost) {
                delivery.next();
            }
        };
        vertx.eventBus().addOutboundInterceptor(interceptor);
    }

    private static JsonObject read(Object body) {
        return body instanceof Buffer text ? new JsonObject(text) : (JsonObject) body;
    }

    /** Loses what goes to the addresses with that prefix, where the body is one of those. */
    static LossyBus losing(Vertx vertx, String prefix, Predicate<JsonObject> loses) {
        return new LossyBus(vertx, prefix, loses);
    }

    @Override
    public void close() {
        vertx.eventBus().removeOutboundInterceptor(interceptor);
    }
}
