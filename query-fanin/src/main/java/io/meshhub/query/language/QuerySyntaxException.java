package io.meshhub.query.language;

import java.io.Serial;

/** Says that a text is no query: what was found, where, and what would be allowed there. */
public final class QuerySyntaxException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int position;

    private QuerySyntaxException(String message, int position) {
        super(message, null, false, false);
        this.position = position;
    }

    static QuerySyntaxException at(int position, String found, String allowed) {
        return new QuerySyntaxException(found + " at position " + position + "; " + allowed, position);
    }

    /** Where the fault is, in characters (code points) from 0. */
    public int position() {
        return position;
    }
}
