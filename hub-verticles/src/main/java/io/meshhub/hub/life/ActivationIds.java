package io.meshhub.hub.life;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the activations of each shard under its epoch; safe from any thread, since the loops share the shards. */
public final class ActivationIds {

    // Per shard the value of the id that was given last.
    private final AtomicLongArray last = new AtomicLongArray(MeshAddress.SHARDS);

    /** None was given yet. */
    public ActivationIds() {}

    /**
     * The next id of the shard under the epoch.
     *
     * @return empty when the counter is used up: then the shard must be taken anew. An epoch below one that was used
     *     before gives nothing either
     */
    public Optional<ActivationId> next(int shard, long epoch) {
        while (true) {
            long before = last.get(shard);
            ActivationId previous = new ActivationId(before);
            if (previous.epoch() > epoch
                    || (previous.epoch() == epoch && previous.counter() == ActivationId.MAX_COUNTER)) {
                return Optional.empty();
            }
            ActivationId next = ActivationId.of(epoch, previous.epoch() == epoch ? previous.counter() + 1 : 1);
            if (last.compareAndSet(shard, before, next.value())) {
                return Optional.of(next);
            }
        }
    }

    /** Goes on from that id, as if it had been the last one. */
    public void resumeAfter(int shard, ActivationId id) {
        last.set(shard, id.value());
    }
}
