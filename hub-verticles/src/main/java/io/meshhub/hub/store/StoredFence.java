package io.meshhub.hub.store;

import io.meshhub.routing.spi.ShardFence;
import org.jspecify.annotations.Nullable;

/** The last fence of a shard that was taken: who may write, and everybody later. */
record StoredFence(long epoch, String incarnation) {

    /** A shard of a role. */
    record Key(String role, int shard) {

        static Key of(ShardFence fence) {
            return new Key(fence.role(), fence.shard());
        }
    }

    static StoredFence of(ShardFence fence) {
        return new StoredFence(fence.epoch(), fence.incarnation());
    }

    /** Whether the fence passes the one that is held, if any. */
    static boolean passes(ShardFence fence, @Nullable StoredFence held) {
        return held == null || fence.passes(held.epoch, held.incarnation);
    }
}
