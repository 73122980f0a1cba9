package io.meshhub.cluster;

import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Fences in memory, shared by the nodes of a test; refuses like a store, and fails on demand. */
final class MemoryFences implements FenceStore {

    private final Map<Integer, ShardFence> held = new HashMap<>();
    private int faults;
    private int takes;

    @Override
    public synchronized Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        takes++;
        if (faults > 0) {
            faults--;
            return Future.failedFuture(new StoreException("the store is away", null));
        }
        Map<Integer, Long> refused = new HashMap<>();
        for (ShardFence fence : fences) {
            ShardFence stored = held.get(fence.shard());
            if (stored == null || fence.passes(stored.epoch(), stored.incarnation())) {
                held.put(fence.shard(), fence);
            } else {
                refused.put(fence.shard(), stored.epoch());
            }
        }
        return Future.succeededFuture(refused);
    }

    @Override
    public synchronized Future<Long> highestFence() {
        return Future.succeededFuture(
                held.values().stream().mapToLong(ShardFence::epoch).max().orElse(0));
    }

    synchronized void put(ShardFence fence) {
        held.put(fence.shard(), fence);
    }

    synchronized ShardFence of(int shard) {
        return held.get(shard);
    }

    synchronized void failNext(int times) {
        faults = times;
    }

    synchronized int takes() {
        return takes;
    }
}
