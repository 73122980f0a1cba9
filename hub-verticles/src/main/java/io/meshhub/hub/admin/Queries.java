package io.meshhub.hub.admin;

import io.meshhub.hub.access.Permission;
import io.meshhub.hub.asking.QueryJson;
import io.meshhub.query.QueryCaller;
import io.meshhub.query.QueryFanIn;
import io.meshhub.query.QueryResult;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QuerySyntaxException;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /query?q=...}: a page, or live as server-sent events. */
final class Queries {

    private static final Logger LOG = LoggerFactory.getLogger(Queries.class);

    private static final String QUERY = "q";
    private static final String TOO_BROAD = "The query finds more than it may; narrow it, or set a limit";
    private static final String WITHHELD =
            "The result could not be established; whoever runs this node finds why under the correlation id";

    private final Optional<QueryFanIn> queries;
    private final Duration operation;
    private final Callers callers;
    private final OpenStreams open;

    /**
     * The route.
     *
     * @param queries empty where none are taken
     * @param operation the most time that a client has
     * @param callers say who asks, whether he may, and whether he may know who did not answer
     * @param open counts what is followed, here and elsewhere
     */
    Queries(Optional<QueryFanIn> queries, Duration operation, Callers callers, OpenStreams open) {
        this.queries = queries;
        this.operation = operation;
        this.callers = callers;
        this.open = open;
    }

    void get(RoutingContext ctx) {
        String text = QueryParameters.of(ctx, QUERY)
                .text(QUERY)
                .orElseThrow(() -> Problem.rejected("Query parameter 'q' is missing: it is the query")
                        .with("parameters", List.of(QUERY)));
        QueryFanIn fanIn = queries.orElseThrow(Problem::noQueries);
        Query query;
        try {
            query = Query.parse(text);
        } catch (QuerySyntaxException fault) {
            throw Problem.query(fault);
        }
        QueryCaller caller = new QueryCaller(
                Callers.principal(ctx),
                Duration.ofMillis(EdgeHeaders.of(ctx, operation).deadlineMs()));
        callers.may(
                ctx,
                Permission.READ,
                query.path(),
                () -> callers.mayKnowNames(ctx)
                        .compose(names -> {
                            answer(ctx, fanIn, query, caller, names);
                            return Future.succeededFuture();
                        })
                        .onFailure(ctx::fail));
    }

    private void answer(RoutingContext ctx, QueryFanIn fanIn, Query query, QueryCaller caller, boolean names) {
        if (EventStreams.isAsked(ctx.request())) {
            follow(ctx, fanIn, query, caller, names);
        } else {
            page(ctx, fanIn, query, caller, names);
        }
    }

    private void page(RoutingContext ctx, QueryFanIn fanIn, Query query, QueryCaller caller, boolean names) {
        fanIn.ask(query, caller)
                .onSuccess(result -> {
                    if (result instanceof QueryResult.Complete complete) {
                        Answers.json(ctx, 200, told(QueryJson.page(query, complete), names));
                    } else {
                        ctx.fail(problem(ctx, (QueryResult.Ended) result, names));
                    }
                })
                .onFailure(ctx::fail);
    }

    private void follow(RoutingContext ctx, QueryFanIn fanIn, Query query, QueryCaller caller, boolean names) {
        String from = String.valueOf(ctx.request().remoteAddress().hostAddress());
        open.open(from);
        QueryEvents events = new QueryEvents(ctx, query, this, names, listener -> fanIn.live(query, caller, listener));
        ctx.addEndHandler(end -> {
            open.close(from);
            events.close();
        });
        events.begin();
    }

    /** How often a stream carries a comment. */
    Duration commentEvery() {
        return EventStreams.commentEvery(operation);
    }

    /** The result as a client may see it: with the names of providers, or without. */
    JsonObject told(JsonObject result, boolean namesProviders) {
        if (!namesProviders) {
            result.remove("silent");
            result.remove("gone");
        }
        return result;
    }

    /** How an end is told to this client: where it may not know who failed, the log says it under the correlation id. */
    Problem problem(RoutingContext ctx, QueryResult.Ended ended, boolean namesProviders) {
        String id = EdgeHeaders.correlationId(ctx);
        if (!namesProviders) {
            LOG.info(
                    "A query ended without a result (correlation id {}): {}",
                    id,
                    ended.failure().getMessage());
        }
        if (ended instanceof QueryResult.Stalled stalled) {
            return Problem.stalled(stalled.failure(), namesProviders);
        }
        if (namesProviders) {
            return Problem.of(ended.failure());
        }
        // Of no provider: it is the query that finds too much.
        boolean isOfQuery = ended.failure() instanceof Rejected
                && ended instanceof QueryResult.Failed failed
                && failed.providers().isEmpty();
        return Problem.withheld(ended.failure(), isOfQuery ? TOO_BROAD : WITHHELD)
                .with("correlationId", id);
    }
}
