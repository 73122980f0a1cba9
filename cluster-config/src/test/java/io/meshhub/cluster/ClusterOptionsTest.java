package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import io.meshhub.cluster.lease.Quorum;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What options are refused, and what the others become. */
final class ClusterOptionsTest {

    @Test
    void aBrokenRuleIsNamedWithItsValue() {
        assertThatThrownBy(() -> ClusterOptions.of(" ")).hasMessage("nodeName must not be blank");
        assertThatThrownBy(() -> ClusterOptions.builder("a")
                        .hazelcast("127.0.0.1", 70_000, 1)
                        .build())
                .hasMessage("hazelcastPort = 70000 must be between 1 and 65535");
        assertThatThrownBy(() -> ClusterOptions.builder("a")
                        .heartbeat(Duration.ofSeconds(2), Duration.ofSeconds(5))
                        .build())
                .hasMessage("heartbeatLimit = PT5S must be >= 3 x heartbeatInterval (PT2S)");
        assertThatThrownBy(() -> ClusterOptions.builder("a")
                        .heartbeat(Duration.ofMillis(1500), Duration.ofSeconds(5))
                        .build())
                .hasMessage("heartbeatInterval = PT1.5S must be whole seconds");
        assertThatThrownBy(() -> ClusterOptions.builder("a")
                        .seeds(List.of("b:5701", "c:http"))
                        .build())
                .hasMessage("seed = 'c:http' must end with a port between 1 and 65535");
        assertThatThrownBy(
                        () -> ClusterOptions.builder("a").kubernetesService("").build())
                .hasMessage("kubernetesService must be set when join = KUBERNETES");
        assertThatThrownBy(() -> quorum(2, 4, List.of("a", "b", "c"), Quorum.AfterLoss.SAFE))
                .hasMessage("quorum = 2 must exceed half of maxNodes = 4: two sides of a cut could both have one");
        assertThatThrownBy(() -> quorum(2, 3, List.of("a"), Quorum.AfterLoss.SAFE))
                .hasMessage("voters = [a] must name at least quorum = 2 and at most maxNodes = 3 nodes");
        assertThatThrownBy(() -> quorum(2, 3, List.of("a", "a"), Quorum.AfterLoss.SAFE))
                .hasMessage("voters = [a, a] must name each node once");
        assertThatThrownBy(() -> quorum(1, 3, List.of("a"), Quorum.AfterLoss.FAST))
                .hasMessage("voters = [a] must be empty with quorum = 1: nobody is asked");
        assertThatThrownBy(() -> quorum(1, 1, List.of(), Quorum.AfterLoss.SAFE))
                .hasMessage(
                        "afterLoss = SAFE needs quorum >= 2: without a lease nobody knows when a lost node has ended");
        assertThatThrownBy(() -> new Quorum(1, 1, List.of(), Quorum.AfterLoss.FAST, Duration.ofSeconds(2)))
                .hasMessage("lease = 2000 ms must be >= 3000 ms");
    }

    private static Quorum quorum(int size, int maxNodes, List<String> voters, Quorum.AfterLoss afterLoss) {
        return new Quorum(size, maxNodes, voters, afterLoss, Quorum.DEFAULT_LEASE);
    }

    @Test
    void nothingIsFoundOrToldByItself() {
        Config config = HazelcastConfigs.of(ClusterOptions.of("a"));

        assertThat(config.getNetworkConfig().getJoin().getMulticastConfig().isEnabled())
                .isFalse();
        assertThat(config.getNetworkConfig().getJoin().getAutoDetectionConfig().isEnabled())
                .isFalse();
        assertThat(config.getNetworkConfig().getJoin().getTcpIpConfig().isEnabled())
                .isFalse();
        assertThat(config.getProperty("hazelcast.phone.home.enabled")).isEqualTo("false");
        assertThat(config.getProperty("hazelcast.shutdownhook.enabled")).isEqualTo("false");
        assertThat(config.getProperty("hazelcast.local.localAddress")).isEqualTo("127.0.0.1");
    }

    @Test
    void seedsAndPortsReachHazelcast() {
        Config config = HazelcastConfigs.of(ClusterOptions.builder("a")
                .seeds(List.of("10.0.0.1", "10.0.0.2:5705"))
                .hazelcast("10.0.0.1", 5701, 3)
                .lite(true)
                .build());

        assertThat(config.getNetworkConfig().getJoin().getTcpIpConfig().getMembers())
                .containsExactly("10.0.0.1", "10.0.0.2:5705");
        assertThat(config.getNetworkConfig().getPort()).isEqualTo(5701);
        assertThat(config.getNetworkConfig().getPortCount()).isEqualTo(3);
        assertThat(config.isLiteMember()).isTrue();
    }
}
