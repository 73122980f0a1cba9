package io.meshhub.hub.access;

import java.util.Locale;

/** What a principal may be allowed to do at an address. */
public enum Permission {
    /** See and follow the value. */
    READ,
    /** Make the node where there is none. */
    CREATE,
    /** Change the node. */
    UPDATE,
    /** Take the node away. */
    DELETE,
    /** Send a message of the application's own. */
    EXECUTE,
    /** See and recycle activations; see the node and its peers. */
    OPERATE,
    /** Change who may do what. */
    ADMIN;

    /** As it is written in settings and messages to people. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
