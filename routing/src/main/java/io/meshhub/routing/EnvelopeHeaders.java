package io.meshhub.routing;

import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The form of a message for peers without our codec: event-bus headers, or one JSON object with the same names.
 *
 * <p>As headers: {@code mesh-to}, {@code mesh-type}, {@code mesh-from}, {@code mesh-deadline-ms}, {@code mesh-hops},
 * {@code mesh-principal}, {@code mesh-correlation-id}, {@code mesh-ignorable}, {@code traceparent}, beside the body of
 * the event-bus message. As JSON: the same names, with the body under {@code body}.
 */
public final class EnvelopeHeaders {

    /** The address that the message is for. */
    public static final String TO = "mesh-to";

    /** The message type. */
    public static final String TYPE = "mesh-type";

    /** The address that sent it. */
    public static final String FROM = "mesh-from";

    /** The time that is left, in milliseconds. */
    public static final String DEADLINE_MS = "mesh-deadline-ms";

    /** How often the message was relayed. */
    public static final String HOPS = "mesh-hops";

    /** On whose behalf it is sent; edges set it themselves. */
    public static final String PRINCIPAL = "mesh-principal";

    /** Ties together all that one request caused. */
    public static final String CORRELATION_ID = "mesh-correlation-id";

    /** {@code true} when the message may be dropped without an answer. */
    public static final String IGNORABLE = "mesh-ignorable";

    /** The W3C trace context. */
    public static final String TRACEPARENT = "traceparent";

    private static final String BODY = "body";

    private EnvelopeHeaders() {}

    /** Whether a body is a message in its JSON form. */
    public static boolean isJsonForm(@Nullable Object body) {
        return body instanceof JsonObject json && json.getValue(TO) instanceof String;
    }

    /**
     * Reads the JSON form.
     *
     * @param budget the time it has when it does not say so itself, and the most that it gets
     * @throws Rejected when a value is missing or malformed; the message names it
     */
    public static Envelope fromJson(JsonObject json, Duration budget, boolean expectsReply) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        for (String name : json.fieldNames()) {
            Object value = json.getValue(name);
            if (!name.equals(BODY) && value != null) {
                headers.set(name, value.toString());
            }
        }
        return fromHeaders(headers, json.getValue(BODY), budget, expectsReply);
    }

    /** Writes the JSON form. */
    public static JsonObject toJson(Envelope envelope) {
        JsonObject json = new JsonObject();
        toHeaders(envelope).forEach(entry -> json.put(entry.getKey(), entry.getValue()));
        return json.put(BODY, envelope.body().toPlain());
    }

    /** Writes the headers. */
    public static MultiMap toHeaders(Envelope envelope) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .set(TO, envelope.to().toString())
                .set(TYPE, envelope.type())
                .set(DEADLINE_MS, Long.toString(envelope.deadlineMs()))
                .set(HOPS, Integer.toString(envelope.hops()));
        put(headers, FROM, envelope.from() == null ? null : envelope.from().toString());
        put(headers, PRINCIPAL, envelope.principal());
        put(headers, CORRELATION_ID, envelope.correlationId());
        put(headers, TRACEPARENT, envelope.traceparent());
        if (envelope.ignorable()) {
            headers.set(IGNORABLE, "true");
        }
        return headers;
    }

    private static void put(MultiMap headers, String name, @Nullable String value) {
        if (value != null) {
            headers.set(name, value);
        }
    }

    /**
     * Reads the headers, and takes over the body.
     *
     * @param budget the time it has when it does not say so itself, and the most that it gets
     * @param expectsReply whether its sender waits for an answer
     * @throws Rejected when a value is missing or malformed, or an ignorable message expects a reply
     */
    public static Envelope fromHeaders(MultiMap headers, @Nullable Object body, Duration budget, boolean expectsReply) {
        String to = headers.get(TO);
        if (to == null) {
            throw new Rejected(
                    "Message without a header '" + TO + "' was rejected: it names no address", FailureDetail.NONE, -1);
        }
        MeshAddress address = MeshAddress.of(to);
        MeshBody taken = MeshBody.of(body);
        String type = headers.get(TYPE);
        boolean ignorable = Boolean.parseBoolean(headers.get(IGNORABLE));
        if (ignorable && expectsReply) {
            throw Rejected.message(address, "it is ignorable and has a reply address");
        }
        String from = headers.get(FROM);
        return new Envelope(
                address,
                type == null || type.isEmpty() ? MessageType.Names.ofBody(taken) : type,
                taken,
                ignorable ? Verb.NOTIFY : expectsReply ? Verb.REQUEST : Verb.SEND,
                from == null ? null : MeshAddress.of(from),
                Math.min(budget.toMillis(), number(address, headers, DEADLINE_MS, budget.toMillis(), 1)),
                (int) Math.min(Integer.MAX_VALUE, number(address, headers, HOPS, 0, 0)),
                headers.get(PRINCIPAL),
                headers.get(CORRELATION_ID),
                headers.get(TRACEPARENT),
                0);
    }

    private static long number(MeshAddress address, MultiMap headers, String name, long otherwise, long min) {
        String text = headers.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.trim());
            if (value >= min) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw Rejected.message(address, "header '" + name + "' = '" + text + "' is no whole number");
        }
        throw Rejected.message(address, "header '" + name + "' = " + text + " must be >= " + min);
    }
}
