package io.meshhub.hub;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds idle activations without a timer for each: a ring of lists, one list further with each tick of its loop.
 *
 * <p>An activation stands in the list of the tick at which it would be idle, as seen when it was put there; when that
 * tick comes and it was used meanwhile, it moves on. So a message costs nothing here, and a tick touches only what is
 * due. Times beyond the ring wait in its last list and move on from there.
 */
final class IdleWheel {

    private static final int BUCKETS = 64;

    private final @Nullable Activation[] heads = new Activation[BUCKETS];
    private final long tickNanos;
    private int current;

    IdleWheel(long tickNanos) {
        this.tickNanos = tickNanos;
    }

    /** Puts an activation where it is looked at again. */
    void place(Activation activation, long now) {
        long due = activation.idleAt() - now;
        long ticks = Math.min(BUCKETS - 1L, Math.max(1, (due + tickNanos - 1) / tickNanos));
        int bucket = (current + (int) ticks) % BUCKETS;
        Activation head = heads[bucket];
        activation.wheelBucket = bucket;
        activation.wheelPrevious = null;
        activation.wheelNext = head;
        if (head != null) {
            head.wheelPrevious = activation;
        }
        heads[bucket] = activation;
    }

    /** Takes an activation out; does nothing when it is not in. */
    void remove(Activation activation) {
        if (activation.wheelBucket < 0) {
            return;
        }
        Activation previous = activation.wheelPrevious;
        Activation next = activation.wheelNext;
        if (previous == null) {
            heads[activation.wheelBucket] = next;
        } else {
            previous.wheelNext = next;
        }
        if (next != null) {
            next.wheelPrevious = previous;
        }
        activation.wheelBucket = -1;
        activation.wheelPrevious = null;
        activation.wheelNext = null;
    }

    /** Goes one tick on. */
    void advance() {
        current = (current + 1) % BUCKETS;
    }

    /**
     * Takes one activation out of the list of this tick that is idle; those before it that are not move on.
     *
     * @param limit the most that are looked at; at least 1
     * @return the idle one; empty when none was met. {@link #isDone} says whether the list is empty
     */
    Optional<Activation> pollIdle(long now, int limit) {
        for (int looked = 0; looked < limit; looked++) {
            Activation due = heads[current];
            if (due == null) {
                break;
            }
            remove(due);
            if (due.isIdle(now)) {
                return Optional.of(due);
            }
            due.trim();
            // At least one tick further, and less than a turn: never this list again.
            place(due, now);
        }
        return Optional.empty();
    }

    /** Whether the list of this tick is empty. */
    boolean isDone() {
        return heads[current] == null;
    }
}
