package io.meshhub.hub.life;

import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import java.util.function.UnaryOperator;

/**
 * Where a test puts something of its own between the parts of a node, above all something broken: a check that finds
 * nothing proves nothing unless it finds that. There is no setting for it.
 *
 * @param shards what router and hubs see of the shard rows
 * @param lease what they see of the lease
 * @param activator what the router hands messages to
 * @param pacer what the router waits with
 */
public record Seams(
        UnaryOperator<ShardTable> shards,
        UnaryOperator<Lease> lease,
        UnaryOperator<Activator> activator,
        UnaryOperator<Pacer> pacer) {

    /** The parts as they are. */
    public static final Seams NONE = new Seams(
            UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
}
