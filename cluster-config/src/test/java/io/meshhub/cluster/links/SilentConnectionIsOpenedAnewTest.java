package io.meshhub.cluster.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.server.ServerConnection;
import io.meshhub.routing.spi.MeshClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** F3: what TCP holds back long after a cut link has healed is not waited for; also watches the internals that are used. */
@Timeout(120)
final class SilentConnectionIsOpenedAnewTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name = "links-" + UUID.randomUUID();
    private final List<Runnable> actions = new ArrayList<>();
    private volatile long ahead;
    private HazelcastInstance one;
    private HazelcastInstance other;
    private MemberLinks links;

    private final MeshClock clock = new MeshClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now().plusMillis(ahead);
        }
    };

    private HazelcastInstance member(int port) {
        Config config = new Config().setClusterName(name);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.getNetworkConfig().setPort(port).setPortCount(100);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getTcpIpConfig().setEnabled(true);
        if (one != null) {
            config.getNetworkConfig()
                    .getJoin()
                    .getTcpIpConfig()
                    .addMember("127.0.0.1:"
                            + one.getCluster().getLocalMember().getAddress().getPort());
        }
        return Hazelcast.newHazelcastInstance(config);
    }

    @BeforeEach
    void start() {
        one = member(25_701);
        other = member(25_701);
        links = new MemberLinks(
                one,
                (delay, action) -> {
                    actions.add(action);
                    return () -> actions.remove(action);
                },
                clock,
                LIMIT);
    }

    @AfterEach
    void end() {
        other.getLifecycleService().terminate();
        one.getLifecycleService().terminate();
    }

    private ServerConnection connection() {
        await().atMost(PATIENCE).until(() -> !links.connections().isEmpty());
        return links.connections().iterator().next();
    }

    private boolean isOpen(ServerConnection former) {
        Collection<ServerConnection> now = links.connections();
        return now.stream().anyMatch(connection -> connection == former);
    }

    @Test
    void oneThatIsSilentAtThreeLooksInARowIsReplacedAndNoMemberIsLost() {
        ServerConnection former = connection();
        ahead = LIMIT.plusMinutes(1).toMillis();
        links.look();
        links.look();
        assertThat(isOpen(former)).as("after two looks").isTrue();

        links.look();

        assertThat(isOpen(former)).as("after the third").isFalse();
        ahead = 0;
        assertThat(connection()).isNotSameAs(former);
        // Over the new one, since each member holds the half of them.
        for (int i = 0; i < 100; i++) {
            one.getMap("m").put(i, "value");
        }
        assertThat(other.getMap("m").size()).isEqualTo(100);
        assertThat(one.getCluster().getMembers()).hasSize(2);
    }

    @Test
    void oneThatIsHeardBetweenTwoLooksStays() {
        ServerConnection former = connection();
        for (int i = 0; i < 4; i++) {
            ahead = LIMIT.plusMinutes(1).toMillis();
            links.look();
            links.look();
            ahead = 0;
            links.look();
        }

        assertThat(isOpen(former)).isTrue();
    }

    @Test
    void looksGoOnUntilTheLinksAreClosed() {
        links.watch();
        actions.remove(0).run();
        assertThat(actions).hasSize(1);

        links.close();

        assertThat(actions).as("what is left to be run").isEmpty();
    }
}
