package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * The owner holds the stream.
 *
 * @param activation the owner
 * @param process the incarnation of the owner's process
 * @param place the event-bus address at which that process hears beats
 * @param beatInterval how often it wants to hear of the stream; one it hears nothing of for three intervals is dropped
 */
public record Subscribed(ActivationId activation, String process, String place, Duration beatInterval) {

    /** As it travels. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("activation", activation.value())
                .put("process", process)
                .put("place", place)
                .put("beatMs", beatInterval.toMillis());
    }

    /** Reads what travelled. */
    public static Subscribed read(JsonObject json) {
        return new Subscribed(
                new ActivationId(json.getLong("activation")),
                json.getString("process"),
                json.getString("place"),
                Duration.ofMillis(json.getLong("beatMs")));
    }
}
