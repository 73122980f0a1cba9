package io.meshhub.hub.admin;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON from a client strictly, and says where it is wrong. */
final class JsonBodies {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private JsonBodies() {}

    /**
     * Any JSON value: an object, an array, a string, a number, a boolean or null.
     *
     * @throws Problem with line and column of the fault, both counted from 1
     */
    static @Nullable Object any(Buffer body) {
        if (body.length() == 0) {
            throw Problem.rejected("The body is empty; JSON is expected")
                    .with("line", 1)
                    .with("column", 1);
        }
        try {
            return wrap(checked(MAPPER.readValue(body.getBytes(), Object.class)));
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String why = firstLine(e.getOriginalMessage());
            int line = at == null ? 1 : at.getLineNr();
            int column = at == null ? 1 : at.getColumnNr();
            throw Problem.rejected("The body is no JSON at line " + line + ", column " + column + ": " + why)
                    .with("line", line)
                    .with("column", column);
        } catch (IOException e) {
            throw Problem.rejected("The body is no JSON: " + firstLine(e.getMessage()));
        }
    }

    /** A JSON object. */
    static JsonObject object(Buffer body) {
        if (any(body) instanceof JsonObject object) {
            return object;
        }
        throw Problem.rejected("The body is JSON and no object; an object is expected");
    }

    @SuppressWarnings("unchecked") // Jackson reads objects into maps with string keys.
    private static @Nullable Object wrap(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return new JsonObject((Map<String, Object>) map);
        }
        return value instanceof List<?> list ? new JsonArray(list) : value;
    }

    // A number such as 1e999 is read as infinite, which no JSON can say again: it would come back as a string.
    private static @Nullable Object checked(@Nullable Object value) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            throw Problem.rejected("The body holds a number that is too large for a floating-point number of 64 bits");
        }
        if (value instanceof Map<?, ?> map) {
            map.values().forEach(JsonBodies::checked);
        } else if (value instanceof List<?> list) {
            list.forEach(JsonBodies::checked);
        }
        return value;
    }

    private static String firstLine(@Nullable String text) {
        String known = text == null ? "unknown" : text;
        int end = known.indexOf('\n');
        return end < 0 ? known : known.substring(0, end);
    }
}
