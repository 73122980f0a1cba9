package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.TestCluster.Node;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Membership.Change;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node is UP only after it reached every peer; the others see each step of its life once and in order. */
@Timeout(180)
final class NodesAreUpOnceHeardBothWaysTest {

    private final TestCluster cluster = new TestCluster(2);

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    void aPeerThatDoesNotAnswerIsTriedAgain() {
        cluster.up("a");
        Node b = cluster.start("b");
        AtomicInteger pings = new AtomicInteger();

        TestCluster.await(b.membership.announceUp(peer -> {
            assertThat(peer.name()).isEqualTo("a");
            return pings.incrementAndGet() < 3 ? Future.failedFuture("not yet") : Future.succeededFuture();
        }));

        assertThat(pings).hasValue(3);
        assertThat(b.membership.self().state()).isEqualTo(NodeInfo.State.UP);
    }

    @Test
    void aNodeThatReachesNobodyGivesUpAndNamesThePeers() {
        cluster.up("a");
        cluster.tuning = options -> options.upTimeout(Duration.ofSeconds(1));
        Node b = cluster.start("b");

        assertThatThrownBy(() -> TestCluster.await(b.membership.announceUp(peer -> Future.failedFuture("deaf"))))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Node b could not become UP")
                .hasMessageContaining("did not reach [a]");
        assertThat(b.membership.self().state()).isEqualTo(NodeInfo.State.STARTING);
    }

    @Test
    void everyStepOfANodeIsHeardOnceAndInOrder() {
        Node a = cluster.up("a");
        List<String> heard = new CopyOnWriteArrayList<>();
        a.membership.onChange((change, node) -> heard.add(node.name() + " " + change + " " + node.state()));

        Node b = cluster.up("b");
        assertThat(a.membership.nodes()).extracting(NodeInfo::name).containsExactly("a", "b");
        assertThat(b.membership.nodes()).extracting(NodeInfo::name).containsExactly("a", "b");
        TestCluster.await(b.membership.announce(NodeInfo.State.LEAVING));
        await().atMost(TestCluster.PATIENCE).until(() -> heard.size() >= 3);
        b.kill();

        await().atMost(TestCluster.PATIENCE)
                .until(() -> a.membership.node(b.incarnation()).isEmpty());
        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(heard)
                        .containsExactly(
                                "b " + Change.JOINED + " STARTING",
                                "b " + Change.STATE + " UP",
                                "b " + Change.STATE + " LEAVING",
                                "b " + Change.DROPPED + " LEAVING"));
    }
}
