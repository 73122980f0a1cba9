package io.meshhub.sync.protocol;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * When a client process tells a node which streams it follows there: one message in an interval, for all of them. Without
 * a clock, a bus or a thread: it is touched by one thread at a time, and sends nothing itself.
 *
 * <p>A stream of which the node says that its address does not exist is told of no more. Nothing else ends it: a node that
 * refuses, is silent or knows nothing of a stream hears of it again. Without streams there is no beat.
 */
public final class KeepAlive {

    /** The first beat of a link comes no later than this: 5 s. */
    public static final Duration FIRST = Duration.ofSeconds(5);

    private final Set<String> streams = new LinkedHashSet<>();
    private OptionalLong due = OptionalLong.empty();
    private long intervalNanos;
    private long beats;

    /** A link without streams. */
    public KeepAlive() {}

    /**
     * Follows a stream from now on.
     *
     * @param interval how often the node wants to hear of it; the last one that it said counts
     */
    public void add(String stream, Duration interval, long now) {
        intervalNanos = interval.toNanos();
        streams.add(stream);
        if (due.isEmpty()) {
            due = OptionalLong.of(now + Math.min(intervalNanos, FIRST.toNanos()));
        }
    }

    /** Follows a stream no longer. */
    public void remove(String stream) {
        streams.remove(stream);
        if (streams.isEmpty()) {
            due = OptionalLong.empty();
        }
    }

    /** When the next beat is to be sent; empty when there is nothing to beat for. */
    public OptionalLong due() {
        return due;
    }

    /** How long a beat may wait for its answer: shorter than an interval, so that never two wait. */
    public Duration answerBound() {
        return Duration.ofNanos(Math.max(1, intervalNanos - intervalNanos / 10));
    }

    /**
     * The time has come.
     *
     * @return the streams to be told of, of which none is dropped meanwhile; none when it is too early
     */
    public Set<String> beat(long now) {
        if (due.isEmpty() || now - due.getAsLong() < 0) {
            return Set.of();
        }
        due = OptionalLong.of(now + intervalNanos);
        beats++;
        return new TreeSet<>(streams);
    }

    /**
     * The node answered.
     *
     * @param statuses the streams of which it said that they are not alive
     * @return what is news: of the streams that are still followed
     */
    public Map<String, Beat.Status> answered(Map<String, Beat.Status> statuses) {
        Map<String, Beat.Status> news = new TreeMap<>(statuses);
        news.keySet().retainAll(streams);
        news.forEach((stream, status) -> {
            if (status == Beat.Status.NOT_FOUND) {
                remove(stream);
            }
        });
        return news;
    }

    /** How many beats there were. */
    public long beats() {
        return beats;
    }

    /** The streams that are followed. */
    public Set<String> streams() {
        return Set.copyOf(streams);
    }
}
