package io.meshhub.sync.protocol;

import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * A change at one place of a long string: an operation of ours, which only processes of ours tell each other.
 *
 * <p>Places are counted in UTF-16 code units, as Java and JavaScript count them. Neither end of what is taken out lies
 * within a surrogate pair, so that each side of a splice is text by itself.
 *
 * @param at where it begins, from 0
 * @param delete how many code units are taken out there
 * @param insert what is put in their place
 */
record Splice(int at, int delete, String insert) {

    /** The name of the operation. */
    static final String OP = "splice";

    /** Strings up to this length, in code units, are sent whole. */
    static final int SHORT = 256;

    // What a splice takes over and above what it inserts: with less to spare, the whole string is shorter.
    private static final int COST = 48;

    Splice {
        if (at < 0 || delete < 0) {
            throw new IllegalArgumentException("at = " + at + " and delete = " + delete + " must be >= 0");
        }
    }

    /** The change between two strings, as one that holds all of it; empty when the second is better sent whole. */
    static Optional<Splice> between(String before, String after) {
        if (before.length() <= SHORT) {
            return Optional.empty();
        }
        int shorter = Math.min(before.length(), after.length());
        int head = 0;
        while (head < shorter && before.charAt(head) == after.charAt(head)) {
            head++;
        }
        if (head > 0 && Character.isHighSurrogate(before.charAt(head - 1))) {
            head--;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.charAt(before.length() - 1 - tail) == after.charAt(after.length() - 1 - tail)) {
            tail++;
        }
        if (tail > 0 && Character.isLowSurrogate(before.charAt(before.length() - tail))) {
            tail--;
        }
        int inserted = after.length() - tail - head;
        return inserted + COST > after.length()
                ? Optional.empty()
                : Optional.of(
                        new Splice(head, before.length() - tail - head, after.substring(head, after.length() - tail)));
    }

    /** As it travels. */
    JsonObject toJson(String path) {
        return new JsonObject()
                .put("op", OP)
                .put("path", path)
                .put("at", at)
                .put("delete", delete)
                .put("insert", insert);
    }

    /**
     * Reads what travelled.
     *
     * @throws IllegalArgumentException when a field is missing or of another type
     */
    static Splice read(JsonObject operation) {
        if (operation.getValue("at") instanceof Integer at
                && operation.getValue("delete") instanceof Integer delete
                && operation.getValue("insert") instanceof String insert) {
            return new Splice(at, delete, insert);
        }
        throw new IllegalArgumentException("a splice has whole numbers 'at' and 'delete', and a string 'insert'");
    }

    /**
     * The string after it.
     *
     * @throws IllegalArgumentException when it reaches beyond the string or splits a surrogate pair
     */
    String apply(String text) {
        if (at > text.length() || delete > text.length() - at) {
            throw new IllegalArgumentException("a string of " + text.length() + " code units has none at " + at + " to "
                    + ((long) at + delete) + " that could be taken out");
        }
        requireWhole(text, at);
        requireWhole(text, at + delete);
        return new StringBuilder(text.length() - delete + insert.length())
                .append(text, 0, at)
                .append(insert)
                .append(text, at + delete, text.length())
                .toString();
    }

    private static void requireWhole(String text, int place) {
        boolean splits = place > 0
                && place < text.length()
                && Character.isSurrogatePair(text.charAt(place - 1), text.charAt(place));
        if (splits) {
            throw new IllegalArgumentException("place " + place + " lies within a surrogate pair");
        }
    }
}
