package io.meshhub.cluster.settings;

import io.smallrye.config.WithDefault;
import io.smallrye.config.common.utils.StringUtil;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A key of a settings mapping: its name, type, default, bounds and meaning.
 *
 * @param name the dotted name, such as {@code http.port}
 * @param type the type of the value, or of an element of a list
 * @param list whether it takes a list
 * @param optional whether it may be absent
 * @param defaultValue the declared default as text; absent for an optional key
 * @param setting what the mapping says about it
 */
public record SettingsKey(
        String name, Class<?> type, boolean list, boolean optional, Optional<String> defaultValue, Setting setting) {

    /** The value as it may be printed. */
    String shown(String value) {
        return setting.secret() && !value.isEmpty() ? "***" : value;
    }

    /** The name of the variable that sets it, with the prefix given, such as {@code MESHHUB_HTTP_PORT}. */
    public String variable(String prefix) {
        return variableOf(prefix, name);
    }

    static String variableOf(String prefix, String name) {
        return (prefix + "." + name).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** The type in words for the reference page, such as {@code duration} or {@code one of none, tcp}. */
    public String typeName() {
        String one = SettingsValues.typeName(type);
        return list ? "list of " + one + "s" : one;
    }

    /** All keys of a mapping, by name. */
    static NavigableMap<String, SettingsKey> of(Class<?> mapping) {
        NavigableMap<String, SettingsKey> keys = new TreeMap<>();
        collect(mapping, "", keys);
        return keys;
    }

    private static void collect(Class<?> mapping, String prefix, NavigableMap<String, SettingsKey> into) {
        for (Method method : mapping.getMethods()) {
            if (method.isDefault() || Modifier.isStatic(method.getModifiers())) {
                continue;
            }
            String name = prefix + StringUtil.skewer(method.getName());
            Setting setting = method.getAnnotation(Setting.class);
            if (setting == null && method.getReturnType().isInterface()) {
                collect(method.getReturnType(), name + ".", into);
            } else if (setting == null) {
                throw new IllegalArgumentException("setting '" + name + "' carries no @Setting");
            } else {
                into.put(name, key(name, method, setting));
            }
        }
    }

    private static SettingsKey key(String name, Method method, Setting setting) {
        Type type = method.getGenericReturnType();
        boolean optional = false;
        boolean list = false;
        if (type instanceof ParameterizedType outer && outer.getRawType() == Optional.class) {
            optional = true;
            type = outer.getActualTypeArguments()[0];
        }
        if (type instanceof ParameterizedType outer && outer.getRawType() == List.class) {
            list = true;
            type = outer.getActualTypeArguments()[0];
        }
        WithDefault declared = method.getAnnotation(WithDefault.class);
        if ((declared == null) != optional) {
            throw new IllegalArgumentException(
                    "setting '" + name + "' must have a default or be optional, and not both");
        }
        Optional<String> defaultValue = Optional.ofNullable(declared).map(WithDefault::value);
        return new SettingsKey(name, SettingsValues.known(name, type), list, optional, defaultValue, setting);
    }
}
