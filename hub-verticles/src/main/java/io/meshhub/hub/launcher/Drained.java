package io.meshhub.hub.launcher;

import java.util.List;

/**
 * How a node ended.
 *
 * @param cut what did not end in time and was cut, by name; empty when all ended in good order
 */
public record Drained(List<String> cut) {

    public Drained {
        cut = List.copyOf(cut);
    }

    /** Everything ended in good order. */
    public static Drained whole() {
        return new Drained(List.of());
    }

    /** Whether nothing was cut. */
    public boolean isWhole() {
        return cut.isEmpty();
    }
}
