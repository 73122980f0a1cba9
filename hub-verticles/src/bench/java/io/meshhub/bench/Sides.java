package io.meshhub.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Those that are compared, in windows that alternate (A B A B), so that what the machine does meanwhile meets all of them.
 */
final class Sides {

    private final Map<String, LongFunction<Load.Window>> sides = new LinkedHashMap<>();
    private final Map<String, List<Load.Window>> windows = new LinkedHashMap<>();

    /** Adds one; it runs a window of so many milliseconds. */
    Sides with(String name, LongFunction<Load.Window> window) {
        sides.put(name, window);
        return this;
    }

    /** Lets one run without counting it. */
    Sides warm(String name, long millis) {
        Load.Window seen = Objects.requireNonNull(sides.get(name)).apply(millis);
        if (seen.failures() > 0) {
            throw new IllegalStateException(seen.failures() + " requests of " + name + " failed while it warmed up");
        }
        return this;
    }

    /** Lets each run without counting it. */
    Sides warm(long millis) {
        List.copyOf(sides.keySet()).forEach(name -> warm(name, millis));
        return this;
    }

    /** Lets each run so many windows, in turn. */
    Sides alternate(int count, long millis) {
        for (int i = 0; i < count; i++) {
            sides.forEach((name, window) ->
                    windows.computeIfAbsent(name, key -> new ArrayList<>()).add(window.apply(millis)));
        }
        return this;
    }

    /** The medians of what each one's windows saw. */
    Map<String, Load.Window> medians() {
        Map<String, Load.Window> medians = new LinkedHashMap<>();
        windows.forEach((name, seen) -> medians.put(name, Load.Window.median(seen)));
        return medians;
    }
}
