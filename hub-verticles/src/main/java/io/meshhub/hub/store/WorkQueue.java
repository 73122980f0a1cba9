package io.meshhub.hub.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A bounded queue between callers, who never wait, and the threads of a store, which do. It is bounded in entries and in
 * weight; one entry always fits into an empty queue.
 */
final class WorkQueue<T> {

    /** The most characters that wait: enough for many large documents, and no danger to a small heap. */
    static final long MAX_WEIGHT = 32L << 20;

    /** What became of an offer. */
    enum Offer {
        TAKEN,
        FULL,
        CLOSED
    }

    private record Entry<T>(T work, long weight) {}

    private final ArrayDeque<Entry<T>> entries = new ArrayDeque<>();
    private final int bound;
    private final long maxWeight;
    private long weight;
    private boolean closed;

    WorkQueue(int bound, long maxWeight) {
        this.bound = bound;
        this.maxWeight = maxWeight;
    }

    /** Puts the work at the end, if there is room. */
    synchronized Offer offer(T work, long workWeight) {
        if (closed) {
            return Offer.CLOSED;
        }
        if (entries.size() >= bound || (!entries.isEmpty() && weight + workWeight > maxWeight)) {
            return Offer.FULL;
        }
        entries.add(new Entry<>(work, workWeight));
        weight += workWeight;
        notify();
        return Offer.TAKEN;
    }

    /**
     * Waits until there is work.
     *
     * @param most how many entries to take at most
     * @return the oldest; empty when the queue is closed and nothing is left
     */
    synchronized List<T> take(int most) {
        boolean interrupted = false;
        while (entries.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends the threads of a store; whoever interrupts them must not cost anyone an answer.
                interrupted = true;
            }
        }
        List<T> taken = new ArrayList<>(Math.min(most, entries.size()));
        while (taken.size() < most && !entries.isEmpty()) {
            Entry<T> entry = entries.remove();
            weight -= entry.weight();
            taken.add(entry.work());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    /** Takes nothing more; what waits is still handed out. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** How many entries wait. */
    synchronized int size() {
        return entries.size();
    }
}
