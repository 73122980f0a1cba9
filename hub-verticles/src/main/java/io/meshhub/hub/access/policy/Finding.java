package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether something holds: yes, no, or nobody knows. */
sealed interface Finding {

    /** It is known. */
    record Known(boolean holds) implements Finding {
        static final Finding YES = new Known(true);
        static final Finding NO = new Known(false);
    }

    /** It is not known, and why. */
    record Doubt(Undetermined why) implements Finding {}

    /** Nobody knows, for a reason that lies in the model itself. */
    static Finding doubt(String reason) {
        return new Doubt(new Undetermined(List.of(), reason));
    }

    /** Whether it is known to hold. */
    default boolean isYes() {
        return this instanceof Known known && known.holds();
    }

    /** For people. */
    default String words() {
        if (this instanceof Doubt doubt) {
            return "unknown: " + doubt.why().reason();
        }
        return isYes() ? "applies" : "does not apply";
    }

    /** The most reasons that one text has; it counts the others. */
    int MOST_REASONS = 3;

    /** All reasons, and all providers, in one. */
    static Undetermined all(Collection<Undetermined> doubts) {
        Set<String> providers = new LinkedHashSet<>();
        Set<String> reasons = new LinkedHashSet<>();
        for (Undetermined doubt : doubts) {
            providers.addAll(doubt.providers());
            reasons.add(doubt.reason());
        }
        List<String> named = new ArrayList<>(reasons).subList(0, Math.min(MOST_REASONS, reasons.size()));
        String others = reasons.size() > MOST_REASONS ? "; and " + (reasons.size() - MOST_REASONS) + " more" : "";
        return new Undetermined(List.copyOf(providers), String.join("; ", named) + others);
    }
}
