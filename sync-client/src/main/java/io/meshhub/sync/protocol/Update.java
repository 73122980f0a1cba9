package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A change that a stream makes to the state of its owner.
 *
 * @param author the stream, and the number of its write
 * @param version the version of the state that the change was made to
 * @param operations the change, as operations of RFC 6902 and {@linkplain JsonDiff#withSplices splices}
 */
public record Update(Author author, long version, JsonArray operations) {

    /** The message type. */
    public static final String TYPE = "mesh.update";

    /** As it travels. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("stream", author.stream())
                .put("write", author.write())
                .put("version", version)
                .put("operations", operations);
    }

    /**
     * Reads what travelled.
     *
     * @throws IllegalArgumentException when a field is missing or of another type
     */
    public static Update read(JsonObject json) {
        if (json.getValue("stream") instanceof String stream
                && json.getValue("write") instanceof Number write
                && json.getValue("version") instanceof Number version
                && json.getValue("operations") instanceof JsonArray operations) {
            return new Update(new Author(stream, write.longValue()), version.longValue(), operations);
        }
        throw new IllegalArgumentException("an update has a stream, a write, a version and operations");
    }

    /**
     * What came of an update.
     *
     * @param version the version of the state that stands now
     * @param state that state, where it is not the one that the author made; otherwise null
     */
    public record Done(long version, @Nullable JsonObject state) {

        /** As it travels. */
        public JsonObject toJson() {
            JsonObject json = new JsonObject().put("version", version);
            return state == null ? json : json.put("state", state);
        }

        /** Reads what travelled. */
        public static Done read(JsonObject json) {
            return new Done(json.getLong("version"), json.getJsonObject("state"));
        }
    }
}
