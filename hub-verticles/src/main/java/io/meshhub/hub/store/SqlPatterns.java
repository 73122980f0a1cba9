package io.meshhub.hub.store;

import io.meshhub.query.language.Operand.Pattern;

/** Patterns as SQLite takes them. */
final class SqlPatterns {

    private static final String NUMERIC = "0123456789+-.eE";
    // Letters to which others than their own two cases fold: dotted and dotless i, the Kelvin sign, the long s.
    private static final String AMBIGUOUS = "iks";

    private SqlPatterns() {}

    /** A pattern that GLOB fits to the same texts; its classes in brackets take wildcards literally. */
    static String glob(Pattern pattern) {
        StringBuilder glob = new StringBuilder();
        for (int symbol : pattern.symbols()) {
            switch (symbol) {
                case Pattern.ANY_ONE -> glob.append('?');
                case Pattern.ANY_RUN -> glob.append('*');
                case '*', '?', '[' -> glob.append('[').appendCodePoint(symbol).append(']');
                default -> glob.appendCodePoint(symbol);
            }
        }
        return glob.toString();
    }

    /**
     * A pattern that LIKE, escaped by a backslash, fits to every text in which the folded one occurs, and to some others:
     * LIKE knows the case of ASCII letters only, so any character may stand for the rest.
     */
    static String like(String folded) {
        StringBuilder like = new StringBuilder("%");
        folded.codePoints().forEach(c -> {
            if (c >= 128 || AMBIGUOUS.indexOf(c) >= 0) {
                like.append('_');
            } else {
                if (c == '%' || c == '_' || c == '\\') {
                    like.append('\\');
                }
                like.appendCodePoint(c);
            }
        });
        return like.append('%').toString();
    }

    /** Whether the text might be that of a number. */
    static boolean mayBeNumber(String text) {
        return text.chars().allMatch(c -> NUMERIC.indexOf(c) >= 0);
    }

    /** Whether the pattern might fit the text of a number. */
    static boolean mayFitNumber(Pattern pattern) {
        return pattern.symbols().stream().allMatch(symbol -> symbol < 0 || NUMERIC.indexOf(symbol) >= 0);
    }
}
