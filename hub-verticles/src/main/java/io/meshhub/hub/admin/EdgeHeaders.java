package io.meshhub.hub.admin;

import io.meshhub.routing.EnvelopeHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The only headers of a request that travel with its message: deadline, correlation id and trace context.
 *
 * <p>Every other header that begins with {@code mesh-} has no effect: principal, hops and sender are never taken from a
 * client's word.
 *
 * @param correlationId the client's, or a new one
 * @param traceparent the W3C trace context; null without a well-formed one, as its specification asks
 * @param deadlineMs the client's, at most the operation's budget
 */
record EdgeHeaders(String correlationId, @Nullable String traceparent, long deadlineMs) {

    static final String CORRELATION_ID = "Mesh-Correlation-Id";
    static final String DEADLINE_MS = "Mesh-Deadline-Ms";
    static final String MESSAGE_TYPE = "Mesh-Type";

    /** The most characters of a correlation id. */
    static final int MAX_CORRELATION_LENGTH = 128;

    private static final Pattern CORRELATION = Pattern.compile("[A-Za-z0-9._~:/+=@-]+");
    private static final Pattern TRACE = Pattern.compile("(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final String KEY = "io.meshhub.hub.admin.correlationId";

    /**
     * Gives the request its correlation id and its answer the same, whatever the answer will be.
     *
     * @throws Problem when the client's is malformed; the answer then carries a new one
     */
    static void begin(RoutingContext ctx) {
        String given = ctx.request().getHeader(CORRELATION_ID);
        boolean sound = given != null
                && given.length() <= MAX_CORRELATION_LENGTH
                && CORRELATION.matcher(given).matches();
        String id = given != null && sound ? given : newId();
        ctx.put(KEY, id);
        ctx.response().putHeader(CORRELATION_ID, id);
        if (given != null && !sound) {
            throw Problem.rejected("Header '" + CORRELATION_ID + "' must be 1 to " + MAX_CORRELATION_LENGTH
                    + " letters, digits or any of . _ ~ : / + = @ -; it has " + given.length() + " characters");
        }
    }

    /** The correlation id that {@link #begin} gave the request. */
    static String correlationId(RoutingContext ctx) {
        String id = ctx.get(KEY);
        return id == null ? newId() : id;
    }

    static EdgeHeaders of(RoutingContext ctx, Duration operation) {
        HttpServerRequest request = ctx.request();
        String trace = request.getHeader(EnvelopeHeaders.TRACEPARENT);
        boolean traced = trace != null && TRACE.matcher(trace).matches();
        return new EdgeHeaders(correlationId(ctx), traced ? trace : null, deadline(request, operation));
    }

    private static long deadline(HttpServerRequest request, Duration operation) {
        String text = request.getHeader(DEADLINE_MS);
        if (text == null) {
            return operation.toMillis();
        }
        try {
            long given = Long.parseLong(text.trim());
            if (given >= 1) {
                return Math.min(given, operation.toMillis());
            }
        } catch (NumberFormatException e) {
            // Said below, like a number out of its range.
        }
        throw Problem.rejected(
                "Header '" + DEADLINE_MS + "' = '" + text + "' must be a whole number of milliseconds >= 1");
    }

    static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }
}
