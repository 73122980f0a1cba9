package io.meshhub.hub.access;

import java.util.List;

/** Whether a principal may do something at an address. What could not be found out is never a "no", and never a "yes". */
public sealed interface AccessDecision {

    /** He may. */
    boolean granted();

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
