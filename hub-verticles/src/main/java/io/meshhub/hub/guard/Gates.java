package io.meshhub.hub.guard;

import io.meshhub.query.language.Query;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.spi.EntryGate;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stands in front of the hubs and the queries of a node, and asks who comes and whether he may. */
public interface Gates extends EntryGate {

    /** Everybody may do everything. */
    Gates OPEN = new Gates() {
        @Override
        public @Nullable Future<?> ask(Envelope envelope) {
            return null;
        }

        @Override
        public Future<?> mayQuery(@Nullable String principal, Query query) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Optional<String>> principalOf(@Nullable String authorization) {
            return EntryGate.OPEN.principalOf(authorization);
        }
    };

    /**
     * Asks whether a message may reach its hub; on the hub's loop.
     *
     * @return null when it may, without a wait; else completes when it may, and fails with what its sender is told. It ends
     *     within the permission rung, on any thread
     */
    @Nullable
    Future<?> ask(Envelope envelope);

    /**
     * Asks whether a query may be run.
     *
     * @return fails with what its sender is told when it may not
     */
    Future<?> mayQuery(@Nullable String principal, Query query);
}
