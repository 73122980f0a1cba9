package io.meshhub.hub.life;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.spi.AddressCatalog;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import java.util.function.Supplier;

/**
 * What a node gives to the hubs that it hosts.
 *
 * @param membership says who this node is, and which hub types the other ones host
 * @param loops the event loops on which hubs live
 * @param shards says under which epoch an address is served
 * @param lease says whether the node may serve
 * @param catalog says which addresses of catalogued types exist
 * @param budgets the bounds of every wait
 * @param clock the time
 * @param pacer runs things later
 * @param metrics where numbers go
 * @param mesh what hubs send with; asked when a hub sends, since the mesh is made after the hubs' host
 */
public record HubServices(
        Membership membership,
        MeshLoops loops,
        ShardTable shards,
        Lease lease,
        AddressCatalog catalog,
        BudgetLadder budgets,
        MeshClock clock,
        Pacer pacer,
        MeshMetrics metrics,
        Supplier<? extends Mesh> mesh) {

    /** The name of this node. */
    public String node() {
        return membership.self().name();
    }
}
