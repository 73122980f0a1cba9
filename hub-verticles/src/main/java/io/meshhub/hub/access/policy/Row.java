package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.Permission;
import io.meshhub.routing.MeshAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One node of the access model, as far as it could be read. */
sealed interface Row {

    /** What a node of the model is. */
    enum Kind {
        ROLE("access-role"),
        ASSIGNMENT("access-assignment"),
        GROUP("access-group"),
        POLICY("access-policy");

        private final String nodeType;

        Kind(String nodeType) {
            this.nodeType = nodeType;
        }

        /** The type of the nodes that are of this kind. */
        String nodeType() {
            return nodeType;
        }

        static Optional<Kind> of(String nodeType) {
            return Arrays.stream(values())
                    .filter(kind -> kind.nodeType.equals(nodeType))
                    .findFirst();
        }
    }

    /** Where it was read. */
    Origin origin();

    /** What it is, or would be. */
    Kind kind();

    /** A set of permissions with a name, for the assignments of its partition. */
    record Role(Origin origin, Set<Permission> permissions) implements Row {
        public Role {
            permissions = Set.copyOf(permissions);
        }

        @Override
        public Kind kind() {
            return Kind.ROLE;
        }
    }

    /**
     * Gives or takes what a role permits, in its scope and everything below.
     *
     * @param principal to whom; null where it is a group
     * @param group to whose members; null where it is a principal
     */
    record Assignment(
            Origin origin,
            MeshAddress scope,
            @Nullable String principal,
            @Nullable MeshAddress group,
            String role,
            Effect effect)
            implements Row {

        @Override
        public Kind kind() {
            return Kind.ASSIGNMENT;
        }

        /** What it says, for people. */
        @Override
        public String toString() {
            String subject = group == null ? "principal '" + principal + "'" : "group '" + group + "'";
            return effect.word() + " of role '" + role + "' to " + subject + " at " + scope + " (" + origin + ")";
        }
    }

    /**
     * Principals that are named together.
     *
     * @param principals the names of the members
     * @param groups the groups whose members are members too, of any partition
     */
    record Group(Origin origin, Set<String> principals, Set<MeshAddress> groups) implements Row {
        public Group {
            principals = Set.copyOf(principals);
            groups = Set.copyOf(groups);
        }

        @Override
        public Kind kind() {
            return Kind.GROUP;
        }
    }

    /** Gives or takes permissions of everybody, in the whole partition. */
    record Policy(Origin origin, Effect effect, Set<Permission> permissions) implements Row {
        public Policy {
            permissions = Set.copyOf(permissions);
        }

        @Override
        public Kind kind() {
            return Kind.POLICY;
        }

        /** What it says, for people. */
        @Override
        public String toString() {
            return effect.word() + " by policy " + origin;
        }
    }

    /** In its place, and not to be understood: nobody knows what it would have decided. */
    record Malformed(Origin origin, Kind kind, String why) implements Row {
        @Override
        public String toString() {
            return kind.nodeType() + " " + origin + " cannot be read: " + why;
        }
    }

    /** Of a type of the model, and not in the satellite of its type: it is no rule. */
    record Misplaced(Origin origin, Kind kind, String why) implements Row {
        @Override
        public String toString() {
            return kind.nodeType() + " " + origin + " is no rule: " + why;
        }
    }
}
