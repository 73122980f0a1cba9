package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshException;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The owner no longer holds the stream, and says so.
 *
 * @param stream the id of the stream
 * @param activation the owner that held it
 * @param level how far the owner's life has come
 * @param reason for people
 * @param verdict what the stream is told instead of asking again; null when the address may be asked again
 */
public record Goodbye(
        String stream,
        ActivationId activation,
        RunLevel level,
        String reason,
        @Nullable MeshException verdict) implements ToClient {

    @Override
    public JsonObject toJson() {
        JsonObject json = new JsonObject()
                .put("stream", stream)
                .put("activation", activation.value())
                .put("level", level.name())
                .put("reason", reason);
        return verdict == null ? json : json.put("verdict", FailureJson.write(verdict));
    }

    static Goodbye read(JsonObject json) {
        JsonObject verdict = json.getJsonObject("verdict");
        return new Goodbye(
                json.getString("stream"),
                new ActivationId(json.getLong("activation")),
                RunLevel.valueOf(json.getString("level")),
                json.getString("reason"),
                verdict == null ? null : FailureJson.read(verdict));
    }
}
