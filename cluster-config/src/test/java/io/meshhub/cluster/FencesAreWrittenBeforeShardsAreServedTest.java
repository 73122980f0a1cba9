package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.TestCluster.Node;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A8, A10: epochs, fences and lost rows on one node. */
@Timeout(180)
final class FencesAreWrittenBeforeShardsAreServedTest {

    private static final int SHARD = 17;

    private final TestCluster cluster = new TestCluster(1);

    @AfterEach
    void end() {
        cluster.close();
    }

    private static MeshClock clockAt(Instant wall) {
        return new MeshClock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return wall;
            }
        };
    }

    private static void awaitAllServed(Node node) {
        await().atMost(TestCluster.PATIENCE).until(() -> node.servedCount() == MeshAddress.SHARDS);
    }

    @Test
    void epochsBeginWithTheSecondsSince2025() {
        cluster.clock = clockAt(HazelcastShardTable.EPOCH_ORIGIN.plusSeconds(5_000));
        Node node = cluster.up("a");
        awaitAllServed(node);

        assertThat(node.rows()).extracting(ShardRow::epoch).containsOnly(5_000L);
    }

    /** A10. */
    @Test
    void withAClockThatWasSetBackEpochsBeginAboveTheHighestFence() {
        cluster.fences.put(new ShardFence("hub", 3, 9_000_000, "earlier"));
        cluster.clock = clockAt(HazelcastShardTable.EPOCH_ORIGIN.minusSeconds(5_000));
        Node node = cluster.up("a");
        awaitAllServed(node);

        assertThat(node.rows()).extracting(ShardRow::epoch).containsOnly(9_000_001L);
        assertThat(cluster.fences.of(3)).isEqualTo(new ShardFence("hub", 3, 9_000_001, node.incarnation()));
    }

    /** A10: all of it ends, the clock is set back by years, and only the store remembers. */
    @Test
    void aClusterThatBeginsAnewWithAClockSetBackBeginsAboveAllThatItEverServed() {
        cluster.clock = clockAt(HazelcastShardTable.EPOCH_ORIGIN.plusSeconds(60_000_000));
        Node before = cluster.up("a");
        awaitAllServed(before);
        TestCluster.await(before.table.reclaim(SHARD));
        List<ShardRow> rows = before.rows();
        cluster.close();

        try (TestCluster anew = new TestCluster(1)) {
            for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
                anew.fences.put(cluster.fences.of(shard));
            }
            anew.clock = clockAt(HazelcastShardTable.EPOCH_ORIGIN.plusSeconds(1));
            Node after = anew.up("a");
            awaitAllServed(after);

            for (ShardRow row : rows) {
                assertThat(after.table.row(row.shard()).epoch()).isGreaterThan(row.epoch());
            }
        }
    }

    @Test
    void aShardWhoseFenceIsRefusedIsClaimedAnewAboveIt() {
        cluster.clock = clockAt(HazelcastShardTable.EPOCH_ORIGIN.plusSeconds(5_000));
        Node node = cluster.start("a");
        node.openTable(cluster.fences, cluster.clock);
        // Written after this node read the highest fence.
        cluster.fences.put(new ShardFence("hub", SHARD, 7_000, "other"));
        TestCluster.await(node.membership.announceUp(peer -> Future.succeededFuture()));
        awaitAllServed(node);

        assertThat(node.table.row(SHARD).epoch()).isEqualTo(7_001);
        assertThat(node.table.row(SHARD).via()).isEqualTo(ShardRow.Via.CLAIM);
        assertThat(cluster.fences.of(SHARD)).isEqualTo(new ShardFence("hub", SHARD, 7_001, node.incarnation()));
        assertThat(node.table.row(SHARD + 1).epoch()).isEqualTo(5_000);
    }

    @Test
    void nothingIsServedWhileTheStoreIsAwayAndAllWhenItIsBack() {
        cluster.tuning = options -> options.operationTimeout(Duration.ofMillis(700));
        Node node = cluster.start("a");
        node.openTable(cluster.fences, cluster.clock);
        cluster.fences.failNext(Integer.MAX_VALUE);
        TestCluster.await(node.membership.announceUp(peer -> Future.succeededFuture()));
        await().atMost(TestCluster.PATIENCE).until(() -> node.table.row(SHARD).isOwnedBy(node.incarnation()));

        assertThatThrownBy(() -> TestCluster.await(node.table.whenServed(SHARD)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Shard hub/17 was not taken within 700 ms");
        assertThat(node.servedCount()).isZero();
        assertThat(cluster.fences.takes()).isBetween(1, 6);

        Future<ShardRow> served = node.table.whenServed(SHARD);
        cluster.fences.failNext(0);
        assertThat(TestCluster.await(served)).isEqualTo(node.table.row(SHARD));
        awaitAllServed(node);
    }

    @Test
    void anOwnShardIsTakenAnewUnderAHigherEpoch() {
        Node node = cluster.up("a");
        awaitAllServed(node);
        ShardRow before = node.table.row(SHARD);

        ShardRow after = TestCluster.await(node.table.reclaim(SHARD));

        assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
        assertThat(node.table.serves(SHARD, after.epoch())).isTrue();
        assertThat(node.table.serves(SHARD, before.epoch())).isFalse();
        assertThat(cluster.fences.of(SHARD).epoch()).isEqualTo(after.epoch());
        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(node.released).anyMatch(shards -> shards.contains(SHARD)));
    }

    /** A8, while the owner lives. */
    @Test
    void aRowThatIsLostIsRestoredNotClaimed() {
        Node node = cluster.up("a");
        awaitAllServed(node);
        List<ShardRow> before = node.rows();

        node.shards().clear();

        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(node.shards().values()).containsExactlyInAnyOrderElementsOf(before));
        assertThat(node.rows()).isEqualTo(before);
        assertThat(node.released).isEmpty();
    }

    @Test
    void aShardThatNobodyCanOwnIsUnavailable() {
        cluster.tuning = options -> options.operationTimeout(Duration.ofSeconds(2));
        Node node = cluster.start("a");
        node.openTable(cluster.fences, cluster.clock);

        assertThatThrownBy(() -> TestCluster.await(node.table.claim(SHARD)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no node is UP");
        assertThatThrownBy(() -> TestCluster.await(node.table.whenServed(SHARD)))
                .isInstanceOf(Unavailable.class);
        assertThat(TestCluster.await(node.table.refresh(SHARD))).isEqualTo(ShardRow.unowned(SHARD));
        assertThat(node.membership.self().state()).isEqualTo(NodeInfo.State.STARTING);
    }
}
