package io.meshhub.routing;

import org.jspecify.annotations.Nullable;

/**
 * A message with everything that travels with it; immutable.
 *
 * @param to the address that it is for
 * @param type chooses the handler
 * @param body what it says
 * @param verb what its sender waits for
 * @param from the address that sent it; null when no hub did
 * @param deadlineMs the time that is left for it in milliseconds, as a duration, since clocks of two machines are never
 *     compared
 * @param hops how often it was relayed
 * @param principal on whose behalf it is sent
 * @param correlationId ties together all that one request caused
 * @param traceparent the W3C trace context
 * @param epoch the shard's epoch as its sender knows it; 0 when it knows none
 */
public record Envelope(
        MeshAddress to,
        String type,
        MeshBody body,
        Verb verb,
        @Nullable MeshAddress from,
        long deadlineMs,
        int hops,
        @Nullable String principal,
        @Nullable String correlationId,
        @Nullable String traceparent,
        long epoch) {

    /** A message that was relayed more often than this goes in circles. */
    public static final int MAX_HOPS = 8;

    /** The largest body that travels to another node, in bytes, where nothing is set: 4 MiB. */
    public static final int DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024;

    /** Whether it is dropped without an answer where it cannot be delivered. */
    public boolean ignorable() {
        return verb == Verb.NOTIFY;
    }

    /** The same message on its way to an owner of that epoch, with that much time left. */
    public Envelope routed(long newEpoch, long newDeadlineMs) {
        return new Envelope(
                to, type, body, verb, from, newDeadlineMs, hops, principal, correlationId, traceparent, newEpoch);
    }

    /** The same message on behalf of another principal; null for nobody's. */
    public Envelope onBehalfOf(@Nullable String newPrincipal) {
        return new Envelope(
                to, type, body, verb, from, deadlineMs, hops, newPrincipal, correlationId, traceparent, epoch);
    }

    /** The same message with a body of its own, for one more attempt. */
    public Envelope copy() {
        MeshBody own = body.copy();
        return own == body
                ? this
                : new Envelope(
                        to, type, own, verb, from, deadlineMs, hops, principal, correlationId, traceparent, epoch);
    }
}
