package io.meshhub.routing;

import java.time.Duration;

/**
 * How a shutting-down address is ridden out: the pace, and the two axes on which refusals are counted.
 *
 * <p>The <b>activation axis</b> asks whether the address recycles in a loop; it counts distinct activations. The <b>time
 * axis</b> asks whether one teardown is still draining; it counts repeats of one activation. Requests use the pace alone
 * and are bounded by their deadline; the sync latch uses both axes.
 *
 * @param pace the rest between two asks of one activation
 * @param activationBound how many distinct activations may refuse
 * @param repeatBound how often one activation may refuse again after its first refusal
 */
public record RideOutPolicy(Duration pace, int activationBound, int repeatBound) {

    /** The rest between two asks: 500 ms. */
    public static final Duration DEFAULT_PACE = Duration.ofMillis(500);

    /** Distinct activations that may refuse: 3. */
    public static final int DEFAULT_ACTIVATION_BOUND = 3;

    /** Repeats that one activation may refuse: 16. */
    public static final int DEFAULT_REPEAT_BOUND = 16;

    public RideOutPolicy {
        if (pace.isNegative() || pace.isZero()) {
            throw new IllegalArgumentException("pace = " + pace.toMillis() + " ms must be > 0 ms");
        }
        if (activationBound < 1) {
            throw new IllegalArgumentException("activationBound = " + activationBound + " must be >= 1");
        }
        if (repeatBound < 1) {
            throw new IllegalArgumentException("repeatBound = " + repeatBound + " must be >= 1");
        }
    }

    /** The policy where nothing is set: 500 ms, 3 activations, 16 repeats. */
    public static RideOutPolicy ofDefaults() {
        return new RideOutPolicy(DEFAULT_PACE, DEFAULT_ACTIVATION_BOUND, DEFAULT_REPEAT_BOUND);
    }

    /** When the last re-ask of one activation falls, counted from its first refusal: one pace for each repeat. */
    public Duration lastReask() {
        return pace.multipliedBy(repeatBound);
    }

    /** The refusals of one activation at which it is given up: the first, the allowed repeats, and the one too many. */
    public int refusalsAtGiveUp() {
        return 1 + repeatBound + 1;
    }

    /**
     * Checks that an orderly teardown always ends before a rider gives up on it.
     *
     * @param watchdog the bound after which a teardown is forced
     * @return this policy
     * @throws IllegalArgumentException when the last re-ask would fall before the watchdog and one further pace
     */
    public RideOutPolicy requireOutlasts(Duration watchdog) {
        Duration needed = watchdog.plus(pace);
        if (lastReask().compareTo(needed) < 0) {
            throw new IllegalArgumentException("the last re-ask, " + repeatBound + " x " + pace.toMillis() + " ms = "
                    + lastReask().toMillis() + " ms, must not fall before the disposal watchdog and one pace, "
                    + needed.toMillis() + " ms");
        }
        return this;
    }
}
