package io.meshhub.routing.router;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.RideOutPolicy;

/**
 * The bounds of a router.
 *
 * @param budgets the ladder of time budgets
 * @param rideOut the pace at which refusals are ridden out
 * @param maxBodyBytes the largest body that travels to another node, request or reply
 * @param bounds how much is held and in flight at most
 */
public record RouterOptions(BudgetLadder budgets, RideOutPolicy rideOut, int maxBodyBytes, InFlightBounds bounds) {

    /** How often one message is re-routed before its route counts as unavailable. */
    static final int MAX_CORRECTIONS = 5;

    public RouterOptions {
        if (maxBodyBytes < 1) {
            throw new IllegalArgumentException("maxBodyBytes = " + maxBodyBytes + " must be >= 1");
        }
        if (bounds.leastBytes() < maxBodyBytes) {
            throw new IllegalArgumentException(
                    "the bounds in bytes (" + bounds + ") must be >= maxBodyBytes = " + maxBodyBytes);
        }
    }

    /** The defaults under the given budgets. */
    public static RouterOptions of(BudgetLadder budgets) {
        return of(budgets, RideOutPolicy.ofDefaults());
    }

    /** The defaults under the given budgets, with another way to ride out refusals. */
    public static RouterOptions of(BudgetLadder budgets, RideOutPolicy rideOut) {
        return new RouterOptions(budgets, rideOut, Envelope.DEFAULT_MAX_BODY_BYTES, InFlightBounds.ofDefaults());
    }

    /** The same with other bounds of what is held and in flight. */
    public RouterOptions withBounds(InFlightBounds newBounds) {
        return new RouterOptions(budgets, rideOut, maxBodyBytes, newBounds);
    }
}
