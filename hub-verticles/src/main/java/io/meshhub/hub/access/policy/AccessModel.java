package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.Permission;
import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the nodes of the access model lie. A node is part of the model when its type is one of the four and its address
 * is in the satellite of that type; everything else is no rule.
 */
public final class AccessModel {

    /** The partition whose rules hold everywhere, and are looked at first: {@value}. */
    public static final String CONTROL = "_control";

    /** The satellite of a partition in which its roles lie: {@value}. */
    public static final String ROLES = "_Role";

    /** The satellite of any address in which the assignments of its scope lie: {@value}. */
    public static final String ASSIGNMENTS = "_Access";

    /** The satellite of a partition in which its groups lie: {@value}. */
    public static final String GROUPS = "_Group";

    /** The satellite of a partition in which its policies lie: {@value}. */
    public static final String POLICIES = "_Policy";

    /** The satellite of a partition in which its identities lie: {@value}. */
    public static final String IDENTITIES = "_Identity";

    private static final Set<String> SATELLITES = Set.of(ROLES, ASSIGNMENTS, GROUPS, POLICIES, IDENTITIES);

    private AccessModel() {}

    /** Everything that decides in a partition, in one query: so a decision never sees half of a change. */
    static Query query(String partition) {
        StringBuilder text = new StringBuilder("path:\"").append(partition).append("\" scope:subtree nodeType:");
        String comma = "";
        for (Row.Kind kind : Row.Kind.values()) {
            text.append(comma).append(kind.nodeType());
            comma = ",";
        }
        return Query.parse(text.toString());
    }

    /**
     * What is really asked for: whoever changes a node of the access model changes who may do what, and needs {@link
     * Permission#ADMIN} for it.
     */
    public static Permission asked(Permission what, MeshAddress where) {
        boolean changes =
                switch (what) {
                    case CREATE, UPDATE, DELETE, EXECUTE -> true;
                    case READ, OPERATE, ADMIN -> false;
                };
        return changes && isOfModel(where) ? Permission.ADMIN : what;
    }

    /** Whether the address is a satellite of the access model, or below one. */
    public static boolean isOfModel(MeshAddress where) {
        // Most addresses have no satellite at all, and are asked about with each message.
        return where.toString().contains("/_")
                && where.segments().stream().skip(1).anyMatch(SATELLITES::contains);
    }

    /** The scope of the assignment at this address; empty where none may lie. */
    static Optional<MeshAddress> scopeOf(MeshAddress assignment) {
        return assignment
                .parent()
                .filter(satellite -> satellite.name().equals(ASSIGNMENTS))
                .flatMap(MeshAddress::parent);
    }

    /** Whether the address is that of a node in this satellite of its partition. */
    static boolean isIn(String satellite, MeshAddress address) {
        List<String> segments = address.segments();
        return segments.size() == 3 && segments.get(1).equals(satellite);
    }
}
