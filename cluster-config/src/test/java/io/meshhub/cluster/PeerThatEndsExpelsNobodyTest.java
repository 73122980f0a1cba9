package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.TestCluster.Node;
import io.meshhub.routing.spi.NodeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A7, F5: with a quorum of 1 a peer that lists nobody any more, since it ends or is cut off, is no judge of the others. */
class PeerThatEndsExpelsNobodyTest {

    private final TestCluster cluster = new TestCluster(2);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void theOneThatStaysServesOn() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        cluster.awaitSettled(a, b);

        // Its control goes on and answers, as that of a process that is just ending does.
        a.membership.drop(b.incarnation());

        long rounds = b.rounds();
        await().atMost(TestCluster.PATIENCE).until(() -> b.rounds() >= rounds + 3);
        assertThat(b.membership.self().state()).isEqualTo(NodeInfo.State.UP);
        assertThat(b.table.lease().heldAt(System.nanoTime())).isTrue();
    }
}
