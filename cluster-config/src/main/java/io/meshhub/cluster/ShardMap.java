package io.meshhub.cluster;

import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.util.List;

/** The cluster's map of the shard rows of a role; every future completes on the control thread, within its bound. */
interface ShardMap {

    /** The row as the cluster holds it; an unowned one where it holds none. */
    Future<ShardRow> read(int shard);

    /** All rows as the cluster holds them; fails when one could not be read. */
    Future<List<ShardRow>> readAll();

    /**
     * Makes a change where the row is kept.
     *
     * @return the row that stands then, whoever made it
     */
    Future<ShardRow> change(int shard, RowChange change);
}
