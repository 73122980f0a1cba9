package io.meshhub.hub.guard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches how many messages of each type come to one address, and refuses a type that comes in a flood until it has
 * calmed down. A state machine without a clock; not safe for several threads.
 *
 * <p>A type is counted in windows of one second. Above the limit it trips; all further messages of the type are refused,
 * and still counted. It heals at the end of the first window with no more than the limit. Other types never suffer from
 * it. At most {@value #MAX_KEYS} types are watched at a time: one that comes while all of them are busy passes.
 */
public final class StormGuard {

    /** The most types that are watched at a time. */
    public static final int MAX_KEYS = 8;

    /** The length of a window: 1 s. */
    public static final long WINDOW_NANOS = 1_000_000_000L;

    private static final class Key {
        private String type;
        private long since;
        private long count;
        private boolean tripped;

        Key(String type, long now) {
            this.type = type;
            this.since = now;
        }

        void begin(String newType, long now) {
            type = newType;
            since = now;
            count = 0;
            tripped = false;
        }

        void rollTo(long now, int limit) {
            long elapsed = now - since;
            if (elapsed >= WINDOW_NANOS) {
                // Nothing came in a window that was left out.
                tripped = tripped && count > limit && elapsed < 2 * WINDOW_NANOS;
                since = elapsed < 2 * WINDOW_NANOS ? since + WINDOW_NANOS : now;
                count = 0;
            }
        }

        boolean isCalm(long now, int limit) {
            rollTo(now, limit);
            return !tripped && count == 0;
        }
    }

    /**
     * What becomes of one message.
     *
     * @param passes whether it may be handled
     * @param trips whether its type begins to be refused with it
     * @param observed how many of its type came in this window so far
     * @param retryNanos when asking again makes sense; 0 when it passes
     */
    public record Verdict(boolean passes, boolean trips, long observed, long retryNanos) {
        static final Verdict PASS = new Verdict(true, false, 0, 0);
    }

    private final int limit;
    private final List<Key> keys = new ArrayList<>(1);

    /**
     * A guard of one address.
     *
     * @param limit the most messages of one type in a window; at least 1
     */
    public StormGuard(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit = " + limit + " must be >= 1");
        }
        this.limit = limit;
    }

    /** A message of the type has come. */
    public Verdict on(String type, long now) {
        Key key = find(type, now);
        if (key == null) {
            return Verdict.PASS;
        }
        key.rollTo(now, limit);
        key.count++;
        if (!key.tripped && key.count <= limit) {
            return Verdict.PASS;
        }
        boolean trips = !key.tripped;
        key.tripped = true;
        long rest = key.since + WINDOW_NANOS - now;
        // A window over the limit is followed by another one that must be calm.
        return new Verdict(false, trips, key.count, key.count > limit ? rest + WINDOW_NANOS : rest);
    }

    @Nullable
    private Key find(String type, long now) {
        for (Key key : keys) {
            if (key.type.equals(type)) {
                return key;
            }
        }
        if (keys.size() < MAX_KEYS) {
            Key key = new Key(type, now);
            keys.add(key);
            return key;
        }
        for (Key key : keys) {
            if (key.isCalm(now, limit)) {
                key.begin(type, now);
                return key;
            }
        }
        return null;
    }

    /** Whether nothing came of late and nothing is refused: then it can be forgotten. */
    public boolean isCalm(long now) {
        for (Key key : keys) {
            if (!key.isCalm(now, limit)) {
                return false;
            }
        }
        return true;
    }
}
