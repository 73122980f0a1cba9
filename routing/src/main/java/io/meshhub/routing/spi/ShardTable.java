package io.meshhub.routing.spi;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Which node owns which shard: an array in memory, kept current by the cluster.
 */
public interface ShardTable {

    /** The row of the shard as this node last saw it; from memory, any thread. */
    ShardRow row(int shard);

    /**
     * Reads the row from the cluster, for a node that was shown a higher epoch than it knows.
     *
     * @return the row, which then also stands in memory unless a later one does; fails with {@link
     *     io.meshhub.routing.failure.Unavailable} when the cluster does not answer within its bound
     */
    Future<ShardRow> refresh(int shard);

    /**
     * Gives an unowned shard, or one whose owner is lost, to the node that everybody computes alike.
     *
     * @return the row that stands then, whoever changed it; fails with {@link io.meshhub.routing.failure.Unavailable}
     *     when nobody can own it now
     */
    Future<ShardRow> claim(int shard);

    /**
     * Whether this node serves the shard under that epoch: it owns it, has written its fence and is not giving it away.
     * From memory, any thread.
     */
    boolean serves(int shard, long epoch);

    /**
     * Completes when this node serves the shard, or has learnt that it will not.
     *
     * @return fails with {@link io.meshhub.routing.failure.Unavailable} when it does not own it, or could not take it
     */
    Future<ShardRow> whenServed(int shard);

    /**
     * Takes the node's own shard anew under a higher epoch, since a fence or an overflow of its counter asks for it.
     *
     * @return the new row; fails with {@link io.meshhub.routing.failure.Unavailable} when the shard is not this node's
     */
    Future<ShardRow> reclaim(int shard);

    /** Calls the listener with each row that replaced an older one, on any thread; it must not block. */
    void onRow(Consumer<ShardRow> listener);
}
