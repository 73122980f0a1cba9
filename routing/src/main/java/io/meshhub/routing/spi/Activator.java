package io.meshhub.routing.spi;

import io.vertx.core.Future;
import java.util.Set;

/** Hosts the activations of this node: wakes, feeds and ends them. */
public interface Activator {

    /**
     * Takes a message for an address whose shard this node serves. Called on the hub loop of the address; the delivery
     * is ended by the activator in every case.
     */
    void deliver(Delivery delivery);

    /**
     * Ends all activations of the shards, since they are given away or lost.
     *
     * @param reason for people
     * @return completes when the last one is dead, within the disposal's own bound; never fails
     */
    Future<Void> release(Set<Integer> shards, String reason);
}
