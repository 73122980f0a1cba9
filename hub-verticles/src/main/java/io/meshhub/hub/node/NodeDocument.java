package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may say of a node: its type, its name and its content; within their bounds. Path and version are the
 * node's own and never part of it.
 *
 * @param nodeType what it is, such as {@code country}; at most {@link #MAX_TYPE_LENGTH} letters, digits and {@code . _ -}
 * @param name for people; at most {@link #MAX_NAME_LENGTH} characters
 * @param content the document; at most {@link #MAX_CONTENT_BYTES} as JSON, nested at most {@link #MAX_DEPTH} deep
 */
record NodeDocument(String nodeType, String name, JsonObject content) {

    /** The most characters of a node type. */
    static final int MAX_TYPE_LENGTH = 128;

    /** The most characters of a name. */
    static final int MAX_NAME_LENGTH = 512;

    /** The largest content, in bytes of its JSON: 1 MiB. */
    static final int MAX_CONTENT_BYTES = 1024 * 1024;

    /** How deep objects and arrays of the content may be nested. */
    static final int MAX_DEPTH = 100;

    private static final String TYPE = "nodeType";
    private static final String NAME = "name";
    private static final String CONTENT = "content";
    private static final Set<String> FIELDS = Set.of(TYPE, NAME, CONTENT);

    /**
     * Reads and checks a document.
     *
     * @throws Rejected naming the first field that is missing, of another type, out of its bounds, or not of a node
     */
    static NodeDocument of(MeshAddress address, JsonObject json) {
        Set<String> foreign = new TreeSet<>(json.fieldNames());
        foreign.removeAll(FIELDS);
        if (!foreign.isEmpty()) {
            throw Rejected.message(
                    address, "a node has nodeType, name and content to be written, and no fields " + foreign);
        }
        String type = text(address, json, TYPE, MAX_TYPE_LENGTH);
        if (!type.chars().allMatch(NodeDocument::isTypeCharacter)) {
            throw Rejected.message(
                    address, "'" + TYPE + "' = '" + type + "' may hold letters, digits and any of . _ - only");
        }
        String name = text(address, json, NAME, MAX_NAME_LENGTH);
        if (!(json.getValue(CONTENT) instanceof JsonObject content)) {
            throw Rejected.message(
                    address, "'" + CONTENT + "' is " + kind(json.getValue(CONTENT)) + " and must be an object");
        }
        checkValues(address, content, 1);
        int size = content.toBuffer().length();
        if (size > MAX_CONTENT_BYTES) {
            throw Rejected.message(address, "'" + CONTENT + "' has " + size + " bytes, more than " + MAX_CONTENT_BYTES);
        }
        return new NodeDocument(type, name, content);
    }

    private static boolean isTypeCharacter(int c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
    }

    private static String text(MeshAddress address, JsonObject json, String field, int max) {
        if (!(json.getValue(field) instanceof String text)) {
            throw Rejected.message(
                    address, "'" + field + "' is " + kind(json.getValue(field)) + " and must be a string");
        }
        if (text.isBlank() || text.length() > max) {
            throw Rejected.message(
                    address, "'" + field + "' has " + text.length() + " characters and must have 1 to " + max);
        }
        return text;
    }

    private static void checkValues(MeshAddress address, @Nullable Object value, int depth) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            throw Rejected.message(address, "'" + CONTENT + "' holds a number that is too large for 64 bits");
        }
        boolean nested = value instanceof JsonObject || value instanceof JsonArray;
        if (nested && depth > MAX_DEPTH) {
            throw Rejected.message(address, "'" + CONTENT + "' is nested more than " + MAX_DEPTH + " deep");
        }
        if (value instanceof JsonObject object) {
            for (Map.Entry<String, Object> member : object) {
                checkValues(address, member.getValue(), depth + 1);
            }
        } else if (value instanceof JsonArray array) {
            for (Object element : array) {
                checkValues(address, element, depth + 1);
            }
        }
    }

    private static String kind(@Nullable Object value) {
        if (value == null) {
            return "missing";
        }
        if (value instanceof JsonObject) {
            return "an object";
        }
        if (value instanceof JsonArray) {
            return "an array";
        }
        return value instanceof Number ? "a number" : value instanceof Boolean ? "a boolean" : "a string";
    }

    /** As JSON, the way patches see it. */
    JsonObject toJson() {
        return new JsonObject().put(TYPE, nodeType).put(NAME, name).put(CONTENT, content);
    }
}
