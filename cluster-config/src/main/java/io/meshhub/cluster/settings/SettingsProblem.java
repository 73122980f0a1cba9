package io.meshhub.cluster.settings;

import io.vertx.core.json.JsonObject;

/**
 * One thing that is wrong with the settings.
 *
 * @param key the key; empty where a file cannot be read at all
 * @param value the value as given, or {@code ***} for a secret
 * @param origin where the value comes from
 * @param rule what is asked of the value, as it completes a sentence: {@code must be between 0 and 65535}
 */
public record SettingsProblem(String key, String value, SettingsOrigin origin, String rule) {

    private static final int MAX_SHOWN = 120;

    static SettingsProblem ofFile(SettingsOrigin origin, String rule) {
        return new SettingsProblem("", "", origin, rule);
    }

    /** The problem as one sentence, without a full stop. */
    @Override
    public String toString() {
        if (key.isEmpty()) {
            return origin + " " + rule;
        }
        String flat = value.replaceAll("\\p{Cntrl}", "?");
        String shown = flat.length() <= MAX_SHOWN ? flat : flat.substring(0, MAX_SHOWN - 3) + "...";
        return key + " = " + (shown.isEmpty() ? "''" : shown) + " (from " + origin + ") " + rule;
    }

    /** The problem as JSON: key, value, origin, rule. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("key", key)
                .put("value", value)
                .put("origin", origin.toString())
                .put("rule", rule);
    }
}
