package io.meshhub.cluster;

import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The store of a simulated cluster: a fence per shard, and per shard one document, the list of the operations on it. */
final class SimStore {

    private final SimWorld world;
    private final Map<Integer, ShardFence> fences = new HashMap<>();
    private final Map<Integer, List<Long>> documents = new HashMap<>();

    SimStore(SimWorld world) {
        this.world = world;
    }

    /** The fences as one process reaches them. */
    FenceStore of(SimNode node) {
        return new FenceStore() {
            @Override
            public Future<Map<Integer, Long>> take(Collection<ShardFence> taken) {
                return later(node, () -> takeNow(taken));
            }

            @Override
            public Future<Long> highestFence() {
                return Future.succeededFuture(highest());
            }
        };
    }

    long highest() {
        return fences.values().stream().mapToLong(ShardFence::epoch).max().orElse(0);
    }

    private boolean passes(ShardFence fence) {
        ShardFence stored = fences.get(fence.shard());
        boolean equal = stored != null && stored.epoch() == fence.epoch();
        return stored == null
                || fence.passes(stored.epoch(), stored.incarnation())
                || (equal && world.plan.plant() == SimPlan.Plant.EQUAL_EPOCHS_ACCEPTED_BY_THE_STORE);
    }

    private Map<Integer, Long> takeNow(Collection<ShardFence> taken) {
        Map<Integer, Long> refused = new HashMap<>();
        for (ShardFence fence : taken) {
            if (passes(fence)) {
                world.check.fenced(fences.put(fence.shard(), fence), fence);
            } else {
                refused.put(fence.shard(), fences.get(fence.shard()).epoch());
            }
        }
        return refused;
    }

    /** The whole document. */
    Future<List<Long>> read(SimNode node, int shard) {
        return later(node, () -> new ArrayList<>(document(shard)));
    }

    /** Writes the whole document; false when the fence refuses. */
    Future<Boolean> write(SimNode node, ShardFence fence, List<Long> document) {
        List<Long> copy = List.copyOf(document);
        return later(node, () -> {
            boolean passes = passes(fence);
            if (passes) {
                documents.put(fence.shard(), copy);
            }
            return passes;
        });
    }

    List<Long> document(int shard) {
        return documents.getOrDefault(shard, List.of());
    }

    private interface Step<T> {
        T take();
    }

    private <T> Future<T> later(SimNode node, Step<T> step) {
        Promise<T> promise = Promise.promise();
        world.after(1 + world.random.nextInt(6), () -> {
            T result = step.take();
            world.after(world.random.nextInt(4), () -> node.execute(() -> promise.tryComplete(result)));
        });
        return promise.future();
    }
}
