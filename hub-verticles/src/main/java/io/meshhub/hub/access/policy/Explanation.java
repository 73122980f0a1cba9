package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecider;
import io.meshhub.hub.access.AccessDecision;
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
        return AccessDecider.asked(who, what, where)
                .put("asked", asked().word())
                .mergeIn(decision.toJson())
                .put("steps", told);
    }
}
