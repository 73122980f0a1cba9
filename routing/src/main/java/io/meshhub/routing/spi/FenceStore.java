package io.meshhub.routing.spi;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;

/** Remembers per shard the highest epoch that ever served it, so that a superseded owner can no longer write. */
public interface FenceStore {

    /** Remembers nothing: for a process without a store. */
    FenceStore NONE = new FenceStore() {
        @Override
        public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
            return Future.succeededFuture(Map.of());
        }

        @Override
        public Future<Long> highestFence() {
            return Future.succeededFuture(0L);
        }
    };

    /**
     * Writes the fences of shards that this node is about to serve, before it reads any row of them.
     *
     * @return the shards that were refused, each with the epoch that the store holds; empty when all were taken. Fails
     *     when the store could not be asked
     */
    Future<Map<Integer, Long>> take(Collection<ShardFence> fences);

    /** The highest epoch in the store, of any shard and role; 0 when it holds none. */
    Future<Long> highestFence();
}
