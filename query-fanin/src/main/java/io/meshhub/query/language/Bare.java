package io.meshhub.query.language;

import io.meshhub.query.language.Operand.Pattern;
import java.util.ArrayList;
import java.util.List;

/** What stands outside of quotes, as it is read: a word, a value, or a name of parts between dots. */
final class Bare {

    /** The text and its wildcards. */
    private final List<Integer> symbols = new ArrayList<>();

    private final List<String> parts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private StringBuilder part = new StringBuilder();
    private int wildcard = -1;
    private int quotedPart = -1;
    private boolean escaped;

    /** Takes a character as it stands in the query. */
    void add(int c, int position) {
        if (c == '.') {
            parts.add(part.toString());
            part = new StringBuilder();
        } else {
            part.appendCodePoint(c);
        }
        text.appendCodePoint(c);
        boolean isWildcard = c == '*' || c == '?';
        if (isWildcard && wildcard < 0) {
            wildcard = position;
        }
        symbols.add(!isWildcard ? c : c == '*' ? Pattern.ANY_RUN : Pattern.ANY_ONE);
    }

    /** Takes the character behind a backslash. */
    void addEscaped(int c) {
        escaped = true;
        part.appendCodePoint(c);
        text.appendCodePoint(c);
        symbols.add(c);
    }

    /** Takes a part of a name that stands in quotes. */
    void addQuoted(String quoted, int position) {
        quotedPart = position;
        part.append(quoted);
        text.append(quoted);
    }

    /** Whether a dot came last: only there a part of a name may be quoted. */
    boolean isBehindDot() {
        return !parts.isEmpty() && part.isEmpty();
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    String text() {
        return text.toString();
    }

    List<Integer> symbols() {
        return symbols;
    }

    /** The parts between the dots. */
    List<String> names() {
        List<String> names = new ArrayList<>(parts);
        names.add(part.toString());
        return names;
    }

    /** Where the first wildcard stands; negative without one. */
    int wildcard() {
        return wildcard;
    }

    /** Where the last quoted part begins; negative without one. */
    int quotedPart() {
        return quotedPart;
    }

    boolean escaped() {
        return escaped;
    }
}
