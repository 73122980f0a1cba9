package io.meshhub.hub.query;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads nodes from a file of lines, each blank or a JSON object of {@code path, nodeType, name} and {@code content}. */
public final class StaticNodes {

    /** The most nodes of a file: 100,000. */
    public static final int MOST = 100_000;

    private static final Set<String> FIELDS = Set.of("path", "nodeType", "name", "content");

    // Below every version of a store, so that a node of the store covers the one of the file.
    private static final long VERSION = 0;

    private StaticNodes() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it cannot be read or a line is no node; says which line and why
     */
    public static List<QueryNode> read(Path file) {
        Map<MeshAddress, Integer> lines = new LinkedHashMap<>();
        List<QueryNode> nodes = new ArrayList<>();
        int number = 0;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = reader.readLine();
            while (line != null) {
                number++;
                if (!line.isBlank()) {
                    QueryNode node = node(number, line);
                    Integer first = lines.putIfAbsent(node.path(), number);
                    if (first != null) {
                        throw fault(number, "'" + node.path() + "' is in line " + first + " already");
                    }
                    nodes.add(node);
                    if (nodes.size() > MOST) {
                        throw fault(number, "is one more than the " + MOST + " nodes that a file may have");
                    }
                }
                line = reader.readLine();
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("does not exist", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("is not UTF-8, behind line " + number, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
        return List.copyOf(nodes);
    }

    private static QueryNode node(int number, String line) {
        JsonObject json;
        try {
            json = new JsonObject(line);
        } catch (DecodeException | ClassCastException e) {
            throw fault(number, "is no JSON object");
        }
        Set<String> unknown = new TreeSet<>(json.fieldNames());
        unknown.removeAll(FIELDS);
        if (!unknown.isEmpty()) {
            throw fault(number, "fields " + unknown + " are unknown");
        }
        if (!(json.getValue("content") instanceof JsonObject content)) {
            throw fault(number, "field 'content' must be an object");
        }
        try {
            return new QueryNode(
                    MeshAddress.of(text(number, json, "path")),
                    text(number, json, "nodeType"),
                    text(number, json, "name"),
                    content,
                    VERSION);
        } catch (Rejected e) {
            throw fault(number, String.valueOf(e.getMessage()));
        }
    }

    private static String text(int number, JsonObject json, String field) {
        if (json.getValue(field) instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw fault(number, "field '" + field + "' must be a text that is not empty");
    }

    private static IllegalArgumentException fault(int line, String why) {
        return new IllegalArgumentException("line " + line + ": " + why);
    }
}
