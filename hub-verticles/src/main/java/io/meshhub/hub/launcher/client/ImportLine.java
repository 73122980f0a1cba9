package io.meshhub.hub.launcher.client;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a line of an import says: a node, nothing, or a fault. */
sealed interface ImportLine {

    /**
     * A node to put.
     *
     * @param line the number of its line
     * @param address where it goes
     * @param body the document to send: nodeType, name, content
     */
    record Node(long line, MeshAddress address, Buffer body) implements ImportLine {}

    /** A blank line. */
    record Blank() implements ImportLine {}

    /**
     * A line that is not put.
     *
     * @param line its number, from 1
     * @param column the column of the fault, from 1; 0 where it is not known
     * @param reason what is wrong
     */
    record Bad(long line, int column, String reason) implements ImportLine {

        /** The fault as one sentence, without a full stop. */
        @Override
        public String toString() {
            return "line " + line + (column > 0 ? ", column " + column : "") + ": " + reason;
        }

        JsonObject toJson() {
            JsonObject json = new JsonObject().put("line", line).put("reason", reason);
            return column > 0 ? json.put("column", column) : json;
        }
    }

    /** The fields of a line; each is needed. */
    Set<String> FIELDS = Set.of("path", "nodeType", "name", "content");

    /** Strict, and numbers keep all their digits. */
    ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Reads a line. */
    static ImportLine parse(ImportLines.Line line) {
        if (line.tooLong()) {
            return new Bad(line.number(), 0, "is longer than " + line.bytes().length() + " bytes");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.bytes().getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            return new Bad(line.number(), 0, "is not UTF-8");
        }
        if (text.isBlank()) {
            return new Blank();
        }
        try {
            JsonNode json = JSON.readTree(text);
            return json instanceof ObjectNode object
                    ? node(line.number(), object)
                    : new Bad(line.number(), 1, "is no JSON object");
        } catch (JsonProcessingException e) {
            JsonLocation location = e.getLocation();
            return new Bad(line.number(), location == null ? 0 : location.getColumnNr(), "is no JSON: " + said(e));
        }
    }

    private static String said(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        return message.replaceAll("\\s+", " ").replaceAll(" \\(start marker at .*?\\)", "");
    }

    private static ImportLine node(long line, ObjectNode object) throws JsonProcessingException {
        List<String> faults = new ArrayList<>();
        object.fieldNames().forEachRemaining(field -> {
            if (!FIELDS.contains(field)) {
                faults.add("field '" + field + "' is unknown");
            }
        });
        for (String field : List.of("path", "nodeType", "name")) {
            if (!object.path(field).isTextual() || object.path(field).asText().isEmpty()) {
                faults.add("field '" + field + "' must be a text that is not empty");
            }
        }
        if (!object.path("content").isObject()) {
            faults.add("field 'content' must be an object");
        }
        if (!faults.isEmpty()) {
            return new Bad(line, 0, String.join("; ", faults));
        }
        try {
            MeshAddress address = MeshAddress.of(object.path("path").asText());
            object.remove("path");
            return new Node(line, address, Buffer.buffer(JSON.writeValueAsBytes(object)));
        } catch (Rejected e) {
            return new Bad(line, 0, e.getMessage());
        }
    }
}
