package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The difference of two {@linkplain JsonTrees trees} as operations of RFC 6902: add, remove and replace.
 *
 * <p>Arrays are compared from both ends: what lies between is matched by place. That takes time in the size of the
 * trees, and an insertion, a removal or a change at one place of an array is one operation.
 *
 * <p>Between processes of ours a change within a long string is a {@link Splice}; nobody else is told of one.
 */
public final class JsonDiff {

    private final JsonArray operations = new JsonArray();

    private final boolean splices;

    private JsonDiff(boolean splices) {
        this.splices = splices;
    }

    /** The operations that make the second of the first, as the standard has them; none when they say the same. */
    public static JsonArray between(@Nullable Object before, @Nullable Object after) {
        return between(before, after, false);
    }

    /** The operations that make the second of the first, with splices for long strings; none when they say the same. */
    public static JsonArray withSplices(@Nullable Object before, @Nullable Object after) {
        return between(before, after, true);
    }

    private static JsonArray between(@Nullable Object before, @Nullable Object after, boolean splices) {
        JsonDiff diff = new JsonDiff(splices);
        diff.compare("", before, after);
        return diff.operations;
    }

    private void compare(String path, @Nullable Object before, @Nullable Object after) {
        if (before == after) {
            return;
        }
        if (before instanceof Map<?, ?> from && after instanceof Map<?, ?> to) {
            compareObjects(path, from, to);
        } else if (before instanceof List<?> from && after instanceof List<?> to) {
            compareArrays(path, from, to);
        } else if (!Objects.equals(before, after)) {
            Optional<Splice> splice = splices && before instanceof String from && after instanceof String to
                    ? Splice.between(from, to)
                    : Optional.empty();
            operations.add(splice.map(it -> it.toJson(path))
                    .orElseGet(() -> operation("replace", path).put("value", after)));
        }
    }

    private void compareObjects(String path, Map<?, ?> before, Map<?, ?> after) {
        for (Object name : before.keySet()) {
            if (!after.containsKey(name)) {
                operations.add(operation("remove", JsonPointers.child(path, (String) name)));
            }
        }
        after.forEach((name, value) -> {
            String child = JsonPointers.child(path, (String) name);
            if (before.containsKey(name)) {
                compare(child, before.get(name), value);
            } else {
                operations.add(operation("add", child).put("value", value));
            }
        });
    }

    private void compareArrays(String path, List<?> before, List<?> after) {
        int shorter = Math.min(before.size(), after.size());
        int head = 0;
        while (head < shorter && Objects.equals(before.get(head), after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && Objects.equals(before.get(before.size() - 1 - tail), after.get(after.size() - 1 - tail))) {
            tail++;
        }
        int common = shorter - head - tail;
        for (int i = head; i < head + common; i++) {
            compare(path + '/' + i, before.get(i), after.get(i));
        }
        for (int i = before.size() - tail - 1; i >= head + common; i--) {
            operations.add(operation("remove", path + '/' + i));
        }
        for (int i = head + common; i < after.size() - tail; i++) {
            // An append says so: it stays right when somebody else appends as well.
            boolean appends = tail == 0 && i >= before.size();
            operations.add(operation("add", path + '/' + (appends ? "-" : i)).put("value", after.get(i)));
        }
    }

    private static JsonObject operation(String op, String path) {
        return new JsonObject().put("op", op).put("path", path);
    }
}
