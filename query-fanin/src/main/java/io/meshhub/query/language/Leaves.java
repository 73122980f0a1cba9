package io.meshhub.query.language;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a dotted path leads to in a document. An array on the way or at the end stands for its elements; a JSON null is as
 * if it were not there.
 */
final class Leaves {

    private Leaves() {}

    /** Whether the path leads to anything, be it an empty object or an empty array. */
    static boolean isPresent(JsonObject content, List<String> members) {
        return !ends(content, members).isEmpty();
    }

    /** The strings, booleans and numbers to which the path leads. */
    static List<Object> scalars(JsonObject content, List<String> members) {
        List<Object> scalars = new ArrayList<>();
        ends(content, members).forEach(end -> addScalars(end, scalars));
        return scalars;
    }

    /** The string, boolean or number to which the path leads without an array on the way; null without one. */
    static @Nullable Object single(JsonObject content, List<String> members) {
        Object value = content;
        for (String member : members) {
            value = value instanceof JsonObject object ? object.getValue(member) : null;
        }
        return value instanceof JsonObject || value instanceof JsonArray ? null : value;
    }

    /** A scalar as text: strings as they are, the others as in JSON. */
    static String text(Object scalar) {
        return scalar.toString();
    }

    private static List<Object> ends(JsonObject content, List<String> members) {
        List<Object> values = List.of(content);
        for (String member : members) {
            List<Object> below = new ArrayList<>();
            values.forEach(value -> addMember(value, member, below));
            values = below;
        }
        return values;
    }

    private static void addMember(@Nullable Object value, String member, List<Object> below) {
        if (value instanceof JsonObject object) {
            Object found = object.getValue(member);
            if (found != null) {
                below.add(found);
            }
        } else if (value instanceof JsonArray array) {
            for (Object element : array) {
                addMember(element, member, below);
            }
        }
    }

    private static void addScalars(@Nullable Object value, List<Object> scalars) {
        if (value instanceof JsonArray array) {
            for (Object element : array) {
                addScalars(element, scalars);
            }
        } else if (value != null && !(value instanceof JsonObject)) {
            scalars.add(value);
        }
    }
}
