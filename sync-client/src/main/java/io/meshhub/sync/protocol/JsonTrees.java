package io.meshhub.sync.protocol;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON values as trees of unmodifiable maps, unmodifiable lists, strings, numbers, booleans and null, in the one form in
 * which they come out of a parser: two trees say the same exactly when they are equal, whatever the order of members.
 */
public final class JsonTrees {

    private JsonTrees() {}

    /** A tree of its own for a value, which may be a {@link JsonObject}, a {@link JsonArray} or anything inside one. */
    public static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Integer) {
            return value;
        }
        if (value instanceof JsonObject object) {
            return ofObject(object.getMap());
        }
        if (value instanceof JsonArray array) {
            return ofArray(array.getList());
        }
        if (value instanceof Map<?, ?> object) {
            return ofObject(object);
        }
        if (value instanceof List<?> array) {
            return ofArray(array);
        }
        return value instanceof Number number ? ofNumber(number) : of(Json.decodeValue(Json.encode(value)));
    }

    private static Object ofObject(Map<?, ?> object) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        object.forEach((name, value) -> tree.put(String.valueOf(name), of(value)));
        return Collections.unmodifiableMap(tree);
    }

    private static Object ofArray(List<?> array) {
        List<@Nullable Object> tree = new ArrayList<>(array.size());
        array.forEach(value -> tree.add(of(value)));
        return Collections.unmodifiableList(tree);
    }

    private static Number ofNumber(Number number) {
        if (number instanceof BigInteger big && big.bitLength() >= Long.SIZE) {
            return big;
        }
        if (number instanceof Double || number instanceof Float || number instanceof BigDecimal) {
            return Double.valueOf(number.toString());
        }
        long whole = number.longValue();
        return whole == (int) whole ? (Number) (int) whole : (Number) whole;
    }

    /** The value for a program: a {@link JsonObject}, a {@link JsonArray}, or what is neither; a copy that may be changed. */
    public static @Nullable Object toJson(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> object) {
            JsonObject json = new JsonObject();
            object.forEach((name, value) -> json.put((String) name, toJson(value)));
            return json;
        }
        if (tree instanceof List<?> array) {
            JsonArray json = new JsonArray();
            array.forEach(value -> json.add(toJson(value)));
            return json;
        }
        return tree;
    }
}
