package io.meshhub.hub.sync;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Decides who may follow what; it is asked with each subscription, also with one that refreshes a stream. */
@FunctionalInterface
public interface ReadGate {

    /** Everybody may follow everything. */
    ReadGate OPEN = (address, view, principal) -> Future.succeededFuture();

    /**
     * Asks for a subscriber, who waits for the answer; on the hub's context.
     *
     * @param view what of the state it wants, as a JSON pointer; empty for all
     * @param principal on whose behalf it asks; null when on nobody's
     * @return fails to refuse it, for one that may not with {@link io.meshhub.routing.failure.Forbidden}; may complete on
     *     any thread
     */
    Future<?> mayRead(MeshAddress address, String view, @Nullable String principal);
}
