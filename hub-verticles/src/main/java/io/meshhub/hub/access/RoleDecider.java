package io.meshhub.hub.access;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides by the roles of a principal alone, alike at every address: {@code viewer} reads; {@code editor} also creates,
 * updates, deletes and executes; {@code operator} reads, executes and operates; {@code admin} does everything.
 *
 * <p>Every decision is known at once.
 */
public final class RoleDecider implements AccessDecider {

    private static final Map<String, Set<Permission>> ROLES = Map.of(
            "viewer", Set.of(Permission.READ),
            "editor",
                    Set.of(
                            Permission.READ,
                            Permission.CREATE,
                            Permission.UPDATE,
                            Permission.DELETE,
                            Permission.EXECUTE),
            "operator", Set.of(Permission.READ, Permission.EXECUTE, Permission.OPERATE),
            "admin", Set.of(Permission.values()));

    private final Map<Permission, Map<String, AccessDecision>> grants = new EnumMap<>(Permission.class);

    /** The only rules that there are. */
    public RoleDecider() {
        for (Permission permission : Permission.values()) {
            Map<String, AccessDecision> byRole = new HashMap<>();
            ROLES.forEach((role, permissions) -> {
                if (permissions.contains(permission)) {
                    byRole.put(role, new AccessDecision.Granted("role " + role + " has " + permission.word()));
                }
            });
            grants.put(permission, Map.copyOf(byRole));
        }
    }

    /** The roles that mean something here, and what each permits. */
    public static Map<String, Set<Permission>> roles() {
        return ROLES;
    }

    @Override
    public AccessDecision known(Principal who, Permission what, MeshAddress where) {
        Map<String, AccessDecision> byRole = grants.getOrDefault(what, Map.of());
        for (String role : who.roles()) {
            AccessDecision granted = byRole.get(role);
            if (granted != null) {
                return granted;
            }
        }
        return new AccessDecision.Denied(
                who.roles().isEmpty()
                        ? "the principal has no role"
                        : "none of its roles " + new TreeSet<>(who.roles()) + " has " + what.word());
    }

    @Override
    public Future<AccessDecision> decide(Principal who, Permission what, MeshAddress where) {
        return Future.succeededFuture(known(who, what, where));
    }
}
