package io.meshhub.query.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One piece of a query's text.
 *
 * @param text as it is meant: without quotes and escapes
 * @param names of a name, its parts between the dots; else empty
 * @param operand of a value, what it says; else null
 * @param start where it begins, in code points
 * @param end where the next character is
 */
record Token(
        Kind kind,
        String text,
        List<String> names,
        @Nullable Operand operand,
        int start,
        int end) {

    /** What a token is. */
    enum Kind {
        OPEN,
        CLOSE,
        OR,
        MINUS,
        /** What stands before a colon, colon included, or a sort key. */
        NAME,
        OPERATOR,
        VALUE,
        COMMA,
        /** A word or a quoted text that stands alone. */
        WORDS,
        END
    }

    static Token of(Kind kind, String text, int start, int end) {
        return new Token(kind, text, List.of(), null, start, end);
    }
}
