package io.meshhub.hub.store;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares documents as JSON values: the order of members does not count, and numbers compare by what they stand for. */
final class JsonValues {

    private JsonValues() {}

    /** Whether two values, as read from JSON text, are equal. */
    static boolean equal(@Nullable Object a, @Nullable Object b) {
        if (a instanceof JsonObject x && b instanceof JsonObject y) {
            return equalObjects(x, y);
        }
        if (a instanceof JsonArray x && b instanceof JsonArray y) {
            return equalArrays(x, y);
        }
        if (a instanceof Number x && b instanceof Number y) {
            return equalNumbers(x, y);
        }
        return Objects.equals(a, b);
    }

    private static boolean equalObjects(JsonObject a, JsonObject b) {
        if (a.size() != b.size()) {
            return false;
        }
        // The iterators wrap nested maps and lists.
        for (Map.Entry<String, Object> member : a) {
            if (!b.containsKey(member.getKey()) || !equal(member.getValue(), b.getValue(member.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalArrays(JsonArray a, JsonArray b) {
        if (a.size() != b.size()) {
            return false;
        }
        Iterator<Object> others = b.iterator();
        for (Object element : a) {
            if (!equal(element, others.next())) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalNumbers(Number a, Number b) {
        if (a.equals(b)) {
            return true;
        }
        double x = a.doubleValue();
        double y = b.doubleValue();
        if (Double.isInfinite(x) || Double.isInfinite(y) || Double.isNaN(x) || Double.isNaN(y)) {
            return false;
        }
        return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
    }
}
