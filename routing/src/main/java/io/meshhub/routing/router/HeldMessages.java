package io.meshhub.routing.router;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one receiver that wait for something about their shard, in order; touched only on its loop. How many
 * wait is bounded together with what other receivers and claims hold.
 */
final class HeldMessages {

    private record Held(OwnerDelivery delivery, int size) {}

    /** What waits for one question about a shard. */
    static final class Round {
        private final ArrayDeque<Held> queue = new ArrayDeque<>();
        private int covered;

        /** From here on the question is under way: its answer is good for all that wait now. */
        void asked() {
            covered = queue.size();
        }
    }

    private final Places places;
    private final Map<Integer, Round> rounds = new HashMap<>();

    HeldMessages(Places places) {
        this.places = places;
    }

    /** Whether something is being found out about the shard. */
    boolean isHolding(int shard) {
        return !rounds.isEmpty() && rounds.containsKey(shard);
    }

    /** Lets a message wait behind those of its shard. */
    Places.Taken add(int shard, OwnerDelivery delivery) {
        int size = delivery.envelope().body().sizeHint();
        Places.Taken place = places.take(size);
        if (place.done()) {
            rounds.computeIfAbsent(shard, first -> new Round()).queue.add(new Held(delivery, size));
        }
        return place;
    }

    /** The question about the shard is being asked now. */
    void asked(int shard) {
        Round round = rounds.get(shard);
        if (round != null) {
            round.asked();
        }
    }

    /** Takes out all that wait for the shard. */
    @Nullable
    Round take(int shard) {
        return rounds.remove(shard);
    }

    /** Whether the answer of the round is good for the message that comes next. */
    boolean isNextCovered(Round round) {
        return round.covered > 0;
    }

    /** The message of the round that comes next; null when there is none left. Its place is free again. */
    @Nullable
    OwnerDelivery next(Round round) {
        Held next = round.queue.poll();
        if (next == null) {
            return null;
        }
        round.covered--;
        places.give(next.size());
        return next.delivery();
    }
}
