package io.meshhub.testkit;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.vertx.core.Future;
import java.time.Duration;

/** The hub of an embedder who knows nothing of tests. */
final class Orders extends HubVerticle {

    /** Adds one piece, and tells how many there are, and who says so. */
    record Add() {}

    /** Counts pieces of this life. */
    record Pieces(int pieces, String node, long activation) {}

    private int pieces;

    @Override
    protected void configure(HubSetup setup) {
        setup.idleTimeout(Duration.ofMinutes(1));
        setup.on(Add.class, add -> {
            pieces++;
            return Future.succeededFuture(
                    new Pieces(pieces, hub().node(), hub().activation().value()));
        });
    }
}
