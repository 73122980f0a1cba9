package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;

/** Reaches every inbound address of a peer over the event bus and hears its answer, so that both ways are tried. */
@FunctionalInterface
public interface PeerPing {

    /** Completes when every hub loop of the peer has answered; fails when one did not. */
    Future<Void> ping(NodeInfo peer);
}
