package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.json.JsonException;
import jakarta.json.JsonReader;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes a document by a patch, of RFC 6902 or RFC 7396; all of it or nothing. */
final class NodePatch {

    /** The {@code format} of RFC 7396. */
    static final String MERGE = "merge-patch";

    /** The {@code format} of RFC 6902. */
    static final String OPERATIONS = "json-patch";

    /** The most operations of one patch. */
    static final int MAX_OPERATIONS = 500;

    // Values that a patched document may have before it is checked: copies of copies grow with each operation.
    private static final int MAX_VALUES = NodeDocument.MAX_CONTENT_BYTES;

    private static final JsonProvider JSON = JsonProvider.provider();

    private NodePatch() {}

    /**
     * The document as the patch leaves it.
     *
     * @throws Rejected naming the operation that cannot be applied, or what is wrong with the result
     */
    static NodeDocument apply(MeshAddress address, NodeDocument document, String format, @Nullable Object patch) {
        JsonStructure target = read(document.toJson().encode());
        JsonValue patched =
                switch (format) {
                    case MERGE -> merge(address, target, patch);
                    case OPERATIONS -> operate(address, target, patch);
                    default ->
                        throw Rejected.message(
                                address, "'format' = '" + format + "' must be " + MERGE + " or " + OPERATIONS);
                };
        if (patched.getValueType() != JsonValue.ValueType.OBJECT) {
            throw Rejected.message(address, "the patch leaves no object");
        }
        try {
            return NodeDocument.of(address, new JsonObject(patched.toString()));
        } catch (DecodeException e) {
            throw Rejected.message(address, "what the patch leaves cannot be read: " + e.getMessage());
        }
    }

    private static JsonValue merge(MeshAddress address, JsonStructure target, @Nullable Object patch) {
        if (!(patch instanceof JsonObject object)) {
            throw Rejected.message(address, "a patch of format " + MERGE + " must be an object");
        }
        try {
            return JSON.createMergePatch(read(object.encode())).apply(target);
        } catch (JsonException e) {
            throw Rejected.message(address, "the patch cannot be applied: " + e.getMessage());
        }
    }

    private static JsonValue operate(MeshAddress address, JsonStructure target, @Nullable Object patch) {
        if (!(patch instanceof JsonArray operations)) {
            throw Rejected.message(address, "a patch of format " + OPERATIONS + " must be an array");
        }
        if (operations.size() > MAX_OPERATIONS) {
            throw Rejected.message(
                    address, "the patch has " + operations.size() + " operations, more than " + MAX_OPERATIONS);
        }
        JsonStructure patched = target;
        for (int i = 0; i < operations.size(); i++) {
            patched = operate(address, patched, i, operations.getValue(i));
        }
        return patched;
    }

    // One by one, so that the one that fails can be named.
    private static JsonStructure operate(MeshAddress address, JsonStructure target, int index, Object operation) {
        if (!(operation instanceof JsonObject object)) {
            throw Rejected.message(address, "operation " + index + " of the patch is no object");
        }
        String op = String.valueOf(object.getValue("op"));
        String path = String.valueOf(object.getValue("path"));
        try {
            JsonStructure patched = JSON.createPatch(
                            read(new JsonArray().add(object).encode()).asJsonArray())
                    .apply(target);
            if (op.equals("copy") && count(patched, 0) > MAX_VALUES) {
                throw new JsonException("the document grows beyond " + MAX_VALUES + " values");
            }
            return patched;
        } catch (JsonException | IllegalArgumentException | ClassCastException | NullPointerException e) {
            // What the library throws for an operation without a path, or with a value of another type.
            throw Rejected.message(
                    address,
                    "operation " + index + " of the patch ('" + op + "' at '" + path + "') failed: " + e.getMessage());
        }
    }

    // Counts no further than the bound: shared parts make a document larger than the memory that it takes.
    private static int count(JsonValue value, int sofar) {
        int counted = sofar + 1;
        if (counted > MAX_VALUES) {
            return counted;
        }
        if (value instanceof jakarta.json.JsonObject object) {
            for (Map.Entry<String, JsonValue> member : object.entrySet()) {
                counted = count(member.getValue(), counted);
            }
        } else if (value instanceof jakarta.json.JsonArray array) {
            for (JsonValue element : array) {
                counted = count(element, counted);
            }
        }
        return counted;
    }

    private static JsonStructure read(String json) {
        try (JsonReader reader = JSON.createReader(new StringReader(json))) {
            return reader.read();
        }
    }
}
