package io.meshhub.query.gate;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.List;

/**
 * What became of a result since it was last shown. Applied in this order, no more nodes than the limit are ever there.
 *
 * @param removed what is no longer in it
 * @param updated what is in it and is not as it was
 * @param added what was not in it
 */
public record Changes(List<MeshAddress> removed, List<QueryNode> updated, List<QueryNode> added) {

    static final Changes NONE = new Changes(List.of(), List.of(), List.of());

    public Changes {
        removed = List.copyOf(removed);
        updated = List.copyOf(updated);
        added = List.copyOf(added);
    }

    /** Whether nothing is other than it was. */
    public boolean isEmpty() {
        return removed.isEmpty() && updated.isEmpty() && added.isEmpty();
    }
}
