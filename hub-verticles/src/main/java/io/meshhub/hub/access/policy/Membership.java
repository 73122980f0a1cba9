package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.hub.access.policy.Finding.Known;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/** Whether a principal is in a group, by itself or by groups within it. */
final class Membership {

    /** The most groups that are looked into for one question. */
    static final int MOST_GROUPS = 1_000;

    private Membership() {}

    /**
     * Looks into the group and all groups within it, each once, so that cycles end. One group that has the principal
     * settles it, whatever the others are; without one each group that cannot be read leaves it open.
     */
    static Finding of(String principal, MeshAddress group, Models models) {
        Queue<MeshAddress> next = new ArrayDeque<>(List.of(group));
        Set<MeshAddress> seen = new HashSet<>(next);
        List<Undetermined> doubts = new ArrayList<>();
        for (MeshAddress each = next.poll(); each != null; each = next.poll()) {
            PartitionState state = models.of(each.partition());
            if (state instanceof PartitionState.Unestablished unestablished) {
                doubts.add(unestablished.why());
                continue;
            }
            Row row = ((PartitionState.Established) state).rows().named(each);
            if (!(row instanceof Row.Group read)) {
                doubts.add(new Undetermined(
                        List.of(), row == null ? "group '" + each + "' does not exist" : String.valueOf(row)));
                continue;
            }
            if (read.principals().contains(principal)) {
                return Known.YES;
            }
            for (MeshAddress within : read.groups()) {
                if (seen.size() < MOST_GROUPS) {
                    if (seen.add(within)) {
                        next.add(within);
                    }
                } else if (!seen.contains(within)) {
                    return Finding.doubt("group '" + group + "' has more than " + MOST_GROUPS + " groups within it");
                }
            }
        }
        return doubts.isEmpty() ? Known.NO : new Finding.Doubt(Finding.all(doubts));
    }
}
