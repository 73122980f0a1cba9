package io.meshhub.cluster.settings;

import org.jspecify.annotations.Nullable;

/**
 * A value as given, before it is known to be good.
 *
 * @param text the value; null where a key stands in the file with nothing behind it
 * @param origin where it was given
 */
record SettingsValue(@Nullable String text, SettingsOrigin origin) {}
