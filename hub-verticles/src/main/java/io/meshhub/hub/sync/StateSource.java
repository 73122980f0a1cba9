package io.meshhub.hub.sync;

import io.vertx.core.Future;
import java.util.Optional;

/** Where a hub has its state, for one that keeps it anyway: it is asked only while somebody follows. */
@FunctionalInterface
public interface StateSource {

    /** The state now, on the hub's context; empty when there is none yet. */
    Optional<Snapshot> snapshot();

    /** Comes before a subscriber is taken in, which waits for it; a failure refuses the subscriber. */
    default Future<?> admit() {
        return Future.succeededFuture();
    }
}
