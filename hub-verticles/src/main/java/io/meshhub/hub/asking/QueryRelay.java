package io.meshhub.hub.asking;

import io.meshhub.hub.guard.Gates;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QuerySyntaxException;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.EntryGate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Queries for everybody without our codecs: {@code mesh.query}, one clustered consumer on each node, which takes an
 * object with a text {@code q} and answers with a page, or with a plain failure code and a text.
 *
 * <p>A header {@code mesh-deadline-ms}, or a field of that name, shortens the wait; who asks says so with credentials in the
 * header {@code authorization}, where that is required.
 */
final class QueryRelay {

    /** The address of the relay. */
    static final String ADDRESS = "mesh.query";

    private static final String QUERY = "q";
    private static final Set<String> FIELDS = Set.of(QUERY, EnvelopeHeaders.DEADLINE_MS);

    private final QueryFanIn queries;
    private final Duration budget;
    private final Gates gates;
    private final ContextInternal busContext;
    private volatile @Nullable MessageConsumer<Object> consumer;

    /**
     * A relay that is not there yet.
     *
     * @param budget for a peer that says no deadline
     * @param gates say who asks, and whether he may
     */
    QueryRelay(QueryFanIn queries, Duration budget, Gates gates, ContextInternal busContext) {
        this.queries = queries;
        this.budget = budget;
        this.gates = gates;
        this.busContext = busContext;
    }

    /** Registers this node's relay. */
    Future<Void> start() {
        Promise<Void> promise = Promise.promise();
        busContext.runOnContext(turn -> {
            MessageConsumer<Object> registered = busContext.owner().eventBus().consumer(ADDRESS, this::relay);
            consumer = registered;
            registered.completion().onComplete(promise);
        });
        return promise.future();
    }

    /** Takes no more; what was taken is still answered. */
    Future<Void> stop() {
        MessageConsumer<Object> registered = consumer;
        return registered == null ? Future.succeededFuture() : registered.unregister();
    }

    private void relay(Message<Object> message) {
        Query query;
        Duration left;
        try {
            JsonObject body = body(message.body());
            query = Query.parse(body.getString(QUERY));
            left = left(message, body);
        } catch (QuerySyntaxException e) {
            fail(message, new Rejected(String.valueOf(e.getMessage()), FailureDetail.NONE, e.position()));
            return;
        } catch (MeshException e) {
            fail(message, e);
            return;
        }
        gates.principalOf(message.headers().get(EntryGate.AUTHORIZATION))
                .compose(principal -> gates.mayQuery(principal.orElse(null), query)
                        .compose(may -> queries.run(query, new QueryCaller(principal.orElse(null), left))))
                .onComplete((result, failure) -> {
                    if (failure != null) {
                        fail(message, failure);
                    } else {
                        message.reply(QueryJson.page(query, result));
                    }
                });
    }

    private static JsonObject body(@Nullable Object body) {
        if (!(body instanceof JsonObject json) || !(json.getValue(QUERY) instanceof String)) {
            throw rejected("the body must be a JSON object whose field 'q' is a text");
        }
        Set<String> unknown = new TreeSet<>(json.fieldNames());
        unknown.removeAll(FIELDS);
        if (!unknown.isEmpty()) {
            throw rejected("fields " + unknown + " are not known here; known are " + new TreeSet<>(FIELDS));
        }
        return json;
    }

    private Duration left(Message<Object> message, JsonObject body) {
        String header = message.headers().get(EnvelopeHeaders.DEADLINE_MS);
        Object given = header == null ? body.getValue(EnvelopeHeaders.DEADLINE_MS) : header;
        if (given == null) {
            return budget;
        }
        try {
            long millis = Long.parseLong(String.valueOf(given));
            if (millis >= 1) {
                return Duration.ofMillis(Math.min(millis, budget.toMillis()));
            }
        } catch (NumberFormatException e) {
            // Said below, like a number out of its range.
        }
        throw rejected(EnvelopeHeaders.DEADLINE_MS + " = '" + given + "' must be a whole number of milliseconds >= 1");
    }

    private static Rejected rejected(String why) {
        return new Rejected("Message to '" + ADDRESS + "' was rejected: " + why, FailureDetail.NONE, -1);
    }

    private static void fail(Message<Object> message, Throwable failure) {
        int code = failure instanceof MeshException known ? known.failureCode() : HandlerFailed.CODE;
        message.fail(code, String.valueOf(failure.getMessage()));
    }
}
