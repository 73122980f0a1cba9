package io.meshhub.cluster.settings;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Settings that were read and found good, with the origin of each value. Printing them shows no secret.
 *
 * @param <T> the settings mapping
 */
public final class Settings<T> {

    /**
     * One effective setting as it may be printed.
     *
     * @param key the key
     * @param value the value in force; {@code ***} for a secret, empty where an optional one is not set
     * @param origin where it comes from
     */
    public record Entry(String key, String value, SettingsOrigin origin) {}

    private final T value;
    private final List<Entry> entries;

    Settings(T value, List<Entry> entries) {
        this.value = value;
        this.entries = List.copyOf(entries);
    }

    /** The typed settings. */
    public T value() {
        return value;
    }

    /** Every setting, by key. */
    public List<Entry> entries() {
        return entries;
    }

    /**
     * One setting, for messages that name it.
     *
     * @throws IllegalArgumentException when the mapping has no such key
     */
    public Entry entry(String key) {
        return entries.stream()
                .filter(entry -> entry.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no setting '" + key + "'"));
    }

    /** Where the value of a key comes from. */
    public SettingsOrigin origin(String key) {
        return entry(key).origin();
    }

    /** A setting as a message names it: {@code http.port = 8080 (from default)}. */
    public String describe(String key) {
        Entry entry = entry(key);
        return key + " = " + entry.value() + " (from " + entry.origin() + ")";
    }

    /** All settings as aligned text: key, value, origin, one a line. */
    public String toText() {
        int keys =
                entries.stream().mapToInt(entry -> entry.key().length()).max().orElse(0);
        int values =
                entries.stream().mapToInt(entry -> entry.value().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        String format = "%-" + Math.max(1, keys) + "s  %-" + Math.max(1, values) + "s  %s%n";
        entries.forEach(entry -> text.append(String.format(format, entry.key(), entry.value(), entry.origin())));
        return text.toString();
    }

    /** All settings as JSON: {@code {"settings":[{"key","value","origin"}]}}. */
    public JsonObject toJson() {
        JsonArray array = new JsonArray();
        entries.forEach(entry -> array.add(new JsonObject()
                .put("key", entry.key())
                .put("value", entry.value())
                .put("origin", entry.origin().toString())));
        return new JsonObject().put("settings", array);
    }

    @Override
    public String toString() {
        return toText();
    }
}
