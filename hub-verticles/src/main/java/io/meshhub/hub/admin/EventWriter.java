package io.meshhub.hub.admin;

import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.sync.SyncState;
import io.meshhub.sync.protocol.JsonDiff;
import io.meshhub.sync.protocol.JsonTrees;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events of one client: {@code value} with all of it, {@code patch} with the operations of RFC 6902 that make
 * it of the value before, {@code state} with how the stream stands.
 *
 * <p>A client that reads slowly gets the latest of each once it has read on. Touched only on the context of its request.
 */
final class EventWriter {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final String NULL = "null";

    private final RoutingContext ctx;
    private final HttpServerResponse response;
    private final Optional<String> lastEventId;
    private boolean begun;
    private boolean closed;
    private final long comments;
    private @Nullable Pending sent;
    private @Nullable Pending value;
    private @Nullable SyncState state;

    private record Pending(long version, @Nullable Object tree, String text) {}

    EventWriter(RoutingContext ctx, Optional<String> lastEventId, Duration commentEvery) {
        this.ctx = ctx;
        this.response = ctx.response();
        this.lastEventId = lastEventId;
        this.comments = ctx.vertx().setPeriodic(commentEvery.toMillis(), tick -> comment());
    }

    // Also where nothing has come yet: a connection without a byte is taken for an idle one.
    private void comment() {
        begin();
        send(Buffer.buffer(":\n\n"));
    }

    /** Whether the client was told anything. */
    boolean hasBegun() {
        return begun;
    }

    void value(long version, Optional<Object> now) {
        Object json = now.orElse(null);
        value = new Pending(version, JsonTrees.of(json), json == null ? NULL : Json.encode(json));
        flush();
    }

    void state(SyncState now) {
        state = now;
        flush();
    }

    private void flush() {
        if (closed || (state instanceof SyncState.Connecting && value == null)) {
            return;
        }
        begin();
        if (response.writeQueueFull()) {
            return;
        }
        Pending next = value;
        if (next != null) {
            value = null;
            write(next);
        }
        SyncState told = state;
        if (told != null) {
            state = null;
            write("state", "", text(told));
            if (told instanceof SyncState.Ended) {
                end();
            }
        }
    }

    private void begin() {
        if (!begun) {
            begun = true;
            response.setChunked(true)
                    .putHeader(HttpHeaders.CONTENT_TYPE, EventStreams.MEDIA_TYPE)
                    .drainHandler(drained -> flush());
        }
    }

    private void write(Pending next) {
        Pending before = sent;
        String id = id(next);
        if (before == null) {
            if (lastEventId.filter(id::equals).isEmpty()) {
                write("value", id, next.text());
            }
        } else if (!before.text().equals(next.text())) {
            Optional<String> patch = patch(before, next);
            if (patch.isPresent()) {
                write("patch", id, patch.get());
            } else {
                write("value", id, next.text());
            }
        }
        sent = next;
    }

    // The version alone may come again, with another activation of a hub that has no versions of its own.
    private static String id(Pending value) {
        CRC32 sum = new CRC32();
        sum.update(value.text().getBytes(StandardCharsets.UTF_8));
        return value.version() + "-" + String.format("%08x", sum.getValue());
    }

    /** The operations between two values; empty when they are no structures of one kind, or when the value is shorter. */
    private static Optional<String> patch(Pending before, Pending after) {
        boolean alike = (before.tree() instanceof Map && after.tree() instanceof Map)
                || (before.tree() instanceof List && after.tree() instanceof List);
        if (!alike) {
            return Optional.empty();
        }
        String text = JsonDiff.between(before.tree(), after.tree()).encode();
        return text.length() < after.text().length() ? Optional.of(text) : Optional.empty();
    }

    private static String text(SyncState state) {
        JsonObject text = new JsonObject();
        if (state instanceof SyncState.RidingOut riding) {
            text.put("state", "RIDING_OUT");
            riding.axis().map(Axis::name).ifPresent(axis -> text.put("axis", axis));
            text.put("reask", riding.attempt() - 1);
            if (riding.allowed() > 0) {
                text.put("observed", riding.observed()).put("allowed", riding.allowed());
            }
            riding.nextAt()
                    .ifPresent(at -> text.put(
                            "inMs",
                            Math.max(0, Duration.between(Instant.now(), at).toMillis())));
            text.put("why", riding.why());
        } else if (state instanceof SyncState.Dormant dormant) {
            text.put("state", "DORMANT").put("reason", dormant.reason().name());
        } else if (state instanceof SyncState.Ended ended) {
            text.put("state", "ENDED").put("reason", ended.reason().name());
            ended.cause()
                    .ifPresent(cause -> text.put("failure", Problem.of(cause).document()));
        } else {
            text.put("state", state instanceof SyncState.Live ? "LIVE" : "CONNECTING");
        }
        return text.encode();
    }

    private void write(String event, String id, String data) {
        Buffer text = Buffer.buffer("event: " + event + "\n");
        if (!id.isEmpty()) {
            text.appendString("id: " + id + "\n");
        }
        send(text.appendString("data: " + data + "\n\n"));
    }

    private void send(Buffer text) {
        if (!closed && !response.ended() && !response.closed()) {
            response.write(text)
                    .onFailure(e -> LOG.debug(
                            "An event of {} was not taken by its client: {}",
                            ctx.request().path(),
                            e.toString()));
        }
    }

    private void end() {
        close();
        if (!response.ended() && !response.closed()) {
            response.end()
                    .onFailure(e -> LOG.debug(
                            "The end of {} was not taken by its client: {}",
                            ctx.request().path(),
                            e.toString()));
        }
    }

    /** Writes no more. */
    void close() {
        closed = true;
        ctx.vertx().cancelTimer(comments);
    }
}
