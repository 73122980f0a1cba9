package io.meshhub.cluster.settings;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.common.utils.StringUtil;
import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * The types of a setting's value and how each is written: strictly, so that a slip is refused and never read as
 * something else. A number of seconds without its unit is such a slip, and so is {@code yes} for {@code true}.
 */
final class SettingsValues {

    /** The value breaks a rule; the message completes "key = value (from origin) ...". */
    static final class BadValue extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        BadValue(String rule) {
            super(rule);
        }

        String rule() {
            return String.valueOf(getMessage());
        }
    }

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final String DURATION_RULE = "must be a whole number with a unit (ms, s, m, h or d), such as 30s";

    private static final Pattern SIZE = Pattern.compile("(\\d+)(B|KiB|MiB|GiB)");
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final String SIZE_RULE = "must be a whole number with a unit (B, KiB, MiB or GiB), such as 4MiB";

    // Boxed and unboxed: SmallRye looks a converter up by the boxed type.
    private static final Map<Class<?>, Converter<? extends Comparable<?>>> CONVERTERS = Map.of(
            String.class, text -> text,
            Integer.class, SettingsValues::integer,
            Long.class, SettingsValues::longNumber,
            Boolean.class, SettingsValues::truth,
            Duration.class, SettingsValues::duration,
            ByteSize.class, SettingsValues::size,
            Path.class, SettingsValues::path);

    private static final Map<Class<?>, Class<?>> BOXED =
            Map.of(int.class, Integer.class, long.class, Long.class, boolean.class, Boolean.class);

    private static final int PRIORITY = 1_000;

    private SettingsValues() {}

    static void register(SmallRyeConfigBuilder builder) {
        CONVERTERS.forEach((type, converter) -> register(builder, type, converter));
    }

    // The map pairs each type with a converter to it.
    @SuppressWarnings("unchecked")
    private static <V> void register(SmallRyeConfigBuilder builder, Class<V> type, Converter<?> converter) {
        // SmallRye asks also for an optional key that is absent, with an empty text; null is what it takes for absent.
        Converter<V> typed = (Converter<V>) converter;
        builder.withConverter(type, PRIORITY, text -> text.isEmpty() ? null : typed.convert(text));
    }

    static Class<?> known(String name, Type type) {
        if (type instanceof Class<?> raw) {
            Class<?> boxed = BOXED.getOrDefault(raw, raw);
            if (boxed.isEnum() || CONVERTERS.containsKey(boxed)) {
                return boxed;
            }
        }
        throw new IllegalArgumentException("setting '" + name + "' is of a type that settings do not have: " + type);
    }

    static String typeName(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + words(type);
        }
        return Map.<Class<?>, String>of(
                        String.class, "text",
                        Integer.class, "number",
                        Long.class, "number",
                        Boolean.class, "true or false",
                        Duration.class, "duration",
                        ByteSize.class, "size",
                        Path.class, "path")
                .getOrDefault(type, "text");
    }

    /**
     * Checks a value, or each element of a list.
     *
     * @throws BadValue when it breaks a rule
     */
    static void check(SettingsKey key, String text) {
        if (text.isEmpty()) {
            if (!key.optional()) {
                throw new BadValue("must not be empty");
            }
            return;
        }
        List<String> elements = key.list() ? List.of(StringUtil.split(text)) : List.of(text);
        elements.forEach(element -> checkOne(key, element));
    }

    private static void checkOne(SettingsKey key, String text) {
        Setting setting = key.setting();
        if (!setting.pattern().isEmpty() && !Pattern.matches(setting.pattern(), text)) {
            throw new BadValue("must be " + setting.patternRule());
        }
        if (key.type().isEnum()) {
            if (!List.of(words(key.type()).split(", ")).contains(text)) {
                throw new BadValue("must be one of " + words(key.type()));
            }
            return;
        }
        Object value = convert(key.type(), text);
        boolean low = !setting.min().isEmpty() && compare(value, convert(key.type(), setting.min())) < 0;
        boolean high = !setting.max().isEmpty() && compare(value, convert(key.type(), setting.max())) > 0;
        if (low || high) {
            throw new BadValue("must be " + range(setting));
        }
    }

    /** The bounds in words; empty when there are none. */
    static String range(Setting setting) {
        if (setting.min().isEmpty()) {
            return setting.max().isEmpty() ? "" : setting.max() + " or less";
        }
        return setting.max().isEmpty()
                ? setting.min() + " or more"
                : "between " + setting.min() + " and " + setting.max();
    }

    private static Object convert(Class<?> type, String text) {
        Converter<?> converter = CONVERTERS.get(type);
        if (converter == null) {
            throw new IllegalStateException("no converter for " + type);
        }
        return converter.convert(text);
    }

    // Both come from the same converter.
    @SuppressWarnings("unchecked")
    private static int compare(Object left, Object right) {
        return ((Comparable<Object>) left).compareTo(right);
    }

    private static String words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> StringUtil.skewer(((Enum<?>) constant).name()))
                .collect(Collectors.joining(", "));
    }

    private static Integer integer(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new BadValue("must be a whole number");
        }
    }

    private static Long longNumber(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new BadValue("must be a whole number");
        }
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new BadValue("must be true or false");
        };
    }

    private static Duration duration(String text) {
        return Duration.ofMillis(scaled(text, DURATION, MILLIS, DURATION_RULE));
    }

    private static ByteSize size(String text) {
        return new ByteSize(scaled(text, SIZE, BYTES, SIZE_RULE));
    }

    private static long scaled(String text, Pattern pattern, Map<String, Long> units, String rule) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue(rule);
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), units.getOrDefault(matcher.group(2), 1L));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new BadValue(rule + "; this number is too large");
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValue("must be a path: " + e.getReason());
        }
    }
}
