package io.meshhub.query;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and how long he waits. Two principals never share a result.
 *
 * @param principal whose grants decide what is found; null for the mesh itself
 * @param left the time that he has left; null where he has no deadline. It shortens the wait for the first results,
 *     never lengthens it
 */
public record QueryCaller(
        @Nullable String principal, @Nullable Duration left) {

    /** The mesh itself, without a deadline. */
    public static final QueryCaller MESH = new QueryCaller(null, null);

    /** That principal, without a deadline. */
    public static QueryCaller of(String principal) {
        return new QueryCaller(principal, null);
    }

    /** The same with so much time left. */
    public QueryCaller within(Duration newLeft) {
        return new QueryCaller(principal, newLeft);
    }

    Optional<Duration> timeLeft() {
        return Optional.ofNullable(left);
    }
}
