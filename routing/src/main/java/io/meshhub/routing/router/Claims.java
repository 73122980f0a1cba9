package io.meshhub.routing.router;

import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards that this node is having claimed, each with what waits for its owner, in the order in which it was sent.
 *
 * <p>The row may be there before the claim has ended. What is sent then waits behind what was sent before, so that the
 * first messages to a shard keep their order. How much waits over all shards is bounded; who comes past that is told at
 * once.
 */
final class Claims {

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    /** What waits for an owner; exactly one of the three is called, once. */
    interface Waiter {

        /** About how many bytes it holds. */
        int size();

        /** The shard has an owner. */
        void owned(ShardRow row);

        /** Nobody can own it now. */
        void unowned(String reason);

        /** Too much waits already. */
        void overloaded(Places.Taken place);
    }

    private record Held(Waiter waiter, int size) {}

    private final ShardTable shards;
    private final Places held;
    private final Map<Integer, Queue<Held>> waiting = new ConcurrentHashMap<>();

    /**
     * @param held bounds what waits; shared with whoever else holds messages
     */
    Claims(ShardTable shards, Places held) {
        this.shards = shards;
        this.held = held;
    }

    /** Whether no claim is under way; costs next to nothing. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Waits behind a claim that is under way, or is told that too much does; false when there is no claim. */
    boolean join(int shard, Waiter waiter) {
        int size = waiter.size();
        Places.Taken place;
        synchronized (this) {
            Queue<Held> queue = waiting.get(shard);
            if (queue == null) {
                return false;
            }
            place = held.take(size);
            if (place.done()) {
                queue.add(new Held(waiter, size));
            }
        }
        if (!place.done()) {
            waiter.overloaded(place);
        }
        return true;
    }

    /** Has the shard claimed, once for all that wait for it. */
    void claim(int shard, Waiter waiter) {
        if (begun(shard, waiter)) {
            Future.succeededFuture().compose(begun -> shards.claim(shard)).onComplete(claimed -> {
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
    }

    private boolean begun(int shard, Waiter waiter) {
        Places.Taken place;
        synchronized (this) {
            if (!waiting.containsKey(shard)) {
                int size = waiter.size();
                place = held.take(size);
                if (place.done()) {
                    Queue<Held> queue = new ArrayDeque<>();
                    queue.add(new Held(waiter, size));
                    waiting.put(shard, queue);
                    return true;
                }
            } else {
                place = Places.Taken.YES;
            }
        }
        if (!place.done()) {
            waiter.overloaded(place);
        } else if (!join(shard, waiter)) {
            // The claim ended between the two looks.
            return begun(shard, waiter);
        }
        return false;
    }

    // Nothing may pass by what waits, so the queue stands until the last of it is on its way.
    private void owned(int shard, ShardRow row) {
        for (Waiter next = next(shard); next != null; next = next(shard)) {
            owned(next, shard, row);
        }
    }

    // One that fails must not keep those behind it, and all that come later, from being heard.
    private static void owned(Waiter waiter, int shard, ShardRow row) {
        try {
            waiter.owned(row);
        } catch (RuntimeException e) {
            LOG.error("A message of shard {} could not be sent on, and is refused", shard, e);
            waiter.unowned("it could not be sent on: " + e);
        }
    }

    private synchronized @Nullable Waiter next(int shard) {
        Queue<Held> queue = waiting.get(shard);
        Held next = queue == null ? null : queue.poll();
        if (next == null) {
            waiting.remove(shard);
            return null;
        }
        held.give(next.size());
        return next.waiter();
    }

    // Taken out at once: who asks again makes a claim of its own.
    private void unowned(int shard, String reason) {
        List<Held> all;
        synchronized (this) {
            Queue<Held> queue = waiting.remove(shard);
            all = queue == null ? List.of() : List.copyOf(queue);
        }
        all.forEach(each -> held.give(each.size()));
        all.forEach(each -> each.waiter().unowned(reason));
    }
}
