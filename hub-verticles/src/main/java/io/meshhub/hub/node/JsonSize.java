package io.meshhub.hub.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** About how much memory a JSON value takes, without writing it. */
final class JsonSize {

    // An object header, a reference and a place in what holds it.
    private static final long EACH = 32;

    private JsonSize() {}

    /** The size in bytes, with a byte for each character and {@value #EACH} for each value and name. */
    static long of(@Nullable Object value) {
        if (value instanceof JsonObject object) {
            return of(object.getMap());
        }
        if (value instanceof JsonArray array) {
            return of(array.getList());
        }
        long bytes = EACH;
        if (value instanceof String text) {
            bytes += text.length();
        } else if (value instanceof Map<?, ?> object) {
            for (Map.Entry<?, ?> member : object.entrySet()) {
                bytes += of(member.getKey()) + of(member.getValue());
            }
        } else if (value instanceof Iterable<?> array) {
            for (Object element : array) {
                bytes += of(element);
            }
        }
        return bytes;
    }
}
