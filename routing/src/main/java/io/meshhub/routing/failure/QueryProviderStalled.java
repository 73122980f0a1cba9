package io.meshhub.routing.failure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A query provider gave no first result within its rung. Deliberately no time-out type, and never retried: a longer
 * wait does not mend a provider that says nothing.
 */
public final class QueryProviderStalled extends MeshException {

    /** The wire code: {@value}. */
    public static final int CODE = 5041;

    /** The most stalls that a text names each; it counts the others. */
    private static final int NAMED = 16;

    /**
     * One provider that said nothing.
     *
     * @param provider its name
     * @param waited for how long it had no thread or connection, rests between asks included
     * @param own the time that it took by itself
     * @param asks how often it was asked
     * @param heard whether anything was heard of it when it was asked last; false where its node did not even say that it
     *     was reached, so that nothing is known of its time
     */
    public record Stall(String provider, Duration waited, Duration own, int asks, boolean heard) {

        /** One that was reached. */
        public Stall(String provider, Duration waited, Duration own, int asks) {
            this(provider, waited, own, asks, true);
        }

        /** Whether it had no thread or connection for most of the time. */
        public boolean isOfItsPool() {
            return heard && waited.compareTo(own) > 0;
        }

        private String text() {
            String asked = asks > 1 ? ", asked " + asks + " times" : "";
            if (!heard) {
                return "'" + provider + "' (nothing was heard of it" + asked + ")";
            }
            return "'" + provider + "' (" + seconds(waited) + " waiting for its pool, " + seconds(own) + " of its own"
                    + asked + ")";
        }
    }

    private final List<Stall> stalls;
    private final Duration rung;

    /**
     * Says so, with what is known.
     *
     * @param stalls all that did not answer
     * @param rung the budget that they had
     */
    public QueryProviderStalled(String message, FailureDetail detail, Collection<Stall> stalls, Duration rung) {
        super(CODE, message, detail);
        this.stalls = List.copyOf(stalls);
        this.rung = rung;
    }

    /**
     * Names all that did not answer, and says what is to be done.
     *
     * @param query the text of the query
     * @param providers how many providers were asked
     */
    public static QueryProviderStalled of(
            String query, FailureDetail detail, List<Stall> stalls, Duration rung, int providers) {
        String names = stalls.stream().limit(NAMED).map(Stall::text).collect(Collectors.joining(", "));
        String others = stalls.size() > NAMED ? " and " + (stalls.size() - NAMED) + " more" : "";
        return new QueryProviderStalled(
                "Query '" + query + "' ended after " + seconds(rung) + ": no first result of " + names + others + "; "
                        + (providers - stalls.size()) + " of " + providers + " answered. "
                        + mend(stalls) + "; do not raise the caller's time-out",
                detail,
                stalls,
                rung);
    }

    private static String mend(List<Stall> stalls) {
        if (!stalls.isEmpty() && stalls.stream().noneMatch(Stall::heard)) {
            return "Mend the node of the provider, or the way to it";
        }
        return !stalls.isEmpty() && stalls.stream().allMatch(Stall::isOfItsPool)
                ? "Mend the pool that they wait for"
                : "Mend the provider";
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    /** All providers that did not answer. */
    public List<Stall> stalls() {
        return stalls;
    }

    /** The names of all providers that did not answer. */
    public List<String> providers() {
        return stalls.stream().map(Stall::provider).toList();
    }

    /** The budget that they had. */
    public Duration rung() {
        return rung;
    }

    @Override
    Remedy ownRemedy() {
        return Remedy.REPORT;
    }

    @Override
    public QueryProviderStalled withDetail(FailureDetail newDetail) {
        return new QueryProviderStalled(getMessage(), newDetail, stalls, rung);
    }
}
