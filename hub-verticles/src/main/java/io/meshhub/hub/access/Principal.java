package io.meshhub.hub.access;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * <p>It travels in the envelope as one text: the name, then each role after a space, sorted. So whoever decides on another
 * node knows the roles that the edge has established, and two sets of roles of one name share nothing.
 *
 * @param name 1 to 200 characters, none of them white space or a control character; a system principal's is the node's
 * @param roles the names of his roles; none of them contains white space
 * @param system whether it is a node of the mesh itself, which only the mesh says
 */
public record Principal(String name, Set<String> roles, boolean system) {

    /** Begins the text of a system principal; no other name may begin so. */
    public static final String SYSTEM_PREFIX = "mesh:";

    /** The longest name, in characters. */
    public static final int MAX_NAME = 200;

    public Principal {
        roles = Set.copyOf(roles);
        faultOf(name).ifPresent(fault -> {
            throw new IllegalArgumentException("principal name " + fault);
        });
        for (String role : roles) {
            if (isBroken(role)) {
                throw new IllegalArgumentException(
                        "role '" + role + "' must be 1 to " + MAX_NAME + " characters without white space");
            }
        }
    }

    /** A caller with these roles. */
    public static Principal of(String name, Set<String> roles) {
        return new Principal(name, roles, false);
    }

    /** The node of that name itself. */
    public static Principal node(String node) {
        return new Principal(node, Set.of(), true);
    }

    /** What is wrong with a name, in words that follow "name"; empty when nothing is. */
    public static Optional<String> faultOf(String name) {
        if (isBroken(name)) {
            return Optional.of("must be 1 to " + MAX_NAME + " characters without white space and control characters");
        }
        return name.startsWith(SYSTEM_PREFIX)
                ? Optional.of("must not begin with '" + SYSTEM_PREFIX + "', which is the mesh's own")
                : Optional.empty();
    }

    private static boolean isBroken(String text) {
        return text.isEmpty()
                || text.length() > MAX_NAME
                || text.chars()
                        .anyMatch(c ->
                                Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c));
    }

    /** As it travels in an envelope. */
    public String text() {
        if (system) {
            return SYSTEM_PREFIX + name;
        }
        if (roles.isEmpty()) {
            return name;
        }
        return name + ' ' + String.join(" ", new TreeSet<>(roles));
    }

    /** Whether the text of an envelope names a system principal. */
    public static boolean isSystem(@Nullable String text) {
        return text != null && text.startsWith(SYSTEM_PREFIX);
    }

    /** Reads what {@link #text} wrote; empty when it is no principal. */
    public static Optional<Principal> read(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            if (isSystem(text)) {
                return Optional.of(node(text.substring(SYSTEM_PREFIX.length())));
            }
            Set<String> roles = new TreeSet<>();
            Iterator<String> words = Arrays.asList(text.split(" ", -1)).iterator();
            String name = words.next();
            words.forEachRemaining(roles::add);
            return Optional.of(of(name, roles));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
