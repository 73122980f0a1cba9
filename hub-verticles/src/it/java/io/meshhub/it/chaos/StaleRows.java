package io.meshhub.it.chaos;

import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A shard table that remembers the first row with an owner of each shard, and whose node goes on serving what it served. */
final class StaleRows implements ShardTable {

    private final ShardTable table;
    private final Map<Integer, ShardRow> first = new ConcurrentHashMap<>();
    private final Map<Integer, Long> served = new ConcurrentHashMap<>();

    StaleRows(ShardTable table) {
        this.table = table;
    }

    @Override
    public ShardRow row(int shard) {
        ShardRow row = table.row(shard);
        return row.owner() == null ? row : first.computeIfAbsent(shard, unseen -> row);
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        return table.refresh(shard).map(row -> row(shard));
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        return table.claim(shard);
    }

    @Override
    public boolean serves(int shard, long epoch) {
        if (table.serves(shard, epoch)) {
            served.putIfAbsent(shard, epoch);
        }
        return table.serves(shard, epoch) || served.getOrDefault(shard, -1L) == epoch;
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        Long epoch = served.get(shard);
        return epoch != null && epoch == row(shard).epoch()
                ? Future.succeededFuture(row(shard))
                : table.whenServed(shard);
    }

    @Override
    public Future<ShardRow> reclaim(int shard) {
        return table.reclaim(shard);
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        table.onRow(listener);
    }
}
