package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.cluster.TestCluster.Node;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.spi.NodeInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A11: a node that does not fit is refused, and the line names both. */
@Timeout(180)
final class JoinIsRefusedWithAClearLineTest {

    private final TestCluster cluster = new TestCluster(2);

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    void ofANameThatALiveMemberHas() {
        Node first = cluster.up("a");

        assertThatThrownBy(() -> cluster.start("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Node 'a' cannot join: its name is taken by a live member")
                .hasMessageContaining(first.incarnation());
        Awaitility.await()
                .untilAsserted(() -> assertThat(first.membership.nodes())
                        .extracting(NodeInfo::incarnation)
                        .containsExactly(first.incarnation()));
        assertThat(first.hazelcast.getMap(HazelcastConfigs.NODES).size()).isEqualTo(1);
    }

    @Test
    void ofAnotherStore() {
        cluster.up("a");
        NodeInfo info = TestCluster.info("b");
        NodeInfo other = new NodeInfo(
                "b", info.incarnation(), NodeInfo.State.STARTING, 1, info.role(), Set.of(), "store-2", "test");

        assertThatThrownBy(() -> cluster.start(other, Map.of()))
                .hasMessageContaining("Node 'b' cannot join role 'hub': its store is 'store-2'")
                .hasMessageContaining("node 'a' is 'store-1'");
    }

    @Test
    void ofAConflictingPrefix() {
        cluster.start(TestCluster.info("a"), Map.of("orders", "hub", "iso", "hub"));

        assertThatThrownBy(() -> cluster.start(TestCluster.info("b"), Map.of("orders", "geo", "more", "geo")))
                .hasMessageContaining("prefix 'orders' to role 'geo'")
                .hasMessageContaining("node 'a' gives it to role 'hub'");
    }

    @Test
    void ofAnotherListOfVoters() {
        cluster.tuning = options -> options.quorum(voters("a", "b", "c"));
        cluster.start("a");
        cluster.tuning = options -> options.quorum(voters("a", "b", "d"));

        assertThatThrownBy(() -> cluster.start("b"))
                .hasMessageContaining(
                        "Node 'b' cannot join: its terms are 'quorum 2 of 3, voters [a, b, d], after-loss SAFE")
                .hasMessageContaining("those of node 'a' are 'quorum 2 of 3, voters [a, b, c], after-loss SAFE");
    }

    /** The order of the names is nobody's concern, and a node that is no voter may join. */
    @Test
    void ofNobodyWhoNamesTheSameVotersInAnotherOrder() {
        cluster.tuning = options -> options.quorum(voters("a", "b", "c"));
        cluster.start("a");
        cluster.tuning = options -> options.quorum(voters("c", "a", "b"));

        assertThat(cluster.start("x").membership.nodes())
                .extracting(NodeInfo::name)
                .contains("a", "x");
    }

    private static Quorum voters(String... names) {
        return new Quorum(2, 3, List.of(names), Quorum.AfterLoss.SAFE, Quorum.DEFAULT_LEASE);
    }
}
