package io.meshhub.routing;

import io.vertx.core.Future;

/**
 * A request under way that its caller may give up.
 *
 * @param <T> what it ends with
 */
public interface MeshCall<T> {

    /** The one answer: a value, or a {@link io.meshhub.routing.failure.MeshException}. */
    Future<T> answer();

    /**
     * Gives the request up: unless it has ended, it ends now with {@link io.meshhub.routing.failure.DeadlineExceeded},
     * since the outcome is unknown, and a later answer is dropped.
     *
     * @return whether it was still under way
     */
    boolean cancel();
}
