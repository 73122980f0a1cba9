package io.meshhub.hub.store;

import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.NodeWrite;
import io.vertx.core.json.EncodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A write whose content is text, so that what the caller does to its document later changes nothing.
 *
 * @param content the document; null deletes
 */
record EncodedWrite(NodeWrite write, @Nullable String content) {

    private static final long BASE_WEIGHT = 256;

    /**
     * Takes the document over.
     *
     * @throws Rejected when type, name or content cannot be written as UTF-8 and JSON
     */
    static EncodedWrite of(NodeWrite write) {
        JsonObject content = write.content();
        if (content == null) {
            return new EncodedWrite(write, null);
        }
        checkUnicode(write, "node type", write.nodeType());
        checkUnicode(write, "name", write.name());
        try {
            String text = content.encode();
            checkUnicode(write, "content", text);
            return new EncodedWrite(write, text);
        } catch (EncodeException e) {
            throw Rejected.message(write.address(), "its content cannot be written as JSON: " + e.getMessage());
        }
    }

    // The file would keep a question mark instead.
    private static void checkUnicode(NodeWrite write, String what, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw Rejected.message(write.address(), "its " + what + " holds half a surrogate pair");
        }
    }

    /** About how much room it takes, in characters. */
    long weight() {
        return content == null ? BASE_WEIGHT : BASE_WEIGHT + content.length();
    }
}
