package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision;
import io.meshhub.hub.access.AccessDecision.Denied;
import io.meshhub.hub.access.AccessDecision.Granted;
import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.Permission;
import io.meshhub.hub.access.Principal;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** How one question is decided, for operators: the decision, and each rule that was looked at, in order. */
public final class Explanation {

    private final Principal who;
    private final Permission what;
    private final MeshAddress where;
    private final AccessDecision decision;
    private final List<Step> steps;

    Explanation(Principal who, Permission what, MeshAddress where, AccessDecision decision, List<Step> steps) {
        this.who = who;
        this.what = what;
        this.where = where;
        this.decision = decision;
        this.steps = List.copyOf(steps);
    }

    /** What is decided. */
    public AccessDecision decision() {
        return decision;
    }

    /** The permission that counts: {@code admin} for a change of the access model. */
    public Permission asked() {
        return AccessModel.asked(what, where);
    }

    /**
     * As JSON: {@code principal, roles, permission, asked, address, decision} (granted, denied or undetermined), {@code
     * reason, providers} (those that did not answer) and {@code steps}, each {@code place, rule, finding} and, where it
     * was read from a node, {@code origin, version}.
     */
    public JsonObject toJson() {
        JsonArray told = new JsonArray();
        for (Step step : steps) {
            JsonObject json = new JsonObject()
                    .put("place", step.place())
                    .put("rule", step.rule())
                    .put("finding", step.finding());
            Origin origin = step.origin();
            if (origin != null) {
                json.put("origin", origin.path().toString()).put("version", origin.version());
            }
            told.add(json);
        }
        JsonObject json = new JsonObject()
                .put("principal", who.name())
                .put("roles", new JsonArray(who.roles().stream().sorted().toList()))
                .put("permission", what.word())
                .put("asked", asked().word())
                .put("address", where.toString());
        if (decision instanceof Granted granted) {
            json.put("decision", "granted").put("reason", granted.rule());
        } else if (decision instanceof Denied denied) {
            json.put("decision", "denied").put("reason", denied.rule());
        } else if (decision instanceof Undetermined undetermined) {
            json.put("decision", "undetermined")
                    .put("reason", undetermined.reason())
                    .put("providers", new JsonArray(undetermined.providers()));
        }
        return json.put("steps", told);
    }
}
