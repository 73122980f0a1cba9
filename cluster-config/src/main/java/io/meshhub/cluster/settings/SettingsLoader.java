package io.meshhub.cluster.settings;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a settings mapping (an interface in SmallRye's way, each key marked with {@link Setting}) from all sources.
 *
 * <p>Precedence, weakest first: defaults, the file, {@code PREFIX_*} variables, {@code -Dprefix.*} system properties,
 * flags. A key that the mapping does not have is a problem in every source. All problems are found before any is
 * reported. Expressions and profiles of SmallRye are off: a value is what is written.
 *
 * @param <T> the settings mapping
 */
public final class SettingsLoader<T> {

    private static final int FIRST_ORDINAL = 100;

    private final Class<T> mapping;
    private final String prefix;
    private final List<SettingsCheck<T>> checks;
    private final Set<String> reserved;
    private final NavigableMap<String, SettingsKey> keys;

    private SettingsLoader(Class<T> mapping, String prefix, List<SettingsCheck<T>> checks, Set<String> reserved) {
        this.mapping = mapping;
        this.prefix = prefix;
        this.checks = List.copyOf(checks);
        this.reserved = Set.copyOf(reserved);
        this.keys = SettingsKey.of(mapping);
        for (SettingsCheck<T> check : checks) {
            if (!keys.keySet().containsAll(check.keys())) {
                throw new IllegalArgumentException("check over " + check.keys() + " names a key that does not exist");
            }
        }
        if (variables().size() != keys.size()) {
            throw new IllegalArgumentException("two keys of " + mapping.getSimpleName() + " share one variable");
        }
    }

    /**
     * A loader.
     *
     * @param mapping the interface whose methods are sections and keys
     * @param prefix lower case; variables begin with it in upper case, system properties as it is
     * @throws IllegalArgumentException when the mapping is not well made
     */
    public static <T> SettingsLoader<T> of(Class<T> mapping, String prefix) {
        return new SettingsLoader<>(mapping, prefix, List.of(), Set.of());
    }

    /** With rules over more than one key. */
    public SettingsLoader<T> withChecks(List<SettingsCheck<T>> rules) {
        return new SettingsLoader<>(mapping, prefix, rules, reserved);
    }

    /** With names of variables and system properties that bear the prefix and are no settings. */
    public SettingsLoader<T> withReserved(Set<String> names) {
        return new SettingsLoader<>(mapping, prefix, checks, names);
    }

    /** Every key of the mapping, by name. */
    public Collection<SettingsKey> keys() {
        return List.copyOf(keys.values());
    }

    /**
     * Reads all sources.
     *
     * @throws SettingsException with every problem that was found
     */
    public Settings<T> load(SettingsSources sources) throws SettingsException {
        List<SettingsProblem> problems = new ArrayList<>();
        List<Map<String, SettingsValue>> layers = new ArrayList<>();
        layers.add(sources.file()
                .map(file -> SettingsYaml.read(file, sources.fileRequired(), problems))
                .orElseGet(Map::of));
        layers.add(environment(sources.environment()));
        layers.add(properties(sources.properties()));
        layers.add(flags(sources.flags(), problems));
        layers = layers.stream().map(layer -> known(layer, problems)).toList();

        Map<String, SettingsValue> winners = winners(layers);
        Set<String> bad = check(winners, problems);
        // What is bad by itself falls back to its default, so that the rules over several keys can still be asked.
        SmallRyeConfig config = config(layers, bad, true);
        T value = config.getConfigMapping(mapping, "");
        for (SettingsCheck<T> check : checks) {
            if (check.keys().stream().noneMatch(bad::contains)) {
                check.rule()
                        .apply(value)
                        .ifPresent(rule -> problems.add(problem(check.keys().get(0), winners, rule)));
            }
        }
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
        return new Settings<>(value, entries(winners));
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>();
        keys.values().forEach(key -> variables.put(key.variable(prefix), key.name()));
        return variables;
    }

    private Map<String, SettingsValue> environment(Map<String, String> environment) {
        Map<String, String> byVariable = variables();
        String start = SettingsKey.variableOf(prefix, "");
        Map<String, SettingsValue> layer = new TreeMap<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(start) && !reserved.contains(variable)) {
                String guess = variable.substring(start.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.');
                String key = byVariable.getOrDefault(variable, guess);
                // A variable that happens to spell a key is still not the key's variable.
                String shown = !byVariable.containsKey(variable) && keys.containsKey(key) ? variable : key;
                layer.put(shown, new SettingsValue(value, SettingsOrigin.environment(variable)));
            }
        });
        return layer;
    }

    private Map<String, SettingsValue> properties(Map<String, String> properties) {
        String start = prefix + ".";
        Map<String, SettingsValue> layer = new TreeMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(start) && !reserved.contains(name)) {
                layer.put(name.substring(start.length()), new SettingsValue(value, SettingsOrigin.property(name)));
            }
        });
        return layer;
    }

    private Map<String, SettingsValue> flags(List<SettingsFlag> flags, List<SettingsProblem> problems) {
        Map<String, SettingsValue> layer = new LinkedHashMap<>();
        for (SettingsFlag flag : flags) {
            SettingsValue value = new SettingsValue(flag.value(), SettingsOrigin.flag(flag.option()));
            SettingsValue earlier = layer.putIfAbsent(flag.key(), value);
            if (earlier != null) {
                String rule = "is given twice, also by " + earlier.origin();
                problems.add(new SettingsProblem(flag.key(), shown(flag.key(), flag.value()), value.origin(), rule));
            }
        }
        return layer;
    }

    /** The layer without what is unknown or empty, which become problems. */
    private Map<String, SettingsValue> known(Map<String, SettingsValue> layer, List<SettingsProblem> problems) {
        Map<String, SettingsValue> good = new LinkedHashMap<>();
        layer.forEach((key, value) -> {
            String text = value.text();
            boolean section = keys.keySet().stream().anyMatch(name -> name.startsWith(key + "."));
            if (text != null && keys.containsKey(key)) {
                good.put(key, value);
            } else if (text != null || !section) {
                String rule = keys.containsKey(key) ? "has no value; remove the key or set it" : unknown(key, section);
                problems.add(new SettingsProblem(key, shown(key, text == null ? "" : text), value.origin(), rule));
            }
        });
        return good;
    }

    private String unknown(String key, boolean section) {
        if (section) {
            String first = keys.keySet().stream()
                    .filter(name -> name.startsWith(key + "."))
                    .findFirst()
                    .orElse(key);
            return "is a section and takes no value; its keys are such as '" + first + "'";
        }
        return "is no setting"
                + SettingsSuggestion.nearest(key, keys.keySet())
                        .map(name -> "; did you mean '" + name + "' (" + SettingsKey.variableOf(prefix, name) + ")?")
                        .orElse("");
    }

    private String shown(String key, String value) {
        SettingsKey known = keys.get(key);
        if (known != null) {
            return known.shown(value);
        }
        // A key that is not known may be a misspelt secret.
        boolean maybeSecret = SettingsSuggestion.nearest(key, keys.keySet())
                        .map(keys::get)
                        .filter(near -> near.setting().secret())
                        .isPresent()
                || key.matches("(?i).*(secret|password|token|credential|passphrase).*");
        return maybeSecret && !value.isEmpty() ? "***" : value;
    }

    private Map<String, SettingsValue> winners(List<Map<String, SettingsValue>> layers) {
        SmallRyeConfig config = config(layers, Set.of(), false);
        Map<String, SettingsValue> winners = new TreeMap<>();
        for (SettingsKey key : keys.values()) {
            ConfigValue found = config.getConfigValue(key.name());
            int layer = found.getValue() == null ? -1 : found.getConfigSourceOrdinal() - FIRST_ORDINAL;
            winners.put(
                    key.name(),
                    layer < 0
                            ? new SettingsValue(key.defaultValue().orElse(""), SettingsOrigin.DEFAULT)
                            : Objects.requireNonNull(layers.get(layer).get(key.name())));
        }
        return winners;
    }

    /** The names of the keys whose value is bad by itself. */
    private Set<String> check(Map<String, SettingsValue> winners, List<SettingsProblem> problems) {
        Set<String> bad = new TreeSet<>();
        for (SettingsKey key : keys.values()) {
            SettingsValue value = Objects.requireNonNull(winners.get(key.name()));
            try {
                SettingsValues.check(key, Objects.requireNonNullElse(value.text(), ""));
            } catch (SettingsValues.BadValue e) {
                bad.add(key.name());
                problems.add(problem(key.name(), winners, e.rule()));
            }
        }
        return bad;
    }

    private SettingsProblem problem(String key, Map<String, SettingsValue> winners, String rule) {
        SettingsValue value = Objects.requireNonNull(winners.get(key));
        return new SettingsProblem(key, shown(key, Objects.requireNonNullElse(value.text(), "")), value.origin(), rule);
    }

    private SmallRyeConfig config(List<Map<String, SettingsValue>> layers, Set<String> without, boolean mapped) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
        SettingsValues.register(builder);
        for (int i = 0; i < layers.size(); i++) {
            Map<String, String> values = new LinkedHashMap<>();
            layers.get(i).forEach((key, value) -> {
                if (!without.contains(key)) {
                    values.put(key, Objects.requireNonNullElse(value.text(), ""));
                }
            });
            builder.withSources(new PropertiesConfigSource(values, "layer " + i, FIRST_ORDINAL + i));
        }
        if (mapped) {
            builder.withMapping(mapping, "").withValidateUnknown(false);
        }
        return builder.build();
    }

    private List<Settings.Entry> entries(Map<String, SettingsValue> winners) {
        return keys.values().stream()
                .map(key -> {
                    SettingsValue value = Objects.requireNonNull(winners.get(key.name()));
                    String text = Objects.requireNonNullElse(value.text(), "");
                    return new Settings.Entry(key.name(), key.shown(text), value.origin());
                })
                .toList();
    }
}
