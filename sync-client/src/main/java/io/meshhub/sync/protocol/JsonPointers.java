package io.meshhub.sync.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Places in a JSON document, as RFC 6901 writes them. */
public final class JsonPointers {

    private static final int MAX_INDEX_DIGITS = 9;

    private JsonPointers() {}

    /**
     * The steps of a pointer; none for the empty one, which is the whole document.
     *
     * @throws IllegalArgumentException when it is not empty and does not begin with a slash
     */
    public static List<String> steps(String pointer) {
        if (pointer.isEmpty()) {
            return List.of();
        }
        if (pointer.charAt(0) != '/') {
            throw new IllegalArgumentException("JSON pointer '" + pointer + "' must be empty or begin with '/'");
        }
        List<String> steps = new ArrayList<>();
        int from = 1;
        int slash = pointer.indexOf('/', from);
        while (slash >= 0) {
            steps.add(unescape(pointer.substring(from, slash)));
            from = slash + 1;
            slash = pointer.indexOf('/', from);
        }
        steps.add(unescape(pointer.substring(from)));
        return steps;
    }

    /** The pointer one step further. */
    static String child(String pointer, String step) {
        return pointer + '/' + step.replace("~", "~0").replace("/", "~1");
    }

    private static String unescape(String step) {
        return step.indexOf('~') < 0 ? step : step.replace("~1", "/").replace("~0", "~");
    }

    /** What stands there in a {@linkplain JsonTrees tree}; empty where nothing does. A null is told apart by {@link Found}. */
    static Optional<Found> find(@Nullable Object tree, List<String> steps) {
        Object at = tree;
        for (String step : steps) {
            if (at instanceof Map<?, ?> object && object.containsKey(step)) {
                at = object.get(step);
            } else if (at instanceof List<?> array && index(step, array.size() - 1) >= 0) {
                at = array.get(index(step, array.size() - 1));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new Found(at));
    }

    /** A value that stands somewhere; it may be a JSON null. */
    record Found(@Nullable Object value) {}

    /** The place in an array, or -1 when the step names none up to the last. */
    static int index(String step, int last) {
        boolean digits = !step.isEmpty()
                && step.length() <= MAX_INDEX_DIGITS
                && step.chars().allMatch(c -> c >= '0' && c <= '9')
                && (step.length() == 1 || step.charAt(0) != '0');
        if (!digits) {
            return -1;
        }
        int index = Integer.parseInt(step);
        return index <= last ? index : -1;
    }
}
