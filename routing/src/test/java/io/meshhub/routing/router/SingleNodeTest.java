package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A10, the single process: it owns all shards, under epochs above every fence that its store holds. */
class SingleNodeTest {

    private static final NodeInfo SELF = FakeMembership.up("a", 2).in(NodeInfo.State.STARTING);

    /** Fences in memory, as a store keeps them. */
    private static final class Fences implements FenceStore {
        private final Map<Integer, ShardFence> held = new HashMap<>();

        @Override
        public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
            Map<Integer, Long> refused = new HashMap<>();
            for (ShardFence fence : fences) {
                ShardFence stored = held.get(fence.shard());
                if (stored == null || fence.passes(stored.epoch(), stored.incarnation())) {
                    held.put(fence.shard(), fence);
                } else {
                    refused.put(fence.shard(), stored.epoch());
                }
            }
            return Future.succeededFuture(refused);
        }

        @Override
        public Future<Long> highestFence() {
            return Future.succeededFuture(
                    held.values().stream().mapToLong(ShardFence::epoch).max().orElse(0));
        }
    }

    private final Fences fences = new Fences();

    private SingleNode start(long firstEpoch) {
        return Await.value(SingleNode.start(SELF, fences, firstEpoch));
    }

    @Test
    void ownsAndServesEveryShardUnderItsFence() {
        SingleNode node = start(100);

        assertThat(node.self().state()).isEqualTo(NodeInfo.State.UP);
        assertThat(IntStream.range(0, MeshAddress.SHARDS)).allSatisfy(shard -> {
            assertThat(node.row(shard).isOwnedBy(SELF.incarnation())).isTrue();
            assertThat(node.serves(shard, 100)).isTrue();
            assertThat(node.serves(shard, 99)).isFalse();
            assertThat(fences.held.get(shard).epoch()).isEqualTo(100);
        });
    }

    @Test
    void clockThatWasSetBackDoesNotLowerTheEpochs() {
        start(100);

        assertThat(start(50).row(7).epoch()).isEqualTo(101);
        assertThat(start(500).row(7).epoch()).isEqualTo(500);
    }

    @Test
    void reclaimRaisesTheEpochOfThatShardAloneAndAnnouncesTheRow() {
        SingleNode node = start(100);
        List<ShardRow> heard = new ArrayList<>();
        node.onRow(heard::add);

        ShardRow row = Await.value(node.reclaim(7));

        assertThat(row.epoch()).isEqualTo(101);
        assertThat(node.row(7)).isEqualTo(row);
        assertThat(node.row(8).epoch()).isEqualTo(100);
        assertThat(heard).containsExactly(row);
        assertThat(fences.held.get(7).epoch()).isEqualTo(101);
    }

    @Test
    void reclaimBelowAFenceOfAnotherOwnerIsRefused() {
        SingleNode node = start(100);
        fences.held.put(7, new ShardFence(SELF.role(), 7, 300, "other-1"));

        Unavailable failure = Await.failure(node.reclaim(7), Unavailable.class);

        assertThat(failure.getMessage()).contains("300");
        assertThat(node.row(7).epoch()).isEqualTo(100);
    }

    @Test
    void storeThatCannotBeAskedFailsTheStart() {
        FenceStore broken = new FenceStore() {
            @Override
            public Future<Map<Integer, Long>> take(Collection<ShardFence> wanted) {
                return Future.succeededFuture(Map.of());
            }

            @Override
            public Future<Long> highestFence() {
                return Future.failedFuture(new StoreException("disk is gone", null));
            }
        };

        Await.failure(SingleNode.start(SELF, broken, 1), StoreException.class);
    }

    @Test
    void fenceThatIsTakenMeanwhileFailsTheStart() {
        FenceStore raced = new FenceStore() {
            @Override
            public Future<Map<Integer, Long>> take(Collection<ShardFence> wanted) {
                return Future.succeededFuture(Map.of(3, 900L));
            }

            @Override
            public Future<Long> highestFence() {
                return Future.succeededFuture(0L);
            }
        };

        Await.failure(SingleNode.start(SELF, raced, 1), IllegalStateException.class);
    }

    @Test
    void itsOwnStateIsAnnounced() {
        SingleNode node = start(1);
        List<NodeInfo> heard = new ArrayList<>();
        node.onChange((change, info) -> {
            assertThat(change).isEqualTo(Membership.Change.STATE);
            heard.add(info);
        });

        Await.value(node.announce(NodeInfo.State.LEAVING));

        assertThat(heard).containsExactly(node.self());
        assertThat(node.node(SELF.incarnation())).contains(node.self());
        assertThat(node.node("other-1")).isEmpty();
    }

    @Test
    void servesNothingWhenItLeaves() {
        SingleNode node = start(1);
        long epoch = node.row(3).epoch();
        assertThat(node.serves(3, epoch)).isTrue();

        Await.value(node.announce(NodeInfo.State.LEAVING));

        assertThat(node.serves(3, epoch)).isFalse();
    }
}
