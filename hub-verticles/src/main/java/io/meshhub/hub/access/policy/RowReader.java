package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads nodes of the access model. A field that is missing, of another type or not known makes the node {@link
 * Row.Malformed}: one who did not understand all of a rule does not know what it decides.
 */
final class RowReader {

    /** The most members, groups or permissions of one node. */
    static final int MOST_ELEMENTS = 10_000;

    private static final String PERMISSIONS = "permissions";
    private static final String PRINCIPAL = "principal";
    private static final String GROUP = "group";
    private static final String ROLE = "role";
    private static final String EFFECT = "effect";
    private static final String PRINCIPALS = "principals";
    private static final String GROUPS = "groups";
    private static final String NOTE = "note";

    /** What is wrong with a node. */
    private static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fault(String why) {
            super(why, null, false, false);
        }
    }

    private RowReader() {}

    /** Reads one; empty for a node that is of no type of the model. */
    static Optional<Row> read(QueryNode node) {
        return Row.Kind.of(node.nodeType()).map(kind -> read(kind, node));
    }

    private static Row read(Row.Kind kind, QueryNode node) {
        Origin origin = new Origin(node.path(), node.version());
        String place = misplaced(kind, node.path());
        if (!place.isEmpty()) {
            return new Row.Misplaced(origin, kind, place);
        }
        try {
            JsonObject content = node.content();
            return switch (kind) {
                case ROLE -> role(origin, content);
                case ASSIGNMENT -> assignment(origin, content);
                case GROUP -> group(origin, content);
                case POLICY -> policy(origin, content);
            };
        } catch (Fault e) {
            return new Row.Malformed(origin, kind, String.valueOf(e.getMessage()));
        }
    }

    private static String misplaced(Row.Kind kind, MeshAddress path) {
        return switch (kind) {
            case ROLE -> notIn(AccessModel.ROLES, path);
            case GROUP -> notIn(AccessModel.GROUPS, path);
            case POLICY -> notIn(AccessModel.POLICIES, path);
            case ASSIGNMENT ->
                AccessModel.scopeOf(path).isPresent()
                        ? ""
                        : "it must be at <scope>/" + AccessModel.ASSIGNMENTS + "/<id>";
        };
    }

    private static String notIn(String satellite, MeshAddress path) {
        return AccessModel.isIn(satellite, path) ? "" : "it must be at <partition>/" + satellite + "/<name>";
    }

    /** Where the role of that name lies; empty for what can be no name. */
    static Optional<MeshAddress> roleAddress(String partition, String name) {
        try {
            return Optional.of(
                    MeshAddress.of(partition).child(AccessModel.ROLES).child(name));
        } catch (Rejected e) {
            return Optional.empty();
        }
    }

    private static Row.Role role(Origin origin, JsonObject content) {
        known(content, PERMISSIONS, NOTE);
        if (BuiltInRole.of(origin.path().name()).isPresent()) {
            throw new Fault("role '" + origin.path().name() + "' is built in");
        }
        return new Row.Role(origin, permissions(content));
    }

    private static Row.Assignment assignment(Origin origin, JsonObject content) {
        known(content, PRINCIPAL, GROUP, ROLE, EFFECT, NOTE);
        boolean toPrincipal = content.containsKey(PRINCIPAL);
        if (toPrincipal == content.containsKey(GROUP)) {
            throw new Fault("it must have one of the fields '" + PRINCIPAL + "' and '" + GROUP + "'");
        }
        MeshAddress scope = AccessModel.scopeOf(origin.path()).orElseThrow(() -> new Fault("it has no scope"));
        return new Row.Assignment(
                origin,
                scope,
                toPrincipal ? principal(content.getValue(PRINCIPAL)) : null,
                toPrincipal ? null : group(content.getValue(GROUP)),
                text(content, ROLE),
                effect(content));
    }

    private static Row.Group group(Origin origin, JsonObject content) {
        known(content, PRINCIPALS, GROUPS, NOTE);
        return new Row.Group(
                origin,
                elements(content, PRINCIPALS, RowReader::principal),
                elements(content, GROUPS, RowReader::group));
    }

    private static Row.Policy policy(Origin origin, JsonObject content) {
        known(content, EFFECT, PERMISSIONS, NOTE);
        return new Row.Policy(origin, effect(content), permissions(content));
    }

    private static void known(JsonObject content, String... fields) {
        Set<String> foreign = new TreeSet<>(content.fieldNames());
        foreign.removeAll(Arrays.asList(fields));
        if (!foreign.isEmpty()) {
            throw new Fault("fields " + foreign + " are unknown");
        }
        if (content.containsKey(NOTE) && !(content.getValue(NOTE) instanceof String)) {
            throw new Fault("field '" + NOTE + "' must be a text");
        }
    }

    private static String text(JsonObject content, String field) {
        if (content.getValue(field) instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw new Fault("field '" + field + "' must be a text that is not empty");
    }

    private static Effect effect(JsonObject content) {
        String word = text(content, EFFECT);
        return Effect.of(word)
                .orElseThrow(() -> new Fault("field '" + EFFECT + "' = '" + word + "' must be allow or deny"));
    }

    private static Set<Permission> permissions(JsonObject content) {
        if (!content.containsKey(PERMISSIONS)) {
            throw new Fault("field '" + PERMISSIONS + "' must be an array");
        }
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        permissions.addAll(elements(content, PERMISSIONS, RowReader::permission));
        return permissions;
    }

    private static Permission permission(Object word) {
        for (Permission permission : Permission.values()) {
            if (permission.word().equals(word)) {
                return permission;
            }
        }
        throw new Fault("permission '" + word + "' is unknown");
    }

    private static String principal(Object name) {
        if (name instanceof String text && Principal.faultOf(text).isEmpty()) {
            return text;
        }
        throw new Fault("'" + name + "' is no name of a principal");
    }

    private static MeshAddress group(Object path) {
        if (path instanceof String text) {
            try {
                MeshAddress address = MeshAddress.of(text);
                if (AccessModel.isIn(AccessModel.GROUPS, address)) {
                    return address;
                }
            } catch (Rejected e) {
                // Said below, like an address of something else.
            }
        }
        throw new Fault("'" + path + "' is no address of a group, <partition>/" + AccessModel.GROUPS + "/<name>");
    }

    private static <T> Set<T> elements(JsonObject content, String field, Function<Object, T> reader) {
        if (!content.containsKey(field)) {
            return Set.of();
        }
        if (!(content.getValue(field) instanceof JsonArray array)) {
            throw new Fault("field '" + field + "' must be an array");
        }
        if (array.size() > MOST_ELEMENTS) {
            throw new Fault("field '" + field + "' has " + array.size() + " elements, more than " + MOST_ELEMENTS);
        }
        Set<T> elements = new LinkedHashSet<>();
        for (Object element : array) {
            if (element == null) {
                throw new Fault("field '" + field + "' holds a null");
            }
            elements.add(reader.apply(element));
        }
        return elements;
    }
}
