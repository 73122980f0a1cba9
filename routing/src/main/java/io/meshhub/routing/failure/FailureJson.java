package io.meshhub.routing.failure;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link MeshException}: between nodes, in problem documents and on the command line. Reading what
 * was written gives an equal failure of the same class; fields that are not known are absent. The form has a bound of
 * its own, whatever a handler throws: long texts and lists are cut, and say so.
 */
public final class FailureJson {

    /** Makes one leaf again from its JSON. */
    @FunctionalInterface
    interface Reader {
        MeshException read(String message, FailureDetail detail, JsonObject json);
    }

    private static final Map<String, Reader> READERS = Map.ofEntries(
            Map.entry("NotFound", (m, d, j) -> new NotFound(m, d)),
            Map.entry("NotHandled", (m, d, j) -> new NotHandled(m, d, j.getString("type", ""), strings(j, "allowed"))),
            Map.entry("ShuttingDown", (m, d, j) -> new ShuttingDown(m, d)),
            Map.entry("Unavailable", (m, d, j) -> new Unavailable(m, d, j.getBoolean("sent", true))),
            Map.entry("DeadlineExceeded", (m, d, j) -> new DeadlineExceeded(m, d, owner(j), refusal(j))),
            Map.entry(
                    "QueryProviderStalled",
                    (m, d, j) -> new QueryProviderStalled(m, d, stalls(j), Duration.ofMillis(j.getLong("rungMs", 0L)))),
            Map.entry("Overloaded", (m, d, j) -> new Overloaded(m, d)),
            Map.entry("StartFailed", (m, d, j) -> new StartFailed(m, d, cause(j), causeMessage(j))),
            Map.entry("HandlerFailed", (m, d, j) -> new HandlerFailed(m, d, cause(j), causeMessage(j))),
            Map.entry("Rejected", (m, d, j) -> new Rejected(m, d, j.getInteger("position", -1))),
            Map.entry("Unauthorized", (m, d, j) -> new Unauthorized(m, d)),
            Map.entry("Forbidden", (m, d, j) -> new Forbidden(m, d)),
            Map.entry("Conflict", (m, d, j) -> new Conflict(m, d, j.getLong("currentVersion", 0L))),
            Map.entry("RoutingLoop", (m, d, j) -> new RoutingLoop(m, d)));

    /** The longest text that is written, in characters; a longer one is cut and says so. */
    static final int MAX_TEXT = 4096;

    /** The longest list that is written. */
    static final int MAX_LIST = 128;

    private FailureJson() {}

    /** The kinds that can be read. */
    static Set<String> kinds() {
        return READERS.keySet();
    }

    /** Writes a failure. */
    public static JsonObject write(MeshException failure) {
        FailureDetail detail = failure.detail();
        JsonObject json = new JsonObject()
                .put("kind", failure.kind())
                .put("code", failure.failureCode())
                .put("remedy", failure.remedy().name())
                .put("message", cut(failure.getMessage()));
        put(json, "address", cut(detail.address()));
        detail(json, detail);
        special(json, failure);
        return json;
    }

    // A refusal that carries another one would grow with each hop; nobody reads that deep.
    private static JsonObject writeWithoutRefusal(MeshException refusal) {
        JsonObject json = write(refusal);
        json.remove("lastRefusal");
        return json;
    }

    private static @Nullable String cut(@Nullable String text) {
        if (text == null || text.length() <= MAX_TEXT) {
            return text;
        }
        // Not between the two halves of one character.
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
        return text.substring(0, end) + "... (cut: " + text.length() + " characters in all)";
    }

    private static JsonArray list(List<String> texts) {
        JsonArray array = new JsonArray();
        texts.stream().limit(MAX_LIST).forEach(text -> array.add(cut(text)));
        if (texts.size() > MAX_LIST) {
            array.add("... (cut: " + texts.size() + " in all)");
        }
        return array;
    }

    private static void detail(JsonObject json, FailureDetail detail) {
        ActivationId activation = detail.activation();
        if (activation != null) {
            // A string, since a JSON number of 64 bits loses digits in many readers.
            json.put("activation", Long.toString(activation.value()));
            json.put("tag", activation.tag());
        }
        RunLevel level = detail.runLevel();
        put(json, "runLevel", level == null ? null : level.name());
        put(json, "node", detail.node());
        put(json, "attempts", detail.attempts() == 0 ? null : detail.attempts());
        put(json, "elapsedMs", millis(detail.elapsed()));
        put(json, "retryAfterMs", millis(detail.retryAfter()));
        put(json, "entered", detail.entered() ? true : null);
    }

