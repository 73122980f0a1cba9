package io.meshhub.query.language;

import io.meshhub.query.language.Operand.Literal;
import io.meshhub.query.language.Operand.Pattern;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes values so that the parser reads the same: bare where that is plain, else in quotes or with escapes. */
final class Quoting {

    /** Words that are no free text unless quoted. */
    static final Set<String> RESERVED = Set.of("OR", "AND", "NOT");

    private static final String PLAIN = "_.~@+/-";

    private Quoting() {}

    /** Whether nothing but the end of a token can be meant. */
    static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    static String value(Literal literal) {
        String text = literal.text();
        boolean looksLikeNumber = Numbers.isNumber(text);
        return isPlain(text) && looksLikeNumber == (literal.number() != null) ? text : quoted(text);
    }

    static String value(Pattern pattern) {
        StringBuilder out = new StringBuilder();
        for (int symbol : pattern.symbols()) {
            switch (symbol) {
                case Pattern.ANY_ONE -> out.append('?');
                case Pattern.ANY_RUN -> out.append('*');
                default -> {
                    if (!isPlain(symbol)) {
                        out.append('\\');
                    }
                    out.appendCodePoint(symbol);
                }
            }
        }
        return out.toString();
    }

    /** A value that is no number, whatever it looks like. */
    static String text(String text) {
        return isPlain(text) ? text : quoted(text);
    }

    static String words(String text) {
        return isPlain(text) && !text.startsWith("-") && !RESERVED.contains(text) ? text : quoted(text);
    }

    /** A member's name in a dotted path. */
    static String member(String name) {
        return isPlain(name) && name.indexOf('.') < 0 ? name : quoted(name);
    }

    static <T> String join(String separator, List<T> parts, Function<T, String> text) {
        return parts.stream().map(text).collect(Collectors.joining(separator));
    }

    private static boolean isPlain(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(Quoting::isPlain);
    }

    private static boolean isPlain(int c) {
        return Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
