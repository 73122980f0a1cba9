package io.meshhub.sync.protocol;

import io.meshhub.routing.RideOutPolicy;
import java.time.Duration;

/**
 * What a {@link Latch} may spend: the pace and both bounds of a ride-out, and what is charged to neither.
 *
 * @param policy the pace, and how many activations and repeats may refuse
 * @param watchdog the bound after which the teardown of an owner is forced; the last re-ask of one activation never
 *     falls before it and one further pace
 * @param longestRest where the rests that double from the pace stop
 * @param burst for how long after a re-ask further triggers share the next one
 */
public record LatchBudget(RideOutPolicy policy, Duration watchdog, Duration longestRest, Duration burst) {

    /** Where the doubling stops: 5 s. */
    public static final Duration DEFAULT_LONGEST_REST = Duration.ofSeconds(5);

    /** For how long triggers share a re-ask: 1 s. */
    public static final Duration DEFAULT_BURST = Duration.ofSeconds(1);

    public LatchBudget {
        policy.requireOutlasts(watchdog);
        requireNotBelowPace("longestRest", longestRest, policy.pace());
        requireNotBelowPace("burst", burst, policy.pace());
    }

    /** The budget where nothing is set, for owners whose teardown is forced after so long. */
    public static LatchBudget ofDefaults(Duration watchdog) {
        return of(RideOutPolicy.ofDefaults(), watchdog);
    }

    /** The budget of those who ride out so, for such owners: with the usual rest and burst, or a pace that is longer. */
    public static LatchBudget of(RideOutPolicy policy, Duration watchdog) {
        return new LatchBudget(
                policy, watchdog, longer(policy.pace(), DEFAULT_LONGEST_REST), longer(policy.pace(), DEFAULT_BURST));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static void requireNotBelowPace(String name, Duration value, Duration pace) {
        if (value.compareTo(pace) < 0) {
            throw new IllegalArgumentException(
                    name + " = " + value.toMillis() + " ms must be >= the pace, " + pace.toMillis() + " ms");
        }
    }

    long paceNanos() {
        return policy.pace().toNanos();
    }

    /**
     * The rest after so many refusals in a row that are charged to neither axis: it doubles from the pace, and is
     * spread over the third below 1.5 times that, or below the longest rest.
     *
     * @param jitter where in the spread, from 0 to 1
     */
    long delayNanos(int delays, double jitter) {
        long longest = longestRest.toNanos();
        long nominal = paceNanos();
        for (int i = 1; i < delays && nominal < longest; i++) {
            nominal *= 2;
        }
        long upper = Math.min(nominal + nominal / 2, longest);
        return Math.max(upper - (long) ((1 - jitter) * (upper / 3.0)), paceNanos());
    }
}
