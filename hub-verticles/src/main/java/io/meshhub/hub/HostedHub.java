package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * One life of a hub that another hub hosts: it lives on its host's loop, in the host's process, and no longer than the
 * host. Every call is safe from any thread.
 *
 * <p>This handle is the only way to it: its address names it in failures, logs and reports, and no message of the mesh is
 * routed there. A handle stays with its one life; when that has ended, every message is refused with {@link
 * io.meshhub.routing.failure.ShuttingDown}, and {@link HubContext#host} makes another.
 */
public interface HostedHub {

    /** The host's address, a slash, and the name under which it is hosted. */
    MeshAddress address();

    /** Which life it is. */
    ActivationId activation();

    /** How far that life has come. */
    RunLevel level();

    /** Asks, with the defaults; see {@link #request(Object, Class, MeshOptions)}. */
    default <R> Future<R> request(@Nullable Object message, Class<R> replyType) {
        return request(message, replyType, MeshOptions.DEFAULT);
    }

    /**
     * Asks, as {@link io.meshhub.routing.Mesh#request(MeshAddress, Object, Class, MeshOptions)} does, with two
     * differences: nothing is ridden out, since the handle is of one life, and the message never leaves the process.
     *
     * @return ends once, inside the deadline, with a value or a {@link io.meshhub.routing.failure.MeshException}
     */
    <R> Future<R> request(@Nullable Object message, Class<R> replyType, MeshOptions options);

    /** Sends, with the defaults; see {@link #send(Object, MeshOptions)}. */
    default Future<Void> send(@Nullable Object message) {
        return send(message, MeshOptions.DEFAULT);
    }

    /** Sends, and completes when the hub has accepted the message. */
    Future<Void> send(@Nullable Object message, MeshOptions options);

    /**
     * Ends it in good order, with all that it hosts; returns at once.
     *
     * @param reason for people
     * @return completes when the level is {@link RunLevel#DEAD}; never fails
     */
    Future<Void> dispose(String reason);

    /** Completes when the level is {@link RunLevel#DEAD}, for whatever reason it ended, also for late listeners. */
    Future<Void> whenDead();
}
