package io.meshhub.routing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the refusals of one address have used up of a {@link RideOutPolicy}, on both axes; immutable.
 *
 * <p>An activation above the highest seen is charged to the activation axis, and the repeats start at 0 again. The same
 * or a lower one is charged to the time axis. One that cannot be told is charged to the activation axis, and rests as
 * well. A success is answered with a {@linkplain #none fresh} budget.
 */
public final class RideOutBudget {

    /** The axis to which a refusal was charged. */
    public enum Axis {
        /** Does the address recycle in a loop? */
        ACTIVATION,
        /** Is this one teardown still draining? */
        TIME
    }

    private static final RideOutBudget NONE = new RideOutBudget(null, 0, 0, null, false);

    private final @Nullable ActivationId highest;
    private final int activations;
    private final int repeats;
    private final @Nullable Axis last;
    private final boolean rest;

    private RideOutBudget(
            @Nullable ActivationId highest, int activations, int repeats, @Nullable Axis last, boolean rest) {
        this.highest = highest;
        this.activations = activations;
        this.repeats = repeats;
        this.last = last;
        this.rest = rest;
    }

    /** A budget that nothing was charged to. */
    public static RideOutBudget none() {
        return NONE;
    }

    /** The budget after one more refusal, by the given activation or by one that cannot be told. */
    public RideOutBudget charge(Optional<ActivationId> refusedBy) {
        if (refusedBy.isEmpty()) {
            return new RideOutBudget(highest, activations + 1, repeats, Axis.ACTIVATION, true);
        }
        ActivationId id = refusedBy.get();
        if (highest == null || id.compareTo(highest) > 0) {
            return new RideOutBudget(id, activations + 1, 0, Axis.ACTIVATION, false);
        }
        return new RideOutBudget(highest, activations, repeats + 1, Axis.TIME, true);
    }

    /**
     * The budget after one more refusal, by an activation of which only the tag is known.
     *
     * <p>A tag has no order. One that refused before repeats itself; another one is a further activation, and rests as well
     * since it may be an older one.
     *
     * @param seen whether an activation with this tag refused before
     */
    public RideOutBudget chargeTag(boolean seen) {
        return seen
                ? new RideOutBudget(highest, activations, repeats + 1, Axis.TIME, true)
                : new RideOutBudget(highest, activations + 1, 0, Axis.ACTIVATION, true);
    }

    /** Whether the axis of the last refusal is over its bound, so that the rider gives up. */
    public boolean exhausted(RideOutPolicy policy) {
        return activations > policy.activationBound() || repeats > policy.repeatBound();
    }

    /** Whether the next ask waits one pace; if not it may go at once. */
    public boolean rests() {
        return rest;
    }

    /** The axis of the last refusal; empty before the first. */
    public Optional<Axis> axis() {
        return Optional.ofNullable(last);
    }

    /** The highest activation that refused; empty while none could be told. */
    public Optional<ActivationId> highest() {
        return Optional.ofNullable(highest);
    }

    /** Refusals on the activation axis, as observed. */
    public int activations() {
        return activations;
    }

    /** Repeats of the highest activation, as observed. */
    public int repeats() {
        return repeats;
    }
}
