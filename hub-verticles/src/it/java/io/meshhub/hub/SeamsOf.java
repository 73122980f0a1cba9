package io.meshhub.hub;

import io.meshhub.hub.life.Seams;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardTable;
import java.util.function.UnaryOperator;

/** Lets the fault harness put something broken between the parts of a node. */
public final class SeamsOf {

    private SeamsOf() {}

    /** What router and hubs see of the shard rows. */
    public static void shards(MeshHub.Builder builder, UnaryOperator<ShardTable> seam) {
        builder.seams = new Seams(seam, builder.seams.lease(), builder.seams.activator(), builder.seams.pacer());
    }

    /** What they see of the lease. */
    public static void lease(MeshHub.Builder builder, UnaryOperator<Lease> seam) {
        builder.seams = new Seams(builder.seams.shards(), seam, builder.seams.activator(), builder.seams.pacer());
    }

    /** What the router hands messages to. */
    public static void activator(MeshHub.Builder builder, UnaryOperator<Activator> seam) {
        builder.seams = new Seams(builder.seams.shards(), builder.seams.lease(), seam, builder.seams.pacer());
    }

    /** What the router waits with. */
    public static void pacer(MeshHub.Builder builder, UnaryOperator<Pacer> seam) {
        builder.seams = new Seams(builder.seams.shards(), builder.seams.lease(), builder.seams.activator(), seam);
    }
}
