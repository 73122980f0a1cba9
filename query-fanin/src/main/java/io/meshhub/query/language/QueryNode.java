package io.meshhub.query.language;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    private static final long MARKS = 8;

    public QueryNode {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(content, "content");
    }

    /**
     * About how many characters it has as JSON: the texts of all its names and values, and some marks for each.
     */
    public long weight() {
        return (long) path.toString().length()
                + nodeType.length()
                + name.length()
                + MARKS * 5
                + weight(content.getMap());
    }

    private static long weight(@Nullable Object value) {
        long weight = MARKS;
        if (value instanceof CharSequence text) {
            weight += text.length();
        } else if (value instanceof JsonObject json) {
            weight += weight(json.getMap());
        } else if (value instanceof JsonArray json) {
            weight += weight(json.getList());
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                weight += String.valueOf(entry.getKey()).length() + weight(entry.getValue());
            }
        } else if (value instanceof Iterable<?> all) {
            for (Object each : all) {
                weight += weight(each);
            }
        } else if (value instanceof Buffer buffer) {
            weight += buffer.length();
        } else if (value instanceof byte[] bytes) {
            weight += bytes.length;
        }
        return weight;
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
