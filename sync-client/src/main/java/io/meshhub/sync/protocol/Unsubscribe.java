package io.meshhub.sync.protocol;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * A stream is no longer wanted; wakes nobody and has no answer.
 *
 * @param address the owner
 * @param stream the id of the stream
 */
public record Unsubscribe(MeshAddress address, String stream) {

    private static final String FIELD = "unsubscribe";

    /** As it travels. */
    public JsonObject toJson() {
        return new JsonObject().put(FIELD, stream).put("address", address.toString());
    }

    /** Reads what travelled; empty when it is something else. */
    public static Optional<Unsubscribe> read(JsonObject json) {
        String stream = json.getString(FIELD);
        return stream == null
                ? Optional.empty()
                : Optional.of(new Unsubscribe(MeshAddress.of(json.getString("address")), stream));
    }
}
