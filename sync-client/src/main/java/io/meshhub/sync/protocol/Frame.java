package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of a stream from its owner to a subscriber.
 *
 * <p>What is followed is a document of one member: the value under {@value #VALUE}, or no member where the view names
 * nothing. So a view that is a string, or that comes and goes, is patched like any other.
 *
 * @param stream the id of the stream
 * @param activation the owner that says so
 * @param sequence one more with each frame of this stream and activation, from 1
 * @param version the version of the owner's state
 * @param content what is said
 * @param last whether the state is final, and nothing follows
 */
public record Frame(String stream, ActivationId activation, long sequence, long version, Content content, boolean last)
        implements ToClient {

    /** The member that holds the value. */
    public static final String VALUE = "v";

    /** What a frame says. */
    public sealed interface Content {}

    /** The whole document, as a {@linkplain JsonTrees tree}. */
    public record Full(Map<String, @Nullable Object> document) implements Content {}

    /** What changed since the frame before, as {@link JsonDiff#withSplices} has it; nothing when only the version did. */
    public record Patch(JsonArray operations) implements Content {}

    /** The write of this number of the stream itself stands as it was sent; it is not sent back. */
    public record Own(long write) implements Content {}

    @Override
    public JsonObject toJson() {
        JsonObject json = new JsonObject()
                .put("stream", stream)
                .put("activation", activation.value())
                .put("sequence", sequence)
                .put("version", version);
        if (last) {
            json.put("final", true);
        }
        if (content instanceof Full full) {
            return json.put("full", full.document());
        }
        return content instanceof Patch patch
                ? json.put("patch", patch.operations())
                : json.put("own", ((Own) content).write());
    }

    @SuppressWarnings("unchecked") // The tree of an object is a map by name.
    static Frame read(JsonObject json) {
        Content content;
        Object full = JsonTrees.of(json.getValue("full"));
        if (full != null) {
            content = new Full((Map<String, @Nullable Object>) full);
        } else if (json.getJsonArray("patch") != null) {
            content = new Patch(json.getJsonArray("patch"));
        } else {
            content = new Own(json.getLong("own"));
        }
        return new Frame(
                json.getString("stream"),
                new ActivationId(json.getLong("activation")),
                json.getLong("sequence"),
                json.getLong("version"),
                content,
                json.getBoolean("final", false));
    }
}
