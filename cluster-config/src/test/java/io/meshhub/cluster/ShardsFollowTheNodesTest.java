package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.TestCluster.Node;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A1, A2, A12: who owns which shard while nodes come, go and die. */
@Timeout(180)
final class ShardsFollowTheNodesTest {

    private final TestCluster cluster = new TestCluster(3);

    @AfterEach
    void end() {
        cluster.close();
    }

    /** A1. */
    @Test
    void nodesThatClaimTheSameShardsAtOnceAgree() {
        Node a = cluster.start("a");
        Node b = cluster.start("b");
        a.openTable(cluster.fences, cluster.clock);
        b.openTable(cluster.fences, cluster.clock);
        Future<Void> aUp = a.membership.announceUp(peer -> Future.succeededFuture());
        Future<Void> bUp = b.membership.announceUp(peer -> Future.succeededFuture());
        TestCluster.await(aUp);
        TestCluster.await(bUp);

        List<Future<ShardRow>> fromA = new ArrayList<>();
        List<Future<ShardRow>> fromB = new ArrayList<>();
        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            fromA.add(a.table.claim(shard));
            fromB.add(b.table.claim(shard));
        }
        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            assertThat(TestCluster.await(fromA.get(shard)).owner()).isIn(a.incarnation(), b.incarnation());
            assertThat(TestCluster.await(fromB.get(shard)).owner()).isIn(a.incarnation(), b.incarnation());
        }

        // Shards that still move are served by nobody for a moment.
        cluster.awaitSettled(a, b);
        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            assertThat(a.serves(shard)).isNotEqualTo(b.serves(shard));
        }
    }

    /** A2. */
    @Test
    void shardsOfAKilledNodeAreClaimedByTheOthersUnderHigherEpochs() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        Node c = cluster.up("c");
        TestCluster.awaitBalanced(a, b, c);
        cluster.awaitSettled(a, b, c);
        List<ShardRow> before = a.rows();
        Set<Integer> lost = before.stream()
                .filter(row -> row.isOwnedBy(b.incarnation()))
                .map(ShardRow::shard)
                .collect(Collectors.toSet());

        b.kill();

        TestCluster.awaitBalanced(a, c);
        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(a.rows().equals(c.rows())).isTrue());
        assertThat(lost).isNotEmpty();
        for (ShardRow was : before) {
            ShardRow row = a.table.row(was.shard());
            if (lost.contains(was.shard())) {
                assertThat(row.epoch()).isGreaterThan(was.epoch());
                assertThat(row.via()).isEqualTo(ShardRow.Via.CLAIM);
                assertThat(cluster.fences.of(was.shard()).epoch()).isEqualTo(row.epoch());
            } else {
                assertThat(row).isEqualTo(was);
            }
        }
        assertThat(a.membership.node(b.incarnation())).isEmpty();
        await().atMost(TestCluster.PATIENCE)
                .until(() -> !a.hazelcast.getMap(HazelcastConfigs.NODES).containsKey(b.incarnation()));
    }

    /** A12, the table's half: planned moves. */
    @Test
    void aJoiningNodeGetsItsShareByReleaseAndNoShardIsServedTwice() {
        Node a = cluster.up("a");
        TestCluster.awaitBalanced(a);
        List<ShardRow> before = a.rows();
        AtomicBoolean twice = new AtomicBoolean();

        Node b = cluster.start("b");
        b.openTable(cluster.fences, cluster.clock);
        Thread watch = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
                    // Read twice around the other's answer: a shard that moved in between is not one served twice.
                    long epoch = b.table.row(shard).epoch();
                    if (a.table.serves(shard, a.table.row(shard).epoch())
                            && b.table.serves(shard, epoch)
                            && a.table.serves(shard, a.table.row(shard).epoch())
                            && b.table.serves(shard, epoch)) {
                        twice.set(true);
                    }
                }
            }
        });
        watch.setDaemon(true);
        watch.start();
        TestCluster.await(b.membership.announceUp(peer -> Future.succeededFuture()));
        cluster.awaitSettled(a, b);
        watch.interrupt();

        assertThat(twice).isFalse();
        long moved = 0;
        for (ShardRow was : before) {
            ShardRow row = b.table.row(was.shard());
            if (row.isOwnedBy(b.incarnation())) {
                moved++;
                assertThat(row.via()).isEqualTo(ShardRow.Via.RELEASE);
                assertThat(row.epoch()).isEqualTo(was.epoch() + 1);
            } else {
                assertThat(row).isEqualTo(was);
            }
        }
        assertThat(a.released.stream().mapToInt(Set::size).sum()).isEqualTo((int) moved);
        assertInBatches(a);
    }

    @Test
    void aLeavingNodeHandsEverythingOver() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        Node c = cluster.up("c");
        TestCluster.awaitBalanced(a, b, c);
        cluster.awaitSettled(a, b, c);
        Map<Integer, Long> epochs = a.rows().stream()
                .filter(row -> row.isOwnedBy(a.incarnation()))
                .collect(Collectors.toMap(ShardRow::shard, ShardRow::epoch));
        a.released.clear();

        Set<Integer> kept = TestCluster.await(a.table.leave(Duration.ofSeconds(10)));

        assertThat(kept).isEmpty();
        assertThat(a.servedCount()).isZero();
        assertInBatches(a);
        assertThat(a.released.stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(epochs.keySet());
        TestCluster.awaitBalanced(b, c);
        await().atMost(TestCluster.PATIENCE)
                .untilAsserted(() -> assertThat(b.rows().equals(c.rows())).isTrue());
        epochs.forEach((shard, epoch) -> {
            assertThat(b.table.row(shard).epoch()).isEqualTo(epoch + 1);
            assertThat(b.table.row(shard).via()).isEqualTo(ShardRow.Via.RELEASE);
        });
    }

    // Where the machine is slow, a batch begins beside one that is not over yet, but never as one with it.
    private static void assertInBatches(Node node) {
        assertThat(node.released)
                .allSatisfy(
                        batch -> assertThat(batch).hasSizeLessThanOrEqualTo(ClusterOptions.DEFAULT_HAND_OVER_BATCH));
    }

    /** Every shard is served until its own turn. */
    @Test
    void aNodeThatLeavesServesWhatItHasNotBegunToGiveAway() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        TestCluster.awaitBalanced(a, b);
        cluster.awaitSettled(a, b);
        long own = a.servedCount();
        AtomicBoolean servedOthers = new AtomicBoolean();
        AtomicBoolean servedItself = new AtomicBoolean();
        a.onRelease(batch -> {
            servedItself.compareAndSet(false, batch.stream().anyMatch(a::serves));
            servedOthers.compareAndSet(false, a.servedCount() > own / 2);
        });

        Set<Integer> kept = TestCluster.await(a.table.leave(Duration.ofSeconds(10)));

        assertThat(kept).isEmpty();
        assertThat(servedItself).as("served what was being given away").isFalse();
        assertThat(servedOthers)
                .as("served others while the first ones were given away")
                .isTrue();
        assertThat(a.servedCount()).isZero();
    }

    @Test
    void theLastNodeLeavesByEndingItsActivations() {
        Node a = cluster.up("a");
        TestCluster.awaitBalanced(a);

        Set<Integer> kept = TestCluster.await(a.table.leave(Duration.ofSeconds(10)));

        assertThat(kept).hasSize(MeshAddress.SHARDS);
        assertThat(a.servedCount()).isZero();
        assertThat(a.released).singleElement().satisfies(all -> assertThat(all).hasSize(MeshAddress.SHARDS));
    }

    /** A5. */
    @Test
    void nodesWithoutEventsConvergeByTheReread() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        TestCluster.awaitBalanced(a, b);
        a.table.forget();
        b.table.forget();

        Node c = cluster.up("c");

        TestCluster.awaitBalanced(a, b, c);
        cluster.awaitSettled(a, b, c);
        assertThat(a.rows().stream().map(ShardRow::owner).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(a.incarnation(), b.incarnation(), c.incarnation());
    }

    /** A2, A5: what each node is told of one shard only ever rises. */
    @Test
    void rowsThatANodeIsToldOnlyEverRise() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        TestCluster.awaitBalanced(a, b);
        Node c = cluster.up("c");
        TestCluster.awaitBalanced(a, b, c);
        c.kill();
        TestCluster.awaitBalanced(a, b);

        for (Node node : List.of(a, b)) {
            Map<Integer, ShardRow> last = new HashMap<>();
            for (ShardRow row : node.told) {
                ShardRow before = last.put(row.shard(), row);
                assertThat(before == null || row.supersedes(before))
                        .as("%s after %s", row, before)
                        .isTrue();
            }
        }
        assertThat(a.told.stream().map(ShardRow::shard).collect(Collectors.toSet()))
                .hasSize(MeshAddress.SHARDS);
    }

    @Test
    void copiesOfARowHoldWhatWasDecidedWhereItIsKept() {
        Node a = cluster.up("a");
        Node b = cluster.up("b");
        Node c = cluster.up("c");
        TestCluster.awaitBalanced(a, b, c);
        cluster.awaitSettled(a, b, c);
        List<ShardRow> rows = c.rows();

        a.kill();
        b.kill();

        // A copy that Hazelcast was still making when both died is put back by the re-read.
        Set<Integer> all = rows.stream().map(ShardRow::shard).collect(Collectors.toSet());
        await().atMost(TestCluster.PATIENCE).untilAsserted(() -> {
            assertThat(c.servedCount()).isEqualTo(MeshAddress.SHARDS);
            assertThat(c.shards().getAll(all).values()).containsExactlyInAnyOrderElementsOf(c.rows());
        });
        for (ShardRow was : rows) {
            if (was.isOwnedBy(c.incarnation())) {
                assertThat(c.table.row(was.shard())).isEqualTo(was);
            }
        }
    }
}
