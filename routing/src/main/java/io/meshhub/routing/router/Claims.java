package io.meshhub.routing.router;

import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shards that this node is having claimed, each with what waits for its owner, in the order in which it was sent.
 *
 * <p>The row may be there before the claim has ended. What is sent then waits behind what was sent before, so that the
 * first messages to a shard keep their order.
 */
final class Claims {

    /** What waits for an owner. */
    interface Waiter {

        /** The shard has an owner. */
        void owned(ShardRow row);

        /** Nobody can own it now. */
        void unowned(String reason);
    }

    private final ShardTable shards;
    private final Map<Integer, Queue<Waiter>> waiting = new ConcurrentHashMap<>();

    Claims(ShardTable shards) {
        this.shards = shards;
    }

    /** Whether no claim is under way; costs next to nothing. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Waits behind a claim that is under way; false when there is none. */
    synchronized boolean join(int shard, Waiter waiter) {
        Queue<Waiter> queue = waiting.get(shard);
        return queue != null && queue.add(waiter);
    }

    /** Has the shard claimed, once for all that wait for it. */
    void claim(int shard, Waiter waiter) {
        synchronized (this) {
            if (join(shard, waiter)) {
                return;
            }
            Queue<Waiter> queue = new ArrayDeque<>();
            queue.add(waiter);
            waiting.put(shard, queue);
        }
        shards.claim(shard).onComplete(claimed -> {
            if (claimed.succeeded()) {
                owned(shard, claimed.result());
            } else {
                unowned(
                        shard,
                        "shard " + shard + " could not be claimed: "
                                + claimed.cause().getMessage());
            }
        });
    }

    // Nothing may pass by what waits, so the queue stands until the last of it is on its way.
    private void owned(int shard, ShardRow row) {
        for (Waiter next = next(shard); next != null; next = next(shard)) {
            next.owned(row);
        }
    }

    private synchronized @Nullable Waiter next(int shard) {
        Queue<Waiter> queue = waiting.get(shard);
        Waiter next = queue == null ? null : queue.poll();
        if (next == null) {
            waiting.remove(shard);
        }
        return next;
    }

    // Taken out at once: who asks again makes a claim of its own.
    private void unowned(int shard, String reason) {
        List<Waiter> all;
        synchronized (this) {
            Queue<Waiter> queue = waiting.remove(shard);
            all = queue == null ? List.of() : List.copyOf(queue);
        }
        all.forEach(waiter -> waiter.unowned(reason));
    }
}
