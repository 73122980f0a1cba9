package io.meshhub.query;

import java.time.Duration;

/**
 * The bounds of a {@link QueryFanIn}.
 *
 * @param flushPace how long changes gather before they are told
 * @param reopenPace the least time between two openings of a provider that takes back what it told
 * @param mostNodes the most nodes of a result without a limit; one that has more ends with {@link
 *     io.meshhub.routing.failure.Rejected}
 * @param mostWeight the most characters, about, that a result has as JSON when it is told as a whole; one that has more
 *     ends as well, before a page of it is made
 * @param mostProviders the most providers at one time
 * @param mostSubscribers the most callers that wait or listen at one time
 * @param mostBehind the most frames that wait for one listener; one that is further behind gets a reset in their place,
 *     once it has read on
 * @param mostUntaken the most changes of one provider that wait to be taken; one that tells more at once is opened again
 */
public record QueryOptions(
        Duration flushPace,
        Duration reopenPace,
        int mostNodes,
        int mostWeight,
        int mostProviders,
        int mostSubscribers,
        int mostBehind,
        int mostUntaken) {

    /** How long changes gather: 50 ms. */
    public static final Duration DEFAULT_FLUSH_PACE = Duration.ofMillis(50);

    /** The least time between two openings: 500 ms. */
    public static final Duration DEFAULT_REOPEN_PACE = Duration.ofMillis(500);

    /** The most nodes of a result without a limit: 10,000. */
    public static final int DEFAULT_MOST_NODES = 10_000;

    /** The most characters of a result: 16 Mi. */
    public static final int DEFAULT_MOST_WEIGHT = 16 * 1024 * 1024;

    /** The highest {@code mostNodes}: {@value}. */
    public static final int MAX_MOST_NODES = 1_000_000;

    /** The most providers: 256. */
    public static final int DEFAULT_MOST_PROVIDERS = 256;

    /** The most callers: 10,000. */
    public static final int DEFAULT_MOST_SUBSCRIBERS = 10_000;

    /** The most frames that wait for a listener: 256. */
    public static final int DEFAULT_MOST_BEHIND = 256;

    /** The most changes of a provider that wait: 10,000. */
    public static final int DEFAULT_MOST_UNTAKEN = 10_000;

    public QueryOptions {
        requirePositive("flushPace", flushPace);
        requirePositive("reopenPace", reopenPace);
        requirePositive("mostNodes", mostNodes);
        if (mostNodes > MAX_MOST_NODES) {
            throw new IllegalArgumentException("mostNodes = " + mostNodes + " must be <= " + MAX_MOST_NODES);
        }
        requirePositive("mostWeight", mostWeight);
        requirePositive("mostProviders", mostProviders);
        requirePositive("mostSubscribers", mostSubscribers);
        requirePositive("mostBehind", mostBehind);
        requirePositive("mostUntaken", mostUntaken);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " = " + value + " must be > 0");
        }
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " = " + value + " must be >= 1");
        }
    }

    /** The bounds where nothing is set. */
    public static QueryOptions ofDefaults() {
        return new QueryOptions(
                DEFAULT_FLUSH_PACE,
                DEFAULT_REOPEN_PACE,
                DEFAULT_MOST_NODES,
                DEFAULT_MOST_WEIGHT,
                DEFAULT_MOST_PROVIDERS,
                DEFAULT_MOST_SUBSCRIBERS,
                DEFAULT_MOST_BEHIND,
                DEFAULT_MOST_UNTAKEN);
    }

    /** The same with another bound of nodes. */
    public QueryOptions withMostNodes(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, newBound, mostWeight, mostProviders, mostSubscribers, mostBehind, mostUntaken);
    }

    /** The same with another bound of characters of a result. */
    public QueryOptions withMostWeight(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, mostNodes, newBound, mostProviders, mostSubscribers, mostBehind, mostUntaken);
    }

    /** The same with another bound of callers. */
    public QueryOptions withMostSubscribers(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, mostNodes, mostWeight, mostProviders, newBound, mostBehind, mostUntaken);
    }

    /** The same with another bound of providers. */
    public QueryOptions withMostProviders(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, mostNodes, mostWeight, newBound, mostSubscribers, mostBehind, mostUntaken);
    }

    /** The same with another bound of frames that wait. */
    public QueryOptions withMostBehind(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, mostNodes, mostWeight, mostProviders, mostSubscribers, newBound, mostUntaken);
    }

    /** The same with another bound of changes that wait. */
    public QueryOptions withMostUntaken(int newBound) {
        return new QueryOptions(
                flushPace, reopenPace, mostNodes, mostWeight, mostProviders, mostSubscribers, mostBehind, newBound);
    }
}
