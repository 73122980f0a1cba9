package io.meshhub.it.chaos;

import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A shard table whose node goes on serving what it served, and does not notice meanwhile that it became another's. */
final class StaleRows implements ShardTable {

    private final ShardTable table;
    private final BooleanSupplier keepsRows;
    private final Map<Integer, ShardRow> served = new ConcurrentHashMap<>();

    /**
     * A table that breaks what it passes on.
     *
     * @param keepsRows whether it keeps at this moment the rows under which it served
     */
    StaleRows(ShardTable table, BooleanSupplier keepsRows) {
        this.table = table;
        this.keepsRows = keepsRows;
    }

    @Override
    public ShardRow row(int shard) {
        ShardRow kept = keepsRows.getAsBoolean() ? served.get(shard) : null;
        return kept == null ? table.row(shard) : kept;
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
            served.putIfAbsent(shard, table.row(shard));
            return true;
        }
        return isKept(shard, epoch);
    }

    private boolean isKept(int shard, long epoch) {
        ShardRow kept = served.get(shard);
        return kept != null && kept.epoch() == epoch;
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        ShardRow row = row(shard);
        return isKept(shard, row.epoch()) ? Future.succeededFuture(row) : table.whenServed(shard);
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
