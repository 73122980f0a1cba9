package io.meshhub.cluster;

import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;

/**
 * The rows of all shards of a role as one node knows them: a later one replaces an earlier one, never the other way
 * round, in whatever order they arrive.
 */
final class RowMerge {

    private final AtomicReferenceArray<ShardRow> rows;

    RowMerge(int shards) {
        rows = new AtomicReferenceArray<>(shards);
        for (int shard = 0; shard < shards; shard++) {
            rows.set(shard, ShardRow.unowned(shard));
        }
    }

    ShardRow row(int shard) {
        return rows.get(shard);
    }

    int size() {
        return rows.length();
    }

    List<ShardRow> all() {
        List<ShardRow> all = new ArrayList<>(rows.length());
        for (int shard = 0; shard < rows.length(); shard++) {
            all.add(rows.get(shard));
        }
        return all;
    }

    /**
     * Takes in a row that was read or told.
     *
     * @return the row that it replaced; empty when it is none that is later
     */
    Optional<ShardRow> offer(ShardRow row) {
        ShardRow current = rows.get(row.shard());
        while (row.supersedes(current)) {
            if (rows.compareAndSet(row.shard(), current, row)) {
                return Optional.of(current);
            }
            current = rows.get(row.shard());
        }
        return Optional.empty();
    }

    /**
     * Whether the cluster lost a row: what it holds is older than what is remembered, and the remembered owner lives; or
     * it holds an older row that names somebody who has given the shard away since, which nobody would ever claim.
     */
    static boolean isLost(ShardRow remembered, ShardRow stored, Predicate<String> dropped) {
        return remembered.owner() != null
                && remembered.supersedes(stored)
                && (stored.owner() != null || !dropped.test(remembered.owner()));
    }
}
