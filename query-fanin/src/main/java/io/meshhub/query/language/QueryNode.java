package io.meshhub.query.language;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.util.Objects;

/**
 * One node that a query looks at or finds. The content must not be changed.
 *
 * @param path where it lives
 * @param nodeType what it is, such as {@code country}
 * @param name for people
 * @param content the document
 * @param version of the document
 */
public record QueryNode(MeshAddress path, String nodeType, String name, JsonObject content, long version) {

    public QueryNode {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(content, "content");
    }

    /** The document as callers see it: path, nodeType, name, version and content. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("path", path.toString())
                .put("nodeType", nodeType)
                .put("name", name)
                .put("version", version)
                .put("content", content);
    }
}
