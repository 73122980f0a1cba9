package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The partitions of one decision: what was found of each when it was first asked for, and which were not there yet. */
final class Models {

    /** What is known of partitions now. */
    @FunctionalInterface
    interface Source {

        /** What is known of one; null where it is not there yet. */
        @Nullable
        PartitionState of(String partition);
    }

    private final Source known;
    private final Map<String, PartitionState> used = new LinkedHashMap<>();
    private final Set<String> missing = new LinkedHashSet<>();

    /** None asked for yet. */
    Models(Source known) {
        this.known = known;
    }

    /** What is known of a partition; one that is not there yet is missing from then on. */
    PartitionState of(String partition) {
        PartitionState before = used.get(partition);
        if (before != null) {
            return before;
        }
        PartitionState now = known.of(partition);
        if (now == null) {
            missing.add(partition);
            now = new PartitionState.Unestablished(
                    new Undetermined(List.of(), "the access model of partition '" + partition + "' is not read yet"));
        }
        used.put(partition, now);
        return now;
    }

    /** All that were asked for. */
    Map<String, PartitionState> used() {
        return used;
    }

    /** Those of them that were not there. */
    Set<String> missing() {
        return missing;
    }
}
