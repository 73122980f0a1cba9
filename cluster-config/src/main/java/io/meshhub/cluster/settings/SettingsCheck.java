package io.meshhub.cluster.settings;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A rule over more than one key. It is asked only when each of its keys is good by itself, so that one mistake is not
 * reported twice.
 *
 * @param keys the keys that it looks at; the first is the one that a violation names
 * @param rule the text of a violation, as it completes {@code key = value (from origin) ...}; empty when kept
 * @param <T> the settings mapping
 */
public record SettingsCheck<T>(List<String> keys, Function<T, Optional<String>> rule) {

    public SettingsCheck {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("keys = [] must name at least one key");
        }
    }
}
