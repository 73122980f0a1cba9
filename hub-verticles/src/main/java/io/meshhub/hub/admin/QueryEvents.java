package io.meshhub.hub.admin;

import io.meshhub.hub.asking.QueryJson;
import io.meshhub.query.LiveQuery;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a live query to one client: {@code initial}, then {@code added}, {@code updated}, {@code removed} and {@code
 * reset}, and {@code end} with a problem document. A query that ends before it has begun is answered with that document
 * instead.
 *
 * <p>Of a client that reads slowly a bounded number of frames waits; one that is further behind gets a {@code reset} in
 * their place, once it has read on. Touched only on the context of its request.
 */
final class QueryEvents {

    /** The most frames that wait for the client. */
    static final int MOST_WAITING = 64;

    private static final Logger LOG = LoggerFactory.getLogger(QueryEvents.class);

    private static final long NO_TIMER = -1;

    private final RoutingContext ctx;
    private final HttpServerResponse response;
    private final Query query;
    private final Queries route;
    private final boolean names;
    private final Function<Consumer<QueryFrame>, LiveQuery> source;
    private final Queue<QueryFrame> waiting = new ArrayDeque<>();
    private LiveQuery live = () -> {};
    private long comments = NO_TIMER;
    private boolean begun;
    private boolean told;
    private boolean behind;
    private boolean closed;

    /**
     * Writes nothing before {@link #begin}.
     *
     * @param route says how results and ends are told
     * @param names whether the client may know the names of providers
     * @param source follows the query
     */
    QueryEvents(
            RoutingContext ctx,
            Query query,
            Queries route,
            boolean names,
            Function<Consumer<QueryFrame>, LiveQuery> source) {
        this.ctx = ctx;
        this.response = ctx.response();
        this.query = query;
        this.route = route;
        this.names = names;
        this.source = source;
    }

    void begin() {
        live = source.apply(this::hear);
    }

    private void hear(QueryFrame frame) {
        if (closed) {
            return;
        }
        if (!begun && frame instanceof QueryFrame.Ended ended) {
            // Nothing was told yet, so that the request can be answered like any other that fails.
            close();
            ctx.fail(route.problem(ctx, ended.cause(), names));
            return;
        }
        if (waiting.size() >= MOST_WAITING) {
            waiting.clear();
            live.close();
            behind = true;
            return;
        }
        waiting.add(frame);
        flush();
    }

    private void flush() {
        open();
        while (!closed && !waiting.isEmpty() && !response.writeQueueFull()) {
            write(waiting.remove());
        }
        if (!closed && behind && !response.writeQueueFull()) {
            behind = false;
            begin();
        }
    }

    private void open() {
        if (!begun) {
            begun = true;
            response.setChunked(true)
                    .putHeader(HttpHeaders.CONTENT_TYPE, EventStreams.MEDIA_TYPE)
                    .drainHandler(drained -> flush());
            // A request that waits for its first result is bounded by that.
            comments = ctx.vertx().setPeriodic(route.commentEvery().toMillis(), tick -> send(Buffer.buffer(":\n\n")));
        }
    }

    private void write(QueryFrame frame) {
        if (frame instanceof QueryFrame.Initial initial) {
            // The first frame of a query that is asked again stands for what the client has missed.
            JsonObject result = QueryJson.initial(query, initial);
            write(told ? "reset" : "initial", told ? result.put("gone", new JsonArray()) : result);
            told = true;
        } else if (frame instanceof QueryFrame.Added added) {
            write("added", nodes(added.nodes()));
        } else if (frame instanceof QueryFrame.Updated updated) {
            write("updated", nodes(updated.nodes()));
        } else if (frame instanceof QueryFrame.Removed removed) {
            JsonArray paths = new JsonArray();
            removed.paths().forEach(path -> paths.add(path.toString()));
            write("removed", new JsonObject().put("paths", paths));
        } else if (frame instanceof QueryFrame.Reset reset) {
            write("reset", nodes(reset.nodes()).put("gone", new JsonArray(reset.gone())));
        } else if (frame instanceof QueryFrame.Ended ended) {
            write("end", route.problem(ctx, ended.cause(), names).document());
            end();
        }
    }

    private static JsonObject nodes(List<QueryNode> nodes) {
        return new JsonObject().put("nodes", QueryJson.nodes(nodes));
    }

    private void write(String event, JsonObject data) {
        send(Buffer.buffer(
                "event: " + event + "\ndata: " + route.told(data, names).encode() + "\n\n"));
    }

    private void send(Buffer text) {
        if (!closed && !response.ended() && !response.closed()) {
            response.write(text)
                    .onFailure(e -> LOG.debug("An event of a query was not taken by its client: {}", e.toString()));
        }
    }

    private void end() {
        close();
        if (!response.ended() && !response.closed()) {
            response.end()
                    .onFailure(e -> LOG.debug("The end of a query was not taken by its client: {}", e.toString()));
        }
    }

    /** Follows it no more, and writes nothing. */
    void close() {
        closed = true;
        waiting.clear();
        live.close();
        if (comments != NO_TIMER) {
            ctx.vertx().cancelTimer(comments);
        }
    }
}
