package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies what {@link JsonDiff} makes: adds, removals and replacements of RFC 6902, and {@linkplain Splice splices}; what
 * is not touched is shared.
 */
public final class JsonPatcher {

    private static final String APPEND = "-";

    private JsonPatcher() {}

    /** What is done at the end of a path. */
    private record Operation(String op, JsonObject json) {

        boolean is(String name) {
            return op.equals(name);
        }

        /** What stands there afterwards, for all but a removal. */
        @Nullable
        Object on(@Nullable Object before) {
            return switch (op) {
                case "add", "replace" -> JsonTrees.of(json.getValue("value"));
                case Splice.OP -> {
                    if (before instanceof String text) {
                        yield Splice.read(json).apply(text);
                    }
                    throw new IllegalArgumentException("there is no string");
                }
                default ->
                    throw new IllegalArgumentException("the operation is none of add, remove, replace and splice");
            };
        }
    }

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
                patched = apply(patched, JsonPointers.steps(path), 0, new Operation(op, operation));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "operation " + i + " of the patch ('" + op + "' at '" + path + "') failed: " + e.getMessage(),
                        e);
            }
        }
        return patched;
    }

    private static @Nullable Object apply(@Nullable Object at, List<String> steps, int depth, Operation operation) {
        if (depth == steps.size()) {
            if (operation.is("remove")) {
                throw new IllegalArgumentException("the whole document cannot be removed");
            }
            return operation.on(at);
        }
        String step = steps.get(depth);
        boolean last = depth == steps.size() - 1;
        if (at instanceof Map<?, ?> object) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            object.forEach((name, member) -> copy.put((String) name, member));
            if (!copy.containsKey(step) && !(last && operation.is("add"))) {
                throw new IllegalArgumentException("there is no member '" + step + "'");
            }
            if (!last) {
                copy.put(step, apply(copy.get(step), steps, depth + 1, operation));
            } else if (operation.is("remove")) {
                copy.remove(step);
            } else {
                copy.put(step, operation.on(copy.get(step)));
            }
            return Collections.unmodifiableMap(copy);
        }
        if (at instanceof List<?> array) {
            List<@Nullable Object> copy = new ArrayList<>(array);
            if (last) {
                change(copy, step, operation);
            } else {
                int index = place(step, copy.size() - 1);
                copy.set(index, apply(copy.get(index), steps, depth + 1, operation));
            }
            return Collections.unmodifiableList(copy);
        }
        throw new IllegalArgumentException("there is nothing below '" + step + "'");
    }

    private static void change(List<@Nullable Object> array, String step, Operation operation) {
        if (operation.is("add")) {
            array.add(step.equals(APPEND) ? array.size() : place(step, array.size()), operation.on(null));
        } else if (operation.is("remove")) {
            array.remove(place(step, array.size() - 1));
        } else {
            int index = place(step, array.size() - 1);
            array.set(index, operation.on(array.get(index)));
        }
    }

    private static int place(String step, int last) {
        int index = JsonPointers.index(step, last);
        if (index < 0) {
            throw new IllegalArgumentException("'" + step + "' is no place in an array up to " + last);
        }
        return index;
    }
}
