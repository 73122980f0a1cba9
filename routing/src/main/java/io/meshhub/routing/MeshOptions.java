package io.meshhub.routing;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one message is sent; immutable, each {@code with} makes another. */
public final class MeshOptions {

    /** The request rung, ridden out, not idempotent, the type of the body. */
    public static final MeshOptions DEFAULT = new MeshOptions(null, true, false, null, null, null, null);

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final @Nullable Duration deadline;
    private final boolean rideOut;
    private final boolean idempotent;
    private final @Nullable String type;
    private final @Nullable MeshAddress from;
    private final @Nullable String principal;
    private final @Nullable String correlationId;

    private MeshOptions(
            @Nullable Duration deadline,
            boolean rideOut,
            boolean idempotent,
            @Nullable String type,
            @Nullable MeshAddress from,
            @Nullable String principal,
            @Nullable String correlationId) {
        this.deadline = deadline;
        this.rideOut = rideOut;
        this.idempotent = idempotent;
        this.type = type;
        this.from = from;
        this.principal = principal;
        this.correlationId = correlationId;
    }

    /**
     * Ends the request after that time at the latest; the request rung of the {@link BudgetLadder} where it is not set.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public MeshOptions withDeadline(Duration newDeadline) {
        if (newDeadline.isNegative() || newDeadline.isZero()) {
            throw new IllegalArgumentException("deadline = " + newDeadline + " must be > 0");
        }
        // What is meant as "never" must fit into nanoseconds.
        Duration bounded = newDeadline.compareTo(LONGEST) > 0 ? LONGEST : newDeadline;
        return new MeshOptions(bounded, rideOut, idempotent, type, from, principal, correlationId);
    }

    /** With false, hands back the first refusal instead of asking again. */
    public MeshOptions withRideOut(boolean newRideOut) {
        return new MeshOptions(deadline, newRideOut, idempotent, type, from, principal, correlationId);
    }

    /** With true, a message that may have been executed is sent again inside its deadline. */
    public MeshOptions withIdempotent(boolean newIdempotent) {
        return new MeshOptions(deadline, rideOut, newIdempotent, type, from, principal, correlationId);
    }

    /** Names the message type, other than the one of the body's class. */
    public MeshOptions withType(String newType) {
        return new MeshOptions(deadline, rideOut, idempotent, newType, from, principal, correlationId);
    }

    /** Names the address that sends. */
    public MeshOptions withFrom(@Nullable MeshAddress newFrom) {
        return new MeshOptions(deadline, rideOut, idempotent, type, newFrom, principal, correlationId);
    }

    /** Sends on behalf of that principal, other than the one of the {@link CallScope}. */
    public MeshOptions withPrincipal(@Nullable String newPrincipal) {
        return new MeshOptions(deadline, rideOut, idempotent, type, from, newPrincipal, correlationId);
    }

    /** Names the correlation id, other than the one of the {@link CallScope}. */
    public MeshOptions withCorrelationId(@Nullable String newCorrelationId) {
        return new MeshOptions(deadline, rideOut, idempotent, type, from, principal, newCorrelationId);
    }

    /** After what time the message ends. */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** Whether refusals that did nothing are ridden out. */
    public boolean rideOut() {
        return rideOut;
    }

    /** Whether a second execution does no harm. */
    public boolean idempotent() {
        return idempotent;
    }

    /** The message type, when it is named. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** The address that sends, when it is named. */
    public Optional<MeshAddress> from() {
        return Optional.ofNullable(from);
    }

    /** The principal, when it is named. */
    public Optional<String> principal() {
        return Optional.ofNullable(principal);
    }

    /** The correlation id, when it is named. */
    public Optional<String> correlationId() {
        return Optional.ofNullable(correlationId);
    }
}
