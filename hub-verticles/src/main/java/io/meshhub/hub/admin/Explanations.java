package io.meshhub.hub.admin;

import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.routing.MeshAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code /api/v1/access/explain}: whether a principal has a permission at an address, the rule that decides, and who did
 * not answer where that could not be established. For operators of the node.
 */
final class Explanations {

    private static final String PRINCIPAL = "principal";
    private static final String ROLES = "roles";
    private static final String PERMISSION = "permission";
    private static final String ADDRESS = "address";

    private final Callers callers;

    Explanations(Callers callers) {
        this.callers = callers;
    }

    void get(RoutingContext ctx) {
        QueryParameters query = QueryParameters.of(ctx, PRINCIPAL, ROLES, PERMISSION, ADDRESS);
        Principal who = principal(query);
        Permission what = permission(query);
        MeshAddress where = query.address(ADDRESS);
        callers.explain(who, what, where)
                .onSuccess(explanation -> Answers.json(ctx, 200, explanation))
                .onFailure(ctx::fail);
    }

    private static Principal principal(QueryParameters query) {
        String name = required(query, PRINCIPAL, "it names who would ask");
        Set<String> roles =
                new TreeSet<>(Arrays.asList(query.text(ROLES).orElse("").strip().split("\\s+", -1)));
        roles.remove("");
        try {
            return Principal.of(name, roles);
        } catch (IllegalArgumentException e) {
            throw Problem.rejected(
                            "Query parameters '" + PRINCIPAL + "' and '" + ROLES + "' name nobody: " + e.getMessage())
                    .with("parameters", List.of(PRINCIPAL, ROLES));
        }
    }

    private static Permission permission(QueryParameters query) {
        String word = required(query, PERMISSION, "it names what would be done");
        return Permission.of(word)
                .orElseThrow(() -> Problem.rejected("Query parameter '" + PERMISSION + "' = '" + word
                                + "' must be one of " + Permission.words())
                        .with("parameters", List.of(PERMISSION)));
    }

    private static String required(QueryParameters query, String name, String meaning) {
        return query.text(name)
                .orElseThrow(() -> Problem.rejected("Query parameter '" + name + "' is missing: " + meaning)
                        .with("parameters", List.of(name)));
    }
}
