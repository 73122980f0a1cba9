package io.meshhub.routing.router;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.RideOutPolicy;
import java.time.Duration;

/**
 * The bounds of a router.
 *
 * @param budgets the ladder of time budgets
 * @param rideOut the pace at which refusals are ridden out
 * @param maxBodyBytes the largest body that travels to another node, request or reply
 * @param inFlightPerNode the most messages that wait for an answer of one node
 * @param inFlightBytesPerNode the most bytes of bodies among them
 */
public record RouterOptions(
        BudgetLadder budgets, RideOutPolicy rideOut, int maxBodyBytes, int inFlightPerNode, long inFlightBytesPerNode) {

    /** Messages in flight to one node: 65,536. */
    public static final int DEFAULT_IN_FLIGHT_PER_NODE = 65_536;

    /** Bytes in flight to one node: 64 MiB. */
    public static final long DEFAULT_IN_FLIGHT_BYTES_PER_NODE = 64L * 1024 * 1024;

    /** When to come back after an in-flight bound was met: 100 ms. */
    static final Duration OVERLOAD_RETRY = Duration.ofMillis(100);

    /** How often one message is re-routed before its route counts as unavailable. */
    static final int MAX_CORRECTIONS = 5;

    public RouterOptions {
        requirePositive("maxBodyBytes", maxBodyBytes);
        requirePositive("inFlightPerNode", inFlightPerNode);
        if (inFlightBytesPerNode < maxBodyBytes) {
            throw new IllegalArgumentException(
                    "inFlightBytesPerNode = " + inFlightBytesPerNode + " must be >= maxBodyBytes = " + maxBodyBytes);
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " = " + value + " must be >= 1");
        }
    }

    /** The defaults under the given budgets. */
    public static RouterOptions of(BudgetLadder budgets) {
        return of(budgets, RideOutPolicy.ofDefaults());
    }

    /** The defaults under the given budgets, with another way to ride out refusals. */
    public static RouterOptions of(BudgetLadder budgets, RideOutPolicy rideOut) {
        return new RouterOptions(
                budgets,
                rideOut,
                Envelope.DEFAULT_MAX_BODY_BYTES,
                DEFAULT_IN_FLIGHT_PER_NODE,
                DEFAULT_IN_FLIGHT_BYTES_PER_NODE);
    }
}
