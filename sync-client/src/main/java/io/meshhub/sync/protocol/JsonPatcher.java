package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies what {@link JsonDiff} makes: adds, removals and replacements of RFC 6902; what is not touched is shared. */
public final class JsonPatcher {

    private static final String APPEND = "-";

    private JsonPatcher() {}

    /**
     * The tree after all operations.
     *
     * @throws IllegalArgumentException naming the operation that does not fit the tree
     */
    public static @Nullable Object apply(@Nullable Object tree, JsonArray operations) {
        Object patched = tree;
        for (int i = 0; i < operations.size(); i++) {
            if (!(operations.getValue(i) instanceof JsonObject operation)) {
                throw new IllegalArgumentException("operation " + i + " of the patch is no object");
            }
            String op = String.valueOf(operation.getValue("op"));
            String path = String.valueOf(operation.getValue("path"));
            try {
                patched = apply(patched, JsonPointers.steps(path), 0, op, JsonTrees.of(operation.getValue("value")));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "operation " + i + " of the patch ('" + op + "' at '" + path + "') failed: " + e.getMessage(),
                        e);
            }
        }
        return patched;
    }

    private static @Nullable Object apply(
            @Nullable Object at, List<String> steps, int depth, String op, @Nullable Object value) {
        if (depth == steps.size()) {
            if (op.equals("remove")) {
                throw new IllegalArgumentException("the whole document cannot be removed");
            }
            return value;
        }
        String step = steps.get(depth);
        boolean last = depth == steps.size() - 1;
        if (at instanceof Map<?, ?> object) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            object.forEach((name, member) -> copy.put((String) name, member));
            if (!copy.containsKey(step) && !(last && op.equals("add"))) {
                throw new IllegalArgumentException("there is no member '" + step + "'");
            }
            if (!last) {
                copy.put(step, apply(copy.get(step), steps, depth + 1, op, value));
            } else if (op.equals("remove")) {
                copy.remove(step);
            } else {
                copy.put(step, known(op, value));
            }
            return Collections.unmodifiableMap(copy);
        }
        if (at instanceof List<?> array) {
            List<@Nullable Object> copy = new ArrayList<>(array);
            if (last) {
                change(copy, step, op, value);
            } else {
                int index = place(step, copy.size() - 1);
                copy.set(index, apply(copy.get(index), steps, depth + 1, op, value));
            }
            return Collections.unmodifiableList(copy);
        }
        throw new IllegalArgumentException("there is nothing below '" + step + "'");
    }

    private static void change(List<@Nullable Object> array, String step, String op, @Nullable Object value) {
        if (op.equals("add")) {
            array.add(step.equals(APPEND) ? array.size() : place(step, array.size()), value);
        } else if (op.equals("remove")) {
            array.remove(place(step, array.size() - 1));
        } else {
            array.set(place(step, array.size() - 1), known(op, value));
        }
    }

    private static @Nullable Object known(String op, @Nullable Object value) {
        if (!op.equals("add") && !op.equals("replace")) {
            throw new IllegalArgumentException("the operation is none of add, remove and replace");
        }
        return value;
    }

    private static int place(String step, int last) {
        int index = JsonPointers.index(step, last);
        if (index < 0) {
            throw new IllegalArgumentException("'" + step + "' is no place in an array up to " + last);
        }
        return index;
    }
}
