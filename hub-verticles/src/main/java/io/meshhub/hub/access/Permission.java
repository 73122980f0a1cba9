package io.meshhub.hub.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

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

    /** The permission of that word, in either case of its letters; empty when there is none. */
    public static Optional<Permission> of(String word) {
        return Arrays.stream(values())
                .filter(known -> known.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** All words, for messages to people. */
    public static String words() {
        return Arrays.stream(values()).map(Permission::word).collect(Collectors.joining(", "));
    }
}
