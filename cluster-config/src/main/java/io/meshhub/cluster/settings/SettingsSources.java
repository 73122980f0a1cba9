package io.meshhub.cluster.settings;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The places that settings are read from, weakest first.
 *
 * @param file the settings file, if any
 * @param fileRequired whether it is a problem that the file does not exist
 * @param environment the variables; only those that begin with the loader's prefix are looked at
 * @param properties the system properties; only those that begin with the loader's prefix are looked at
 * @param flags what the command line sets
 */
public record SettingsSources(
        Optional<Path> file,
        boolean fileRequired,
        Map<String, String> environment,
        Map<String, String> properties,
        List<SettingsFlag> flags) {

    public SettingsSources {
        environment = Map.copyOf(environment);
        properties = Map.copyOf(properties);
        flags = List.copyOf(flags);
    }

    /** Nothing but defaults. */
    public static SettingsSources none() {
        return new SettingsSources(Optional.empty(), false, Map.of(), Map.of(), List.of());
    }

    /** The environment and the system properties of this process; no file, no flags. */
    public static SettingsSources ofProcess() {
        Map<String, String> properties = new LinkedHashMap<>();
        Properties system = System.getProperties();
        system.stringPropertyNames().forEach(name -> properties.put(name, system.getProperty(name, "")));
        return none().withEnvironment(System.getenv()).withProperties(properties);
    }

    /** With a file that must exist. */
    public SettingsSources withFile(Path path) {
        return new SettingsSources(Optional.of(path), true, environment, properties, flags);
    }

    /** With a file that is read if it exists. */
    public SettingsSources withFileIfPresent(Path path) {
        return new SettingsSources(Optional.of(path), false, environment, properties, flags);
    }

    /** With these variables instead. */
    public SettingsSources withEnvironment(Map<String, String> variables) {
        return new SettingsSources(file, fileRequired, variables, properties, flags);
    }

    /** With these system properties instead. */
    public SettingsSources withProperties(Map<String, String> values) {
        return new SettingsSources(file, fileRequired, environment, values, flags);
    }

    /** With these flags instead. */
    public SettingsSources withFlags(List<SettingsFlag> values) {
        return new SettingsSources(file, fileRequired, environment, properties, values);
    }
}
