package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.meshhub.sync.SyncClient;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.SyncStream;
import io.meshhub.sync.WatchOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /mesh/<address>} as server-sent events: the value that an address publishes, each change of it, and how the
 * stream stands.
 *
 * <p>A request with {@code Last-Event-ID} gets the value only when it is another one than that event brought.
 */
final class EventStreams {

    static final String MEDIA_TYPE = "text/event-stream";

    /** The parameter that names a part of the value, as a JSON pointer. */
    static final String VIEW = "view";

    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final Duration MOST_QUIET = Duration.ofSeconds(15);

    private final Supplier<Optional<SyncClient>> sync;
    private final OpenStreams open;
    private final Duration commentEvery;

    /**
     * The route.
     *
     * @param open counts what is followed, here and elsewhere
     * @param operation the most time of one operation of this edge
     */
    EventStreams(Supplier<Optional<SyncClient>> sync, OpenStreams open, Duration operation) {
        this.sync = sync;
        this.open = open;
        this.commentEvery = commentEvery(operation);
    }

    /**
     * How often a stream carries a comment, which keeps what lies between from taking a quiet connection for a dead one, and
     * finds out that it is one: well within the idle bound of this edge, and each 15 s at least.
     */
    static Duration commentEvery(Duration operation) {
        Duration third = HttpEdge.idle(operation).dividedBy(3);
        return third.compareTo(MOST_QUIET) < 0 ? third : MOST_QUIET;
    }

    /** Whether the client wants events. */
    static boolean isAsked(HttpServerRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        if (accept == null || !request.method().equals(HttpMethod.GET)) {
            return false;
        }
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            if (range.split(";", 2)[0].trim().equals(MEDIA_TYPE)) {
                return true;
            }
        }
        return false;
    }

    /** Answers with the events of the address, until either side ends it. */
    void follow(RoutingContext ctx, MeshAddress address) {
        String view = QueryParameters.of(ctx, VIEW).text(VIEW).orElse("");
        SyncClient client = sync.get().orElseThrow(Problem::noEvents);
        String from = String.valueOf(ctx.request().remoteAddress().hostAddress());
        open.open(from);
        SyncStream<Object> stream;
        try {
            stream = client.watch(address, Object.class, asCaller(ctx).withView(view));
        } catch (IllegalArgumentException e) {
            open.close(from);
            throw Problem.rejected(
                    "Query parameter '" + VIEW + "' = '" + view + "' must be a JSON pointer: " + e.getMessage());
        }
        EventWriter writer =
                new EventWriter(ctx, Optional.ofNullable(ctx.request().getHeader(LAST_EVENT_ID)), commentEvery);
        ctx.addEndHandler(end -> {
            open.close(from);
            writer.close();
            stream.close();
        });
        // A state that is final comes with its value, which must be heard before the end.
        stream.onChange(change -> writer.value(change.version(), change.value()));
        stream.onState(state -> tell(ctx, writer, state));
    }

    private static WatchOptions asCaller(RoutingContext ctx) {
        String principal = Callers.principal(ctx);
        return principal == null ? WatchOptions.DEFAULT : WatchOptions.asPrincipal(principal);
    }

    private static void tell(RoutingContext ctx, EventWriter writer, SyncState state) {
        boolean missing = state instanceof SyncState.Ended && !writer.hasBegun();
        if (missing && ((SyncState.Ended) state).cause().isPresent()) {
            // Nothing was told yet, so that the request can be answered like any other that is refused.
            ctx.fail(((SyncState.Ended) state).cause().get());
            return;
        }
        writer.state(state);
    }
}
