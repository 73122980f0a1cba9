package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonObject;

/**
 * Asks an owner for a stream; asking again with the same id refreshes the stream, and never opens a second.
 *
 * @param stream the id, unique among all streams of all processes
 * @param process the incarnation of the process that asks
 * @param place the event-bus address at which that process hears frames
 * @param view what of the state it wants, as a JSON pointer; empty for all
 */
public record Subscribe(String stream, String process, String place, String view) {

    /** The message type. */
    public static final String TYPE = "mesh.subscribe";

    /** As it travels. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("stream", stream)
                .put("process", process)
                .put("place", place)
                .put("view", view);
    }

    /**
     * Reads what travelled.
     *
     * @throws IllegalArgumentException naming the field that is missing or of another type
     */
    public static Subscribe read(JsonObject json) {
        return new Subscribe(text(json, "stream"), text(json, "process"), text(json, "place"), text(json, "view"));
    }

    private static String text(JsonObject json, String field) {
        if (json.getValue(field) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("'" + field + "' of a subscription must be a string");
    }
}
