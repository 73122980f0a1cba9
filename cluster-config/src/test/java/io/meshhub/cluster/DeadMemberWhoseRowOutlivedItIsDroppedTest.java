package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A2: a node that joins while another one dies sees its row and never its member; it must not guard its shards. */
@Timeout(120)
class DeadMemberWhoseRowOutlivedItIsDroppedTest {

    @Test
    void aRowWithoutAMemberCountsAsDroppedAfterSomeReads() {
        try (TestCluster cluster = new TestCluster(2)) {
            TestCluster.Node a = cluster.up("a");
            NodeInfo dead = TestCluster.info("dead").in(NodeInfo.State.UP);
            a.hazelcast
                    .<String, NodeRow>getMap(HazelcastConfigs.NODES)
                    .set(
                            dead.incarnation(),
                            new NodeRow(dead, UUID.randomUUID(), MeshAddress.SHARDS, Map.of(), "quorum 1"));

            TestCluster.Node b = cluster.up("b");

            await().atMost(TestCluster.PATIENCE).until(() -> a.membership.isDropped(dead.incarnation()));
            await().atMost(TestCluster.PATIENCE).until(() -> b.membership.isDropped(dead.incarnation()));
        }
    }

    @Test
    void aFormerIncarnationOfALiveMemberIsDroppedOnceItsRowIsGone() {
        try (TestCluster cluster = new TestCluster(2)) {
            TestCluster.Node a = cluster.start("a");
            TestCluster.Node b = cluster.start("b");
            UUID member = a.hazelcast.getCluster().getLocalMember().getUuid();
            NodeInfo former = TestCluster.info("former");
            IMap<String, NodeRow> rows = a.hazelcast.getMap(HazelcastConfigs.NODES);
            rows.set(former.incarnation(), new NodeRow(former, member, MeshAddress.SHARDS, Map.of(), "quorum 1"));
            await().atMost(TestCluster.PATIENCE)
                    .until(() -> b.membership.node(former.incarnation()).isPresent());

            // Its end is told to nobody, and the row is gone soon after it.
            rows.remove(former.incarnation());

            await().atMost(TestCluster.PATIENCE)
                    .until(() -> b.membership.isDropped(former.incarnation())
                            && b.membership.node(former.incarnation()).isEmpty());
            assertThat(b.membership.nodes()).extracting(NodeInfo::name).containsExactlyInAnyOrder("a", "b");
        }
    }
}
