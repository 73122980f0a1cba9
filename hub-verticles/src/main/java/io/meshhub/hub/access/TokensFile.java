package io.meshhub.hub.access;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads the tokens of a node from a YAML or JSON file: a list of {@code name}, {@code token-sha256} and {@code roles}.
 *
 * <p>What is wrong is told for all entries at once, each with its line, and never with a value that may be a secret.
 */
public final class TokensFile {

    /** The most tokens of a file: 10,000. */
    public static final int MOST = 10_000;

    private static final int MAX_BYTES = 8 << 20;
    private static final int HASH_DIGITS = 64;
    private static final Set<String> FIELDS = Set.of("name", "token-sha256", "roles");

    private final List<String> faults = new ArrayList<>();
    private final List<Tokens.Entry> entries = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private TokensFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when it cannot be read or an entry is malformed; names every one that is
     */
    public static Tokens read(Path file) {
        String text;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException("is larger than " + MAX_BYTES + " bytes");
            }
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("does not exist", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
        return parse(text);
    }

    static Tokens parse(String text) {
        TokensFile reader = new TokensFile();
        reader.readAll(text);
        if (!reader.faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", reader.faults));
        }
        return new Tokens(reader.entries);
    }

    private void readAll(String text) {
        Node root;
        try {
            LoaderOptions options = new LoaderOptions();
            options.setMaxAliasesForCollections(0);
            options.setCodePointLimit(MAX_BYTES);
            root = new Yaml(options).compose(new StringReader(text));
        } catch (YAMLException e) {
            // Its own text may quote the line, and so a hash.
            faults.add("is neither YAML nor JSON");
            return;
        }
        if (!(root instanceof SequenceNode list)) {
            faults.add("must be a list of entries of name, token-sha256 and roles");
            return;
        }
        if (list.getValue().isEmpty() || list.getValue().size() > MOST) {
            faults.add("has " + list.getValue().size() + " entries; it must have 1 to " + MOST);
            return;
        }
        int number = 0;
        for (Node entry : list.getValue()) {
            number++;
            read(number, entry);
        }
    }

    private void read(int number, Node node) {
        int line = node.getStartMark().getLine() + 1;
        String place = "entry " + number + " (line " + line + ")";
        int before = faults.size();
        if (!(node instanceof MappingNode mapping)) {
            faults.add(place + " is no object of name, token-sha256 and roles");
            return;
        }
        Map<String, Node> fields = fields(place, mapping);
        String name = scalar(fields.get("name"));
        if (name == null) {
            faults.add(place + " has no name");
        } else {
            Principal.faultOf(name).ifPresent(fault -> faults.add(place + ": name " + fault));
        }
        String hash = hash(place, line, scalar(fields.get("token-sha256")));
        Set<String> roles = roles(place, fields.get("roles"));
        if (faults.size() == before && name != null) {
            entries.add(new Tokens.Entry(Principal.of(name, roles), hash));
        }
    }

    private Map<String, Node> fields(String place, MappingNode mapping) {
        Map<String, Node> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = Optional.ofNullable(scalar(tuple.getKeyNode())).orElse("?");
            if (!FIELDS.contains(key)) {
                faults.add(place + ": field '" + key + "' is unknown; known are " + new TreeSet<>(FIELDS));
            } else if (fields.putIfAbsent(key, tuple.getValueNode()) != null) {
                faults.add(place + ": field '" + key + "' is there twice");
            }
        }
        return fields;
    }

    private String hash(String place, int line, @Nullable String text) {
        if (text == null) {
            faults.add(place + " has no token-sha256");
            return "";
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (!lower.matches("[0-9a-f]{" + HASH_DIGITS + "}")) {
            faults.add(place + ": token-sha256 must be " + HASH_DIGITS + " hex digits; it has " + text.length()
                    + " characters");
            return "";
        }
        Integer first = lines.putIfAbsent(lower, line);
        if (first != null) {
            faults.add(place + ": token-sha256 is that of the entry in line " + first + " too");
        }
        return lower;
    }

    private Set<String> roles(String place, @Nullable Node node) {
        Set<String> roles = new TreeSet<>();
        if (!(node instanceof SequenceNode list)) {
            faults.add(place + ": roles must be a list of names");
            return roles;
        }
        for (Node role : list.getValue()) {
            String name = scalar(role);
            if (name == null || !name.matches("[^\\s\\p{Cntrl}]{1," + Principal.MAX_NAME + "}")) {
                faults.add(place + ": a role must be a name without white space");
            } else {
                roles.add(name);
            }
        }
        return roles;
    }

    private static @Nullable String scalar(@Nullable Node node) {
        return node instanceof ScalarNode scalar && !scalar.getValue().isEmpty() ? scalar.getValue() : null;
    }
}
