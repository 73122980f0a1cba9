package io.meshhub.routing.router;

import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;

/**
 * What a router is put together from.
 *
 * @param vertx the Vert.x of this node, clustered or not
 * @param busContext a context on the loop that carries the bus's connections; on any loop where there are none
 * @param loops the hub loops
 * @param membership who is in the mesh
 * @param shards who owns which shard
 * @param lease the right to serve
 * @param clock the time
 * @param pacer runs what waits
 * @param metrics where numbers go
 * @param options the bounds
 */
public record Parts(
        Vertx vertx,
        ContextInternal busContext,
        MeshLoops loops,
        Membership membership,
        ShardTable shards,
        Lease lease,
        MeshClock clock,
        Pacer pacer,
        MeshMetrics metrics,
        RouterOptions options) {}
