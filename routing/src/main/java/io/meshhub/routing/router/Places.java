package io.meshhub.routing.router;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bounded number of places, in messages and in bytes; safe from any thread.
 *
 * <p>Both numbers stand in one word, so that a place costs one atomic step to take and one to give back. Whoever took a
 * place gives it back once, with the same number of bytes.
 */
final class Places {

    private static final int BYTE_BITS = 40;
    private static final long BYTES = (1L << BYTE_BITS) - 1;

    /** The most that can be counted, leaving room for those who come past the bound at the same moment. */
    static final int MAX_COUNT = (1 << 22) - 1;

    static final long MAX_BYTES = (1L << (BYTE_BITS - 2)) - 1;

    private final int maxCount;
    private final long maxBytes;
    private final AtomicLong taken = new AtomicLong();

    Places(int maxCount, long maxBytes) {
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a place, when there is one.
     *
     * @return {@link Taken#YES}, or which bound was met and the number that met it
     */
    Taken take(int bytes) {
        long now = taken.addAndGet(word(bytes));
        int count = count(now);
        long sum = now & BYTES;
        if (count <= maxCount && sum <= maxBytes) {
            return Taken.YES;
        }
        give(bytes);
        boolean many = count > maxCount;
        return new Taken(false, many, many ? count : sum);
    }

    /**
     * How the taking of a place went.
     *
     * @param done whether it was taken
     * @param tooMany whether the count was the bound that was met, else the bytes
     * @param observed the number that met the bound, with the one that was refused
     */
    record Taken(boolean done, boolean tooMany, long observed) {
        static final Taken YES = new Taken(true, false, 0);

        /** The name of the bound that was met. */
        String bound(String name) {
            return tooMany ? name : name + "Bytes";
        }
    }

    /** Gives a place back. */
    void give(int bytes) {
        taken.addAndGet(-word(bytes));
    }

    /** Gives so many places back, with the bytes of all. */
    void give(int places, long bytes) {
        taken.addAndGet(-(((long) places << BYTE_BITS) + bytes));
    }

    private static long word(int bytes) {
        return (1L << BYTE_BITS) + bytes;
    }

    int count() {
        return count(taken.get());
    }

    private static int count(long word) {
        return (int) (word >>> BYTE_BITS);
    }

    long bytes() {
        return taken.get() & BYTES;
    }
}
