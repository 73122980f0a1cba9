package io.meshhub.cluster;

import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.util.Map;

/** One node's part in a cluster: its place among the members, and its view of the shards. */
public final class ClusterNode {

    private final HazelcastMembership membership;
    private final HazelcastShardTable shards;

    private ClusterNode(HazelcastMembership membership, HazelcastShardTable shards) {
        this.membership = membership;
        this.shards = shards;
    }

    /**
     * Joins as {@code STARTING}: the node is seen and owns nothing yet.
     *
     * @param self the node; an empty role only calls
     * @param fences where the fences of the shards are written that it will take
     * @param clock the time, which tells the first epoch
     * @return fails when the cluster refuses the node, or when the store cannot be asked; the message says why
     */
    public static Future<ClusterNode> join(
            ClusteredVertx cluster, ClusterOptions options, NodeInfo self, FenceStore fences, MeshClock clock) {
        return HazelcastMembership.join(cluster.hazelcast(), cluster.control(), options, self, Map.of())
                .compose(membership -> {
                    BusBeats beats =
                            new BusBeats(cluster.vertx().eventBus(), cluster.busContext(), cluster.control());
                    return beats.listen(self.incarnation())
                            .compose(listening -> HazelcastShardTable.start(
                                    cluster.hazelcast(),
                                    self.role().isEmpty() ? NodeInfo.DEFAULT_ROLE : self.role(),
                                    membership,
                                    fences,
                                    clock,
                                    options,
                                    beats,
                                    cluster.control()))
                            .map(shards -> {
                                beats.answering(shards.answers());
                                return new ClusterNode(membership, shards);
                            });
                });
    }

    /** Who is in the cluster. */
    public HazelcastMembership membership() {
        return membership;
    }

    /** Who owns which shard. */
    public HazelcastShardTable shards() {
        return shards;
    }
}
