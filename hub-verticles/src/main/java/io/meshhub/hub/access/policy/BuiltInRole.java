package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.Permission;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The roles that are there without a node. Each may be assigned in every partition; a principal who has one of these
 * names among the roles that the edge established has it in the control partition, and so everywhere.
 */
enum BuiltInRole {
    /** Everything. Established by the edge it is decided by the configuration alone, without any read. */
    ADMIN,
    /** To look after nodes and activations. */
    OPERATOR,
    /** To work with nodes. */
    EDITOR,
    /** To look. */
    VIEWER;

    /** As it is written in settings and assignments. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether whoever has it may do that. */
    boolean permits(Permission what) {
        return switch (what) {
            case READ -> true;
            case EXECUTE -> this != VIEWER;
            case CREATE, UPDATE, DELETE -> this == EDITOR || this == ADMIN;
            case OPERATE -> this == OPERATOR || this == ADMIN;
            case ADMIN -> this == ADMIN;
        };
    }

    static Optional<BuiltInRole> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
