package io.meshhub.hub;

import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.BiFunction;

/** One registered handler: the message type that it takes, the class that it reads the body as, and its code. */
public final class Handling {

    private final String type;
    private final Class<?> bodyType;
    private final BiFunction<Object, MessageContext, ? extends Future<?>> handler;
    private boolean exclusive;

    Handling(String type, Class<?> bodyType, BiFunction<Object, MessageContext, ? extends Future<?>> handler) {
        this.type = type;
        this.bodyType = bodyType;
        this.handler = handler;
    }

    /**
     * Holds the next message of the hub, of whatever type, until the future of this handler has completed. When the
     * deadline passes before, the caller is answered and the next message waits on.
     */
    public Handling exclusive() {
        exclusive = true;
        return this;
    }

    /** The message type. */
    public String type() {
        return type;
    }

    /** The class that the body is read as. */
    public Class<?> bodyType() {
        return bodyType;
    }

    /** Whether the next message waits for this handler's future. */
    public boolean isExclusive() {
        return exclusive;
    }

    /**
     * Reads a body as this handler takes it.
     *
     * @return empty when there is no body
     * @throws IllegalArgumentException when it cannot be read so
     */
    Optional<?> read(MeshBody body) {
        return body.as(bodyType);
    }

    Future<?> handle(Object body, MessageContext message) {
        return handler.apply(body, message);
    }
}
