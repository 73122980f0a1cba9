package io.meshhub.hub.access;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Whether a principal may do something at an address. What could not be found out is never a "no", and never a "yes". */
public sealed interface AccessDecision {

    /** He may. */
    boolean granted();

    /**
     * As operators are shown it: {@code decision} (granted, denied or undetermined), {@code reason}, and for the last one
     * {@code providers}, those that did not answer.
     */
    default JsonObject toJson() {
        if (this instanceof Granted granted) {
            return new JsonObject().put("decision", "granted").put("reason", granted.rule());
        }
        if (this instanceof Denied denied) {
            return new JsonObject().put("decision", "denied").put("reason", denied.rule());
        }
        Undetermined open = (Undetermined) this;
        return new JsonObject()
                .put("decision", "undetermined")
                .put("reason", open.reason())
                .put("providers", new JsonArray(open.providers()));
    }

    /**
     * A known "yes".
     *
     * @param rule the rule that decides, as it is shown to operators
     */
    record Granted(String rule) implements AccessDecision {
        @Override
        public boolean granted() {
            return true;
        }
    }

    /**
     * A known "no".
     *
     * @param rule the rule that decides, as it is shown to whom it refuses
     */
    record Denied(String rule) implements AccessDecision {
        @Override
        public boolean granted() {
            return false;
        }
    }

    /**
     * It could not be found out.
     *
     * @param providers the query providers that did not answer; shown to operators only; may be empty
     * @param reason what happened; shown to operators only
     */
    record Undetermined(List<String> providers, String reason) implements AccessDecision {
        public Undetermined {
            providers = List.copyOf(providers);
        }

        @Override
        public boolean granted() {
            return false;
        }
    }
}
