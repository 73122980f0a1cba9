package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonObject;

/** What an owner says to a subscriber. */
public sealed interface ToClient permits Frame, Goodbye {

    /** The id of the stream that it is for. */
    String stream();

    /** As it travels. */
    JsonObject toJson();

    /**
     * Reads what travelled.
     *
     * @throws RuntimeException when it is neither
     */
    static ToClient read(JsonObject json) {
        return json.containsKey("reason") ? Goodbye.read(json) : Frame.read(json);
    }
}
