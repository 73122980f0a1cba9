package io.meshhub.hub.access;

/** Whose a token is could not be found out; never that it is nobody's. */
final class NobodySaid extends RuntimeException {

    private final transient Lookup.Unavailable why;

    NobodySaid(Lookup.Unavailable why) {
        super(why.reason(), null, false, false);
        this.why = why;
    }

    Lookup.Unavailable why() {
        return why;
    }
}
