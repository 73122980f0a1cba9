package io.meshhub.cluster.settings;

/**
 * A setting given on the command line.
 *
 * @param key the key that it sets
 * @param option the option as typed, such as {@code --http-port}
 * @param value the value as typed
 */
public record SettingsFlag(String key, String option, String value) {}
