package io.meshhub.hub.launcher;

import io.meshhub.hub.MeshHub;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of the event bus between nodes of this JVM, each way apart: what comes over one that is cut is lost, answers
 * too, and nobody is told. The members see each other as before.
 */
final class BusLinks {

    private final Set<String> watched = ConcurrentHashMap.newKeySet();
    private final Set<String> cut = ConcurrentHashMap.newKeySet();

    private static String id(MeshHub node) {
        Vertx vertx = node.vertx();
        return Objects.requireNonNull(((VertxInternal) vertx).clusterManager()).getNodeId();
    }

    /** Nothing of the one reaches the other any more. */
    void cut(MeshHub from, MeshHub to) {
        cut.add(id(from) + " " + id(to));
        if (watched.add(id(to))) {
            String self = id(to);
            Handler<DeliveryContext<Object>> gate = delivery -> {
                if (!cut.contains(sender(delivery.message()) + " " + self)) {
                    delivery.next();
                }
            };
            to.vertx().eventBus().addInboundInterceptor(gate);
        }
    }

    /** All links are whole. */
    void heal() {
        cut.clear();
    }

    // The bus knows who sent a message, and tells nobody.
    private static String sender(Message<?> message) {
        try {
            Method sender = message.getClass().getDeclaredMethod("getSender");
            sender.setAccessible(true);
            return String.valueOf(sender.invoke(message));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a message of " + message.getClass() + " does not say who sent it", e);
        }
    }
}
