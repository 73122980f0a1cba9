package io.meshhub.cluster.lease;

import io.meshhub.routing.spi.ShardRow;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Since when the planner sees which shards being given away, so that an owner that never does is given up; immutable.
 *
 * @param since by row, when it was first seen like this
 */
public record HandOverWatch(Map<ShardRow, Long> since) {

    public static final HandOverWatch EMPTY = new HandOverWatch(Map.of());

    /** Takes in the rows as they are now. */
    public HandOverWatch on(List<ShardRow> rows, Predicate<String> dropped, long now) {
        Map<ShardRow, Long> next = new LinkedHashMap<>();
        for (ShardRow row : rows) {
            String owner = row.owner();
            if (row.state() == ShardRow.State.HANDOFF && owner != null && !dropped.test(owner)) {
                next.put(row, since.getOrDefault(row, now));
            }
        }
        return new HandOverWatch(next);
    }

    /** The owners that have not given a shard away within the bound, in nanoseconds. */
    public Set<String> overdue(long now, long bound) {
        Set<String> owners = new LinkedHashSet<>();
        since.forEach((row, begun) -> {
            if (now - begun > bound && row.owner() != null) {
                owners.add(row.owner());
            }
        });
        return owners;
    }
}
