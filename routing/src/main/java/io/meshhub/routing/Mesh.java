package io.meshhub.routing;

import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import org.jspecify.annotations.Nullable;

/**
 * What a caller holds: sends messages to addresses, wherever they live, and brings one answer to each.
 *
 * <p>Every future that is returned ends exactly once, inside the deadline, with a value or with a {@link
 * io.meshhub.routing.failure.MeshException}, on the context of the caller. Refusals of which it is known that nothing
 * was executed are ridden out inside the deadline, at once and then at a pace; what may have been executed is never sent
 * again unless the request says that it is idempotent.
 */
public interface Mesh {

    /** The name of the node that this mesh belongs to. */
    String node();

    /** The budgets of this mesh. */
    BudgetLadder budgets();

    /** Asks, with the defaults; see {@link #request(MeshAddress, Object, Class, MeshOptions)}. */
    default <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> replyType) {
        return request(to, message, replyType, MeshOptions.DEFAULT);
    }

    /**
     * Asks, and reads the reply as the given class; null when the reply has no body.
     *
     * @param message a record (its class names the message type), JSON, a buffer, a string, a number, or null
     * @param replyType see {@link MeshBody#as}
     */
    <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> replyType, MeshOptions options);

    /** Asks; the reply comes as it is, with its sender, and the caller may give up. */
    MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options);

    /** Asks or sends what came in at an edge, whose envelope has its own deadline; the verb says which. */
    MeshCall<MeshReply> call(Envelope envelope, MeshOptions options);

    /** Sends, with the defaults; see {@link #send(MeshAddress, Object, MeshOptions)}. */
    default Future<Void> send(MeshAddress to, @Nullable Object message) {
        return send(to, message, MeshOptions.DEFAULT);
    }

    /** Sends, and completes when the activation has accepted the message. */
    Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options);

    /** Tells, with the defaults; see {@link #notify(MeshAddress, Object, MeshOptions)}. */
    default void notify(MeshAddress to, @Nullable Object message) {
        notify(to, message, MeshOptions.DEFAULT);
    }

    /** Notifies: fire and forget. What cannot be delivered is dropped without an answer, and counted; never throws. */
    void notify(MeshAddress to, @Nullable Object message, MeshOptions options);

    /**
     * The event bus with mesh addresses on it: what is sent to an address whose partition is a {@linkplain
     * #addPartition registered} one goes through the mesh, all else goes to the bus as ever.
     */
    EventBus eventBus();

    /** Makes all addresses of a partition mesh addresses on {@link #eventBus()}. */
    void addPartition(String partition);

    /**
     * Ends the activation of an address, if it has one; the next message wakes a new one.
     *
     * @return completes when the activation is dead; fails like a request
     */
    Future<Void> recycle(MeshAddress address);
}
