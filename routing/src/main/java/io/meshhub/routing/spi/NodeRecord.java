package io.meshhub.routing.spi;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/**
 * One node of the store at one version: a JSON document with a type and a name. The content must not be changed.
 *
 * @param address where it lives
 * @param nodeType what it is, such as {@code country}
 * @param name for people
 * @param content the document
 * @param version 1 for the first, one more with each change; it goes on rising over a deletion
 * @param deleted whether this is the tombstone of a deleted node
 * @param changedAt when this version was written
 */
public record NodeRecord(
        MeshAddress address,
        String nodeType,
        String name,
        JsonObject content,
        long version,
        boolean deleted,
        Instant changedAt) {

    /** The document as callers see it: path, nodeType, name, version and content. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("path", address.toString())
                .put("nodeType", nodeType)
                .put("name", name)
                .put("version", version)
                .put("content", content);
    }
}
