package io.meshhub.hub.launcher.client;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonStructure;
import jakarta.json.spi.JsonProvider;
import java.io.PrintWriter;
import java.io.StringReader;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events line by line, and prints a line for each. */
final class WatchPrinter {

    private static final JsonProvider JSON = JsonProvider.provider();

    private final PrintWriter out;
    private final boolean json;
    private final int changes;
    private String event = "";
    private String data = "";
    private String id = "";
    private @Nullable String lastEventId;
    private @Nullable String value;
    private int values;
    private boolean over;
    private int exitCode = ExitCodes.OK;

    /**
     * Prints until the stream is over.
     *
     * @param changes how many values are wanted; 0 for all
     */
    WatchPrinter(PrintWriter out, boolean json, int changes) {
        this.out = out;
        this.json = json;
        this.changes = changes;
    }

    boolean isOver() {
        return over;
    }

    Optional<String> lastEventId() {
        return Optional.ofNullable(lastEventId);
    }

    int exitCode() {
        return exitCode;
    }

    /** Takes one line of the stream; whether more are wanted. */
    boolean line(String line) {
        if (line.isEmpty()) {
            dispatch();
        } else if (line.startsWith("event:")) {
            event = line.substring("event:".length()).trim();
        } else if (line.startsWith("id:")) {
            id = line.substring("id:".length()).trim();
        } else if (line.startsWith("data:")) {
            data = line.substring("data:".length()).trim();
        }
        return !over;
    }

    private void dispatch() {
        String kind = event;
        String text = data;
        if (!id.isEmpty()) {
            lastEventId = id;
        }
        event = "";
        data = "";
        id = "";
        switch (kind) {
            case "value" -> changed(text, text, kind);
            case "patch" -> changed(patched(text), text, kind);
            case "state" -> state(new JsonObject(text));
            default -> {
                // A comment, or an event of a later version.
            }
        }
        out.flush();
    }

    private String patched(String operations) {
        try (JsonReader before = JSON.createReader(new StringReader(String.valueOf(value)));
                JsonReader patch = JSON.createReader(new StringReader(operations))) {
            JsonStructure structure = before.read();
            return JSON.createPatch(patch.readArray()).apply(structure).toString();
        }
    }

    private void changed(String now, String text, String kind) {
        boolean first = value == null;
        value = now;
        values++;
        String at = lastEventId == null ? "" : lastEventId.replaceFirst("-[0-9a-f]+$", "");
        print(kind, text, (first ? "value" : "changed") + "  version " + at + "  " + now);
        over |= changes > 0 && values >= changes;
    }

    private void state(JsonObject state) {
        String name = state.getString("state", "");
        StringBuilder line = new StringBuilder(name.toLowerCase(Locale.ROOT).replace('_', ' '));
        switch (name) {
            case "RIDING_OUT" -> {
                line.append("  ").append(state.getString("why", ""));
                line.append("; ").append(next(state));
            }
            case "DORMANT", "ENDED" -> line.append("  ").append(state.getString("reason", ""));
            default -> {
                // The state says it all.
            }
        }
        print("state", state.encode(), line.toString());
        if (name.equals("ENDED")) {
            over = !"CLOSED".equals(state.getString("reason"));
            JsonObject failure = state.getJsonObject("failure");
            exitCode = failure == null ? ExitCodes.OK : ExitCodes.ofStatus(failure.getInteger("status", 500));
        }
    }

    // On the time axis the count is that of the re-asks of one activation, and has a bound.
    private static String next(JsonObject state) {
        if (state.getInteger("reask", 0) == 0) {
            return state.containsKey("inMs")
                    ? "asked again in " + state.getInteger("inMs") + " ms"
                    : "the next owner is asked";
        }
        String of = "TIME".equals(state.getString("axis"))
                ? state.getInteger("observed") + " of " + state.getInteger("allowed")
                : String.valueOf(state.getInteger("reask", 0));
        Integer in = state.getInteger("inMs");
        return "re-ask " + of + (in == null ? " is being made" : " in " + in + " ms");
    }

    /** The connection is lost, and is made again. */
    void reconnecting(JsonObject why) {
        print(
                "reconnecting",
                why.encode(),
                "reconnecting  " + why.getString("why") + "; next try in " + why.getLong("inMs") + " ms");
        out.flush();
    }

    private void print(String kind, String text, String line) {
        if (json) {
            JsonObject all = new JsonObject().put("event", kind);
            if (lastEventId != null) {
                all.put("id", lastEventId);
            }
            out.println(all.put("data", Json.decodeValue(text)).encode());
        } else {
            out.println(line);
        }
    }
}
