package io.meshhub.query.remote;

import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider.Opened;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of this process to providers elsewhere. Frames come to one address, each with the id of its call, which is
 * unique, and its place in a sequence: where one is missing the call is reset. Touched only on the context.
 *
 * <p>Each beat asks every place for the calls that it serves: one that it does not know, or of which it has sent more
 * than came, is reset as well, and all of a place that leaves three beats in a row unanswered.
 */
final class RemoteCalls {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteProviders.class);

    private static final class Open {
        final RemoteProvider provider;
        final ProviderCall call;
        final List<QueryNode> rows = new ArrayList<>();
        String id = "";
        long sequence;
        long suspect;

        Open(RemoteProvider provider, ProviderCall call) {
            this.provider = provider;
            this.call = call;
        }
    }

    private final RemoteParts parts;
    private final String place;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Map<String, Integer> unanswered = new HashMap<>();
    private long calls;

    RemoteCalls(RemoteParts parts, String place) {
        this.parts = parts;
        this.place = place;
    }

    /** Opens a call; from any thread. */
    Opened open(RemoteProvider provider, ProviderCall call) {
        Open made = new Open(provider, call);
        parts.execute(() -> ask(made));
        return () -> parts.execute(() -> cancel(made));
    }

    private void ask(Open made) {
        if (made.call.isOver()) {
            return;
        }
        String id = place + "/" + ++calls;
        made.id = id;
        open.put(id, made);
        Duration left = made.call.remaining();
        JsonObject terms = new JsonObject()
                .put("do", "open")
                .put("call", id)
                .put("name", made.provider.ownName())
                .put("query", made.call.query().text())
                .put("wanted", made.call.wanted())
                .put("leftMs", BudgetLadder.forNextHop(left).toMillis())
                .put("client", place)
                .put("incarnation", parts.incarnation());
        made.call.principal().ifPresent(principal -> terms.put("principal", principal));
        parts.bus()
                .request(
                        made.provider.place(),
                        terms,
                        new DeliveryOptions().setSendTimeout(Math.max(1, left.toMillis())))
                .onComplete((answer, cause) -> {
                    if (cause == null) {
                        made.call.reached();
                    } else {
                        parts.execute(() -> notOpened(id, made, cause));
                    }
                });
    }

    private void notOpened(String id, Open made, Throwable cause) {
        MeshException failure =
                MeshFailures.classify(cause, MeshAddress.of("_query/" + made.provider.name()), parts.node());
        // Silence is no answer: the terminal of the query names who is silent.
        if (!(failure instanceof DeadlineExceeded) && open.remove(id, made)) {
            made.call.fail(failure);
        }
    }

    private void cancel(Open made) {
        if (open.remove(made.id, made)) {
            tellCancel(made.provider.place(), made.id);
        }
    }

    private void tellCancel(String to, String id) {
        parts.bus().send(to, new JsonObject().put("do", "cancel").put("call", id));
    }

    /** A frame came. */
    void heard(JsonObject frame) {
        String id = frame.getString("call", "");
        Open made = open.get(id);
        if (made == null) {
            return;
        }
        long sequence = frame.getLong("seq", 0L);
        if (sequence <= made.sequence) {
            return;
        }
        if (sequence != made.sequence + 1) {
            parts.metrics().count("query.remote.gaps");
            reset(id, made);
            return;
        }
        made.sequence = sequence;
        try {
            take(id, made, frame);
        } catch (RuntimeException e) {
            LOG.warn(
                    "A frame of query provider '{}' could not be read on node {}: {}",
                    made.provider.name(),
                    parts.node(),
                    e.toString());
            reset(id, made);
        }
    }

    private void take(String id, Open made, JsonObject frame) {
        ProviderCall call = made.call;
        switch (frame.getString("tell", "")) {
            case "started" -> call.started();
            case "rows" -> made.rows.addAll(Wire.nodes(frame.getJsonArray("nodes")));
            case "first" -> {
                made.rows.addAll(Wire.nodes(frame.getJsonArray("nodes")));
                call.first(made.rows, frame.getBoolean("cut", false));
                made.rows.clear();
            }
            case "added" -> call.added(Wire.node(frame.getJsonObject("node")));
            case "updated" -> call.updated(Wire.node(frame.getJsonObject("node")));
            case "removed" -> call.removed(MeshAddress.of(frame.getString("path")));
            case "reset" -> reset(id, made);
            case "complete" -> {
                open.remove(id);
                call.complete();
            }
            case "fail" -> {
                open.remove(id);
                call.fail(FailureJson.read(frame.getJsonObject("failure")));
            }
            default -> LOG.debug("A later version told something of a call: {}", frame.getString("tell"));
        }
    }

    // The run that opens it again closes this call, of which nothing more is wanted at the provider either.
    private void reset(String id, Open made) {
        open.remove(id);
        tellCancel(made.provider.place(), id);
        made.call.reset();
    }

    /** Asks every place for its calls. */
    void beat() {
        Map<String, JsonArray> byPlace = new LinkedHashMap<>();
        open.forEach((id, made) -> byPlace.computeIfAbsent(made.provider.place(), absent -> new JsonArray())
                .add(id));
        unanswered.keySet().retainAll(byPlace.keySet());
        byPlace.forEach((to, ids) -> parts.bus()
                .<JsonObject>request(
                        to,
                        new JsonObject().put("do", "beat").put("client", place).put("calls", ids),
                        new DeliveryOptions()
                                .setSendTimeout(Math.max(1, parts.beat().toMillis())))
                .onComplete((answer, cause) -> parts.execute(() -> {
                    if (answer == null) {
                        silent(to);
                    } else {
                        unanswered.remove(to);
                        answered(ids, answer.body().getJsonObject("calls", new JsonObject()));
                    }
                })));
    }

    private void silent(String to) {
        if (unanswered.merge(to, 1, Integer::sum) < RemoteParts.MISSED) {
            return;
        }
        unanswered.remove(to);
        parts.metrics().count("query.remote.silent");
        for (Map.Entry<String, Open> entry : List.copyOf(open.entrySet())) {
            if (entry.getValue().provider.place().equals(to)) {
                reset(entry.getKey(), entry.getValue());
            }
        }
    }

    private void answered(JsonArray asked, JsonObject served) {
        for (int i = 0; i < asked.size(); i++) {
            String id = asked.getString(i);
            Open made = open.get(id);
            if (made == null) {
                continue;
            }
            Long sent = served.getLong(id);
            // What was sent before this answer may still be on its way, but not until the next one.
            if (sent == null || made.suspect > made.sequence) {
                parts.metrics().count("query.remote.gaps");
                reset(id, made);
            } else {
                made.suspect = sent;
            }
        }
    }

    String place() {
        return place;
    }

    int size() {
        return open.size();
    }
}
