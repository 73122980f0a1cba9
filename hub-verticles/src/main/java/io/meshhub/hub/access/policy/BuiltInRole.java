package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.Permission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The roles that are there without a node. Each may be assigned in every partition; a principal who has one of these
 * names among the roles that the edge established has it in the control partition, and so everywhere.
 */
enum BuiltInRole {
    /** Everything. Established by the edge it is decided by the configuration alone, without any read. */
    ADMIN(EnumSet.allOf(Permission.class)),
    /** To look after nodes and activations. */
    OPERATOR(EnumSet.of(Permission.READ, Permission.EXECUTE, Permission.OPERATE)),
    /** To work with nodes. */
    EDITOR(EnumSet.of(
            Permission.READ, Permission.CREATE, Permission.UPDATE, Permission.DELETE, Permission.EXECUTE)),
    /** To look. */
    VIEWER(EnumSet.of(Permission.READ));

    private final Set<Permission> permissions;

    BuiltInRole(Set<Permission> permissions) {
        this.permissions = Set.copyOf(permissions);
    }

    /** As it is written in settings and assignments. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether whoever has it may do that. */
    boolean permits(Permission what) {
        return permissions.contains(what);
    }

    static Optional<BuiltInRole> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
