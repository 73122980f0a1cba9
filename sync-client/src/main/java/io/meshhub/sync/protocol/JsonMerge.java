package io.meshhub.sync.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts two changes of one {@linkplain JsonTrees tree} together: what only one side changed is as that side has it.
 *
 * <p>Members are merged one by one. So are the elements of arrays that all three have of one length; what both sides
 * appended to an array is there from both, first theirs. A leaf that both changed, and not to the same, is a conflict.
 */
public final class JsonMerge {

    private JsonMerge() {}

    /** What a member is on one side; absent is told apart from null. */
    private record Side(boolean present, @Nullable Object value) {
        static Side of(Map<?, ?> object, Object name) {
            return new Side(object.containsKey(name), object.get(name));
        }
    }

    /** A change on both sides that cannot be put together. */
    private static final class Clash extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Clash() {
            super(null, null, false, false);
        }
    }

    /** A merged tree, which may be a JSON null. */
    public record Merged(@Nullable Object tree) {}

    /** Both changes together; empty when a leaf was changed on both sides. */
    public static Optional<Merged> of(@Nullable Object base, @Nullable Object theirs, @Nullable Object mine) {
        try {
            return Optional.of(new Merged(merge(base, theirs, mine)));
        } catch (Clash clash) {
            return Optional.empty();
        }
    }

    private static @Nullable Object merge(@Nullable Object base, @Nullable Object theirs, @Nullable Object mine) {
        if (Objects.equals(theirs, mine) || Objects.equals(base, mine)) {
            return theirs;
        }
        if (Objects.equals(base, theirs)) {
            return mine;
        }
        if (base instanceof Map<?, ?> from && theirs instanceof Map<?, ?> one && mine instanceof Map<?, ?> other) {
            return objects(from, one, other);
        }
        if (base instanceof List<?> from && theirs instanceof List<?> one && mine instanceof List<?> other) {
            return arrays(from, one, other);
        }
        throw new Clash();
    }

    private static Object objects(Map<?, ?> base, Map<?, ?> theirs, Map<?, ?> mine) {
        Set<Object> names = new LinkedHashSet<>(theirs.keySet());
        names.addAll(mine.keySet());
        Map<String, @Nullable Object> merged = new LinkedHashMap<>();
        for (Object name : names) {
            Side side = member(Side.of(base, name), Side.of(theirs, name), Side.of(mine, name));
            if (side.present()) {
                merged.put((String) name, side.value());
            }
        }
        return Collections.unmodifiableMap(merged);
    }

    private static Side member(Side base, Side theirs, Side mine) {
        if (theirs.equals(mine) || base.equals(mine)) {
            return theirs;
        }
        if (base.equals(theirs)) {
            return mine;
        }
        if (base.present() && theirs.present() && mine.present()) {
            return new Side(true, merge(base.value(), theirs.value(), mine.value()));
        }
        throw new Clash();
    }

    private static Object arrays(List<?> base, List<?> theirs, List<?> mine) {
        List<@Nullable Object> merged = new ArrayList<>();
        if (theirs.size() < base.size() || mine.size() < base.size()) {
            throw new Clash();
        }
        for (int i = 0; i < base.size(); i++) {
            merged.add(merge(base.get(i), theirs.get(i), mine.get(i)));
        }
        boolean appended = theirs.size() > base.size() || mine.size() > base.size();
        if (appended && !merged.subList(0, base.size()).equals(base)) {
            // An insertion looks like a change of all that follows it.
            throw new Clash();
        }
        merged.addAll(theirs.subList(base.size(), theirs.size()));
        merged.addAll(mine.subList(base.size(), mine.size()));
        return Collections.unmodifiableList(merged);
    }
}
