package io.meshhub.hub.sync;

import io.vertx.core.json.JsonObject;

/**
 * A state as it is at one moment.
 *
 * @param value the state; it must not be changed
 * @param version at least 1, and above that of every other state before it
 */
public record Snapshot(JsonObject value, long version) {

    public Snapshot {
        if (version < 1) {
            throw new IllegalArgumentException("version = " + version + " must be >= 1");
        }
    }
}
