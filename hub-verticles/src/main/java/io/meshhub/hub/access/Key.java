package io.meshhub.hub.access;

/**
 * By what somebody is looked up.
 *
 * @param text the id exactly, or the e-mail address in either case of its letters
 */
public record Key(Kind kind, String text) {

    /** What it is. */
    public enum Kind {
        /** The name of his node. */
        ID,
        /** One of his e-mail addresses. */
        EMAIL
    }

    /** By the name of his node. */
    public static Key id(String id) {
        return new Key(Kind.ID, id);
    }

    /** By one of his e-mail addresses. */
    public static Key email(String email) {
        return new Key(Kind.EMAIL, email);
    }
}
