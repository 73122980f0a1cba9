package io.meshhub.it;

import io.meshhub.sync.protocol.FeedNews;
import io.meshhub.sync.protocol.SyncPlaces;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/** Loses some of what a node sends over the event bus, from {@link #begin} until it is closed. */
final class LostOnTheWay implements AutoCloseable {

    private static final String CLIENTS = "__mesh.sync.";

    private final Vertx vertx;
    private final Handler<DeliveryContext<Object>> interceptor;
    private final AtomicInteger lost = new AtomicInteger();

    private LostOnTheWay(Vertx vertx, BiPredicate<String, Object> loses) {
        this.vertx = vertx;
        this.interceptor = delivery -> {
            if (loses.test(delivery.message().address(), delivery.body())) {
                lost.incrementAndGet();
            } else {
                delivery.next();
            }
        };
    }

    /** What owners say when they end, and the news of the store. */
    static LostOnTheWay announcements(Vertx vertx) {
        String feed = FeedNews.place("");
        return new LostOnTheWay(
                vertx,
                (address, body) -> address.startsWith(feed)
                        || (address.startsWith(CLIENTS)
                                && body instanceof Buffer text
                                && isGoodbye(new JsonObject(text))));
    }

    private static boolean isGoodbye(JsonObject batch) {
        JsonArray letters = batch.getJsonArray("letters");
        return letters != null
                && IntStream.range(0, letters.size())
                        .anyMatch(i -> letters.getJsonObject(i).containsKey("reason"));
    }

    /** Beats. */
    static LostOnTheWay beats(Vertx vertx) {
        String owners = SyncPlaces.ofOwners("");
        return new LostOnTheWay(
                vertx,
                (address, body) ->
                        address.startsWith(owners) && body instanceof JsonObject json && json.containsKey("beat"));
    }

    /** Loses from now on. */
    LostOnTheWay begin() {
        vertx.eventBus().addOutboundInterceptor(interceptor);
        return this;
    }

    /** How many messages were lost. */
    int lost() {
        return lost.get();
    }

    @Override
    public void close() {
        vertx.eventBus().removeOutboundInterceptor(interceptor);
    }
}
