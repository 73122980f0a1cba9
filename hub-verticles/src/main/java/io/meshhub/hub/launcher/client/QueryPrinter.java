package io.meshhub.hub.launcher.client;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Reads the server-sent events of a live query line by line, and prints a line for each node that they tell of. */
final class QueryPrinter {

    private final PrintWriter out;
    private final boolean json;
    private String event = "";
    private String data = "";
    private @Nullable JsonObject end;

    QueryPrinter(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** The problem with which the query ended; null where it has not. */
    @Nullable
    JsonObject end() {
        return end;
    }

    /** Takes one line of the stream; whether more are wanted. */
    boolean line(String line) {
        if (line.isEmpty()) {
            dispatch();
        } else if (line.startsWith("event:")) {
            event = line.substring("event:".length()).trim();
        } else if (line.startsWith("data:")) {
            data = line.substring("data:".length()).trim();
        }
        return end == null;
    }

    private void dispatch() {
        String kind = event;
        String text = data;
        event = "";
        data = "";
        if (text.isEmpty()) {
            // A comment.
            return;
        }
        JsonObject told = new JsonObject(text);
        if (kind.equals("end")) {
            end = told;
        }
        if (json) {
            out.println(new JsonObject().put("event", kind).put("data", told).encode());
        } else {
            print(kind, told);
        }
        out.flush();
    }

    private void print(String kind, JsonObject told) {
        switch (kind) {
            case "initial" -> nodes("found", told);
            case "added", "updated" -> nodes(kind, told);
            case "removed" -> {
                for (Object path : told.getJsonArray("paths", new JsonArray())) {
                    out.println("removed  " + clean(String.valueOf(path)));
                }
            }
            case "reset" -> {
                JsonArray nodes = told.getJsonArray("nodes", new JsonArray());
                JsonArray gone = told.getJsonArray("gone", new JsonArray());
                out.println("reset  " + nodes.size() + " nodes"
                        + (gone.isEmpty() ? "" : ", without " + clean(String.join(", ", texts(gone)))));
                nodes("found", told);
            }
            case "end" -> out.println("end  " + clean(told.getString("title", "")));
            default -> {
                // An event of a later version.
            }
        }
    }

    private static Iterable<String> texts(JsonArray array) {
        return array.stream().map(String::valueOf).toList();
    }

    private void nodes(String kind, JsonObject told) {
        for (Object entry : told.getJsonArray("nodes", new JsonArray())) {
            if (entry instanceof JsonObject node) {
                out.println(kind + "  " + clean(node.getString("path", "")) + "  "
                        + clean(node.getString("nodeType", "")) + "  " + clean(node.getString("name", "")));
            }
        }
    }

    // What a node holds must not steer the reader's terminal.
    private static String clean(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
