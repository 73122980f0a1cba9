package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.vertx.core.Future;
import java.util.Optional;
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
     * <p>An activation whose handler blocks its thread cannot be ended. The future completes all the same, after the
     * disposal's bound: that activation answers nothing and takes nothing any more under its epoch, but its code may
     * still be running, and what it does outside the mesh is not undone. What it writes to a fenced store is refused
     * once the shard has its next owner.
     *
     * @param reason for people
     * @return completes when the last one is dead, within the disposal's own bound; never fails
     */
    Future<Void> release(Set<Integer> shards, String reason);

    /** Whether the hub loop of that number makes no progress, since a handler blocks its thread; on any thread. */
    default boolean isStalled(int loop) {
        return false;
    }

    /**
     * What to say for an address whose activation blocks its loop, without asking that loop; on any thread.
     *
     * @return empty for every other address
     */
    default Optional<MeshException> refusal(MeshAddress address) {
        return Optional.empty();
    }
}
