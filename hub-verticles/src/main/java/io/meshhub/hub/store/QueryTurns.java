package io.meshhub.hub.store;

import io.meshhub.hub.store.SqliteReader.ReadJob;
import io.meshhub.hub.store.WorkQueue.Offer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiConsumer;

/**
 * Lets few queries at a time to the threads that read, so that a read by address finds one of them free however long
 * queries take. The others wait, a bounded number of them. Safe from any thread.
 */
final class QueryTurns {

    private final WorkQueue<ReadJob<?>> reads;
    private final int most;
    private final int bound;
    private final BiConsumer<ReadJob<?>, Offer> refused;
    private final Queue<ReadJob<?>> waiting = new ArrayDeque<>();
    private int begun;

    /**
     * None so far.
     *
     * @param reads where a query goes whose turn it is
     * @param most how many are there at a time, at least 1
     * @param bound how many wait
     * @param refused told of one that had waited, and was not taken when its turn had come
     */
    QueryTurns(WorkQueue<ReadJob<?>> reads, int most, int bound, BiConsumer<ReadJob<?>, Offer> refused) {
        this.reads = reads;
        this.most = most;
        this.bound = bound;
        this.refused = refused;
    }

    /** Puts the query at the end, if there is room; {@link #done} must be called when it has run. */
    synchronized Offer offer(ReadJob<?> query) {
        if (begun < most) {
            return begin(query);
        }
        if (waiting.size() >= bound) {
            return Offer.FULL;
        }
        waiting.add(query);
        return Offer.TAKEN;
    }

    private Offer begin(ReadJob<?> query) {
        Offer offer = reads.offer(query, 1);
        if (offer == Offer.TAKEN) {
            begun++;
        }
        return offer;
    }

    /** One has run: the next one has its turn. */
    void done() {
        List<ReadJob<?>> turnedAway = new ArrayList<>();
        Offer why = Offer.TAKEN;
        synchronized (this) {
            begun--;
            while (begun < most && !waiting.isEmpty()) {
                ReadJob<?> next = waiting.remove();
                Offer offer = begin(next);
                if (offer != Offer.TAKEN) {
                    why = offer;
                    turnedAway.add(next);
                }
            }
        }
        for (ReadJob<?> each : turnedAway) {
            refused.accept(each, why);
        }
    }

    /** How many wait for their turn. */
    synchronized int size() {
        return waiting.size();
    }
}