    private static void special(JsonObject json, MeshException failure) {
        if (failure instanceof NotHandled e) {
            json.put("type", cut(e.type())).put("allowed", list(e.allowed()));
        } else if (failure instanceof Unavailable e) {
            json.put("sent", e.sent());
        } else if (failure instanceof DeadlineExceeded e) {
            DeadlineExceeded.Owner owner = e.owner();
            put(json, "mailboxDepth", owner.mailboxDepth() < 0 ? null : owner.mailboxDepth());
            put(json, "messageType", owner.messageType());
            put(json, "messageAgeMs", millis(owner.messageAge()));
            put(
                    json,
                    "lastRefusal",
                    e.lastRefusal().map(FailureJson::writeWithoutRefusal).orElse(null));
        } else if (failure instanceof QueryProviderStalled e) {
            json.put("providers", list(e.providers()))
                    .put("stalls", stalls(e.stalls()))
                    .put("rungMs", e.rung().toMillis());
        } else if (failure instanceof StartFailed e) {
            json.put("causeType", cut(e.causeType())).put("causeMessage", cut(e.causeMessage()));
        } else if (failure instanceof HandlerFailed e) {
            json.put("causeType", cut(e.causeType())).put("causeMessage", cut(e.causeMessage()));
        } else if (failure instanceof Rejected e) {
            e.position().ifPresent(position -> json.put("position", position));
        } else if (failure instanceof Conflict e) {
            json.put("currentVersion", e.currentVersion());
        }
    }

    /**
     * Reads a failure.
     *
     * @throws IllegalArgumentException when it is of a kind that this node does not know
     */
    public static MeshException read(JsonObject json) {
        String kind = json.getString("kind", "");
        Reader reader = READERS.get(kind);
        if (reader == null) {
            throw new IllegalArgumentException("failure of a kind that this node does not know: '" + kind + "'");
        }
        String activation = json.getString("activation");
        String level = json.getString("runLevel");
        FailureDetail detail = new FailureDetail(
                json.getString("address"),
                activation == null ? null : new ActivationId(Long.parseLong(activation)),
                level == null ? null : RunLevel.valueOf(level),
                json.getString("node"),
                json.getInteger("attempts", 0),
                duration(json, "elapsedMs"),
                duration(json, "retryAfterMs"),
                json.getBoolean("entered", false));
        return reader.read(json.getString("message", kind), detail, json);
    }

    private static void put(JsonObject json, String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static @Nullable Duration duration(JsonObject json, String name) {
        Long millis = json.getLong(name);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    private static List<String> strings(JsonObject json, String name) {
        return json.getJsonArray(name, new JsonArray()).stream()
                .map(String::valueOf)
                .toList();
    }

    private static JsonArray stalls(List<Stall> stalls) {
        JsonArray array = new JsonArray();
        stalls.stream()
                .limit(MAX_LIST)
                .forEach(stall -> array.add(new JsonObject()
                        .put("provider", cut(stall.provider()))
                        .put("waitedMs", stall.waited().toMillis())
                        .put("ownMs", stall.own().toMillis())
                        .put("asks", stall.asks())
                        .put("heard", stall.heard())));
        return array;
    }

    // The names alone are all that is needed to know who is meant.
    private static List<Stall> stalls(JsonObject json) {
        JsonArray array = json.getJsonArray("stalls", new JsonArray());
        List<Stall> stalls = new ArrayList<>();
        List<String> names = strings(json, "providers");
        for (int i = 0; i < names.size(); i++) {
            JsonObject stall = i < array.size() ? array.getJsonObject(i) : new JsonObject();
            stalls.add(new Stall(
                    names.get(i),
                    Duration.ofMillis(stall.getLong("waitedMs", 0L)),
                    Duration.ofMillis(stall.getLong("ownMs", 0L)),
                    stall.getInteger("asks", 1),
                    stall.getBoolean("heard", true)));
        }
        return stalls;
    }

    private static String cause(JsonObject json) {
        return json.getString("causeType", "");
    }

    private static String causeMessage(JsonObject json) {
        return json.getString("causeMessage", "");
    }

    private static DeadlineExceeded.Owner owner(JsonObject json) {
        return new DeadlineExceeded.Owner(
                json.getInteger("mailboxDepth", -1), json.getString("messageType"), duration(json, "messageAgeMs"));
    }

    private static @Nullable MeshException refusal(JsonObject json) {
        JsonObject refusal = json.getJsonObject("lastRefusal");
        return refusal == null ? null : read(refusal);
    }
}
