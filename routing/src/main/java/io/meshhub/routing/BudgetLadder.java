package io.meshhub.routing;

import java.time.Duration;

/**
 * The nested time budgets of one operation: each rung is strictly smaller than the one around it, since it is derived
 * from it by {@link #nest}.
 *
 * <p>Only the operation's time-out is a setting. Every constructor that waits takes its rung explicitly; nobody else
 * makes up a time-out. By default the rungs are 30, 25, 20 and 15 seconds.
 *
 * @param operation the outermost budget, that of an edge
 * @param request the budget of a request through {@link Mesh}
 * @param permission the budget of a permission check, and of the start of a hub
 * @param queryInitial the budget for the first result of every query provider
 */
public record BudgetLadder(Duration operation, Duration request, Duration permission, Duration queryInitial) {

    /** The operation's time-out where nothing is set: 30 s. */
    public static final Duration DEFAULT_OPERATION_TIMEOUT = Duration.ofSeconds(30);

    /** The shortest operation time-out that still leaves four distinct rungs of use: 100 ms. */
    public static final Duration MIN_OPERATION_TIMEOUT = Duration.ofMillis(100);

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration MAX_HOP_SHARE = Duration.ofMillis(250);

    public BudgetLadder {
        requireDescent("request", request, operation);
        requireDescent("permission", permission, request);
        requireDescent("queryInitial", queryInitial, permission);
    }

    private static void requireDescent(String name, Duration inner, Duration outer) {
        if (inner.compareTo(outer) >= 0 || inner.isNegative() || inner.isZero()) {
            throw new IllegalArgumentException(name + " = " + inner + " must be > 0 and < " + outer);
        }
    }

    /**
     * The ladder below an operation's time-out.
     *
     * @throws IllegalArgumentException when it is below {@link #MIN_OPERATION_TIMEOUT}
     */
    public static BudgetLadder of(Duration operationTimeout) {
        if (operationTimeout.compareTo(MIN_OPERATION_TIMEOUT) < 0) {
            throw new IllegalArgumentException("operation time-out = " + operationTimeout.toMillis() + " ms must be >= "
                    + MIN_OPERATION_TIMEOUT.toMillis() + " ms");
        }
        Duration request = nest(operationTimeout);
        Duration permission = nest(request);
        return new BudgetLadder(operationTimeout, request, permission, nest(permission));
    }

    /** The ladder where nothing is set. */
    public static BudgetLadder ofDefaults() {
        return of(DEFAULT_OPERATION_TIMEOUT);
    }

    /** The budget for what is waited for inside a budget: 5 s less, or half of it where that is more. */
    public static Duration nest(Duration outer) {
        Duration less = outer.minus(STEP);
        Duration half = part(outer, 2);
        return less.compareTo(half) > 0 ? less : half;
    }

    /** The bound of an inner wait: its own rung, or what nests in the time that is left where that is less. */
    public static Duration inner(Duration rung, Duration remaining) {
        Duration nested = nest(remaining);
        return rung.compareTo(nested) < 0 ? rung : nested;
    }

    /**
     * The time that travels with a message to the next hop: shortened by a tenth, at most 250 ms, so that the callee
     * answers by itself before the caller's own timer.
     */
    public static Duration forNextHop(Duration remaining) {
        Duration tenth = part(remaining, 10);
        return remaining.minus(tenth.compareTo(MAX_HOP_SHARE) < 0 ? tenth : MAX_HOP_SHARE);
    }

    // Duration divides by way of BigDecimal, which would be a good part of what a message costs.
    private static Duration part(Duration whole, int parts) {
        long seconds = whole.getSeconds();
        long nanos = (seconds % parts * NANOS_PER_SECOND + whole.getNano()) / parts;
        return Duration.ofSeconds(seconds / parts, nanos);
    }

    /** How long the start of a hub may take. */
    public Duration start() {
        return permission;
    }
}
