package io.meshhub.cluster.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a YAML file as flat keys with their lines.
 *
 * <p>It walks the composed tree and takes every scalar as it is written, since YAML's own typing is where the surprises
 * are ({@code no} as false, {@code 010} as eight, {@code 1:30} as ninety). Keys given twice, aliases and nested lists
 * are problems; all are found in one pass. A list becomes one text with commas, escaped as SmallRye splits it.
 */
final class SettingsYaml {

    private final Path file;
    private final List<SettingsProblem> problems;
    private final Map<String, SettingsValue> values = new LinkedHashMap<>();
    private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private SettingsYaml(Path file, List<SettingsProblem> problems) {
        this.file = file;
        this.problems = problems;
    }

    /** The values of a file by key; what is wrong with the file itself goes to the problems. */
    static Map<String, SettingsValue> read(Path file, boolean required, List<SettingsProblem> problems) {
        SettingsYaml yaml = new SettingsYaml(file, problems);
        yaml.load(required);
        return yaml.values;
    }

    private void load(boolean required) {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            Node root = new Yaml(new LoaderOptions()).compose(reader);
            if (root != null) {
                section("", root);
            }
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            int line = mark == null ? 0 : mark.getLine() + 1;
            String column = mark == null ? "" : " (column " + (mark.getColumn() + 1) + ")";
            // The message would quote the line, and a secret with it.
            problem(line, "is not YAML: " + e.getProblem() + column);
        } catch (NoSuchFileException e) {
            if (required) {
                problem(0, "does not exist");
            }
        } catch (AccessDeniedException e) {
            problem(0, "cannot be read: access denied");
        } catch (CharacterCodingException e) {
            problem(0, "is not UTF-8");
        } catch (YAMLException | IOException e) {
            problem(0, "cannot be read: " + e.getMessage());
        }
    }

    private void problem(int line, String rule) {
        problems.add(SettingsProblem.ofFile(SettingsOrigin.file(file, line), rule));
    }

    private void node(String key, Node node, int line) {
        if (!seen.add(node)) {
            // Also what keeps an alias inside itself from going round.
            problem(line, "uses an alias for '" + key + "'; write the value out");
        } else if (node instanceof ScalarNode scalar) {
            scalar(key, scalar, line);
        } else if (node instanceof SequenceNode list) {
            list(key, list, line);
        } else {
            section(key, node);
        }
    }

    private void section(String key, Node node) {
        if (!(node instanceof MappingNode mapping)) {
            if (!isNull(node)) {
                problem(line(node), "must hold keys and values, such as 'http:' with 'port: 8080' below");
            }
            return;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Node name = tuple.getKeyNode();
            if (name instanceof ScalarNode scalar) {
                node(
                        key.isEmpty() ? scalar.getValue() : key + "." + scalar.getValue(),
                        tuple.getValueNode(),
                        line(name));
            } else {
                problem(line(name), "has a key that is not plain text");
            }
        }
    }

    private void scalar(String key, ScalarNode scalar, int line) {
        put(key, isNull(scalar) ? null : scalar.getValue(), line);
    }

    private void list(String key, SequenceNode list, int line) {
        List<String> elements = new ArrayList<>();
        for (Node element : list.getValue()) {
            if (element instanceof ScalarNode scalar && !isNull(scalar)) {
                elements.add(scalar.getValue().replace("\\", "\\\\").replace(",", "\\,"));
            } else {
                problem(line(element), "has an element of '" + key + "' that is not plain text");
                return;
            }
        }
        put(key, String.join(",", elements), line);
    }

    private void put(String key, @Nullable String value, int line) {
        SettingsOrigin origin = SettingsOrigin.file(file, line);
        SettingsValue earlier = values.putIfAbsent(key, new SettingsValue(value, origin));
        if (earlier != null) {
            problem(
                    line,
                    "gives '" + key + "' again; it was given in line "
                            + earlier.origin().line());
        }
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static int line(Node node) {
        Mark mark = node.getStartMark();
        return mark == null ? 0 : mark.getLine() + 1;
    }
}
