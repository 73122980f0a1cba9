package io.meshhub.hub.access;

/** A bearer token that does not hold; says why in one word, and never what it was. */
final class BadToken extends RuntimeException {

    /** Why it does not hold, as the label of a metric says it. */
    enum Why {
        /** The header is no bearer token. */
        SCHEME,
        /** Nobody has such a token. */
        UNKNOWN,
        /** It held once. */
        EXPIRED,
        /** Signature, issuer, audience or a claim is wrong. */
        INVALID,
        /** It holds, and the directory knows nobody of its id or e-mail address. */
        STRANGER
    }

    private final Why why;

    BadToken(Why why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    Why why() {
        return why;
    }
}
