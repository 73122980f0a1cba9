package io.meshhub.cluster;

import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Field;

/**
 * Finds the event loop that carries the inbound connections of a clustered event bus.
 *
 * <p>The bus accepts all of them on the loop of one context, which it makes when it is built and keeps to itself. That
 * private field is read here and nowhere else. Watching sockets instead would need a connection of our own to the bus's
 * port (a failed handshake for each start where TLS is on) and the channels of each loop, which Netty tells only for some
 * transports; a name that a later Vert.x changes fails at start with a clear line, and in the test of this class.
 */
final class BusLoop {

    private static final String BUS = "io.vertx.core.eventbus.impl.clustered.ClusteredEventBus";
    private static final String CONTEXT = "context";

    private BusLoop() {}

    /**
     * A context of its own on that loop.
     *
     * @throws IllegalStateException when the bus is not clustered, or its inside is another than that of the Vert.x that
     *     this class was written for
     */
    static ContextInternal contextOn(Vertx vertx) {
        VertxInternal internal = (VertxInternal) vertx;
        return internal.contextBuilder().withEventLoop(find(vertx)).build();
    }

    private static EventLoop find(Vertx vertx) {
        Object bus = vertx.eventBus();
        if (!bus.getClass().getName().equals(BUS)) {
            throw new IllegalStateException("The event bus is a "
                    + bus.getClass().getName() + ", not a " + BUS + "; the loop of its connections cannot be told");
        }
        try {
            Field field = bus.getClass().getDeclaredField(CONTEXT);
            field.setAccessible(true);
            return ((ContextInternal) field.get(bus)).nettyEventLoop();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(
                    "The event bus of this Vert.x keeps its context elsewhere; the loop of its connections cannot be told",
                    e);
        }
    }
}
