package io.meshhub.routing.spi;

import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out on whose behalf a message comes that arrived by the plain event bus, where everybody can send. */
@FunctionalInterface
public interface EntryGate {

    /** The header with the credentials of such a message. */
    String AUTHORIZATION = "authorization";

    /** Nobody has to say who he is, and what he says of it has no effect. */
    EntryGate OPEN = authorization -> Future.succeededFuture(Optional.empty());

    /**
     * Checks the credentials; on any thread, and must not block.
     *
     * @param authorization the value of the header; null without one
     * @return the principal as it travels in an envelope, empty for nobody's; fails with {@link
     *     io.meshhub.routing.failure.Unauthorized} where credentials are given and do not hold
     */
    Future<Optional<String>> principalOf(@Nullable String authorization);
}
