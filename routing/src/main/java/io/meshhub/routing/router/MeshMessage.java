package io.meshhub.routing.router;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import org.jspecify.annotations.Nullable;

/** A reply of the mesh as callers of an event bus see it; it expects no reply in turn. */
final class MeshMessage<T> implements Message<T> {

    private final String address;
    private final MultiMap headers;
    private final @Nullable T body;

    MeshMessage(String address, MultiMap headers, @Nullable T body) {
        this.address = address;
        this.headers = headers;
        this.body = body;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public MultiMap headers() {
        return headers;
    }

    @Override
    public @Nullable T body() {
        return body;
    }

    @Override
    public @Nullable String replyAddress() {
        return null;
    }

    @Override
    public boolean isSend() {
        return true;
    }

    // Like a message of the bus itself that has no reply address.
    @Override
    public void reply(@Nullable Object message, DeliveryOptions options) {}

    @Override
    public <R> Future<Message<R>> replyAndRequest(@Nullable Object message, DeliveryOptions options) {
        return Future.failedFuture(
                new IllegalStateException("the reply of '" + address + "' expects no reply in turn"));
    }
}
