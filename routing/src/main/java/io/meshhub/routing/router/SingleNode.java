package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * A mesh of one process: one member that owns every shard. Its epochs rise over restarts like those of a cluster, since
 * they begin above the highest fence in the store.
 */
public final class SingleNode implements Membership, ShardTable {

    private final FenceStore fences;
    private final AtomicReferenceArray<ShardRow> rows = new AtomicReferenceArray<>(MeshAddress.SHARDS);
    private final List<Listener> memberListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<ShardRow>> rowListeners = new CopyOnWriteArrayList<>();
    private volatile NodeInfo self;

    private SingleNode(NodeInfo self, FenceStore fences) {
        this.self = self;
        this.fences = fences;
        for (int shard = 0; shard < rows.length(); shard++) {
            rows.set(shard, ShardRow.unowned(shard));
        }
    }

    /**
     * Takes every shard.
     *
     * @param firstEpoch the epoch to begin at, unless the store holds a higher fence
     * @return fails when the store cannot be asked
     */
    public static Future<SingleNode> start(NodeInfo self, FenceStore fences, long firstEpoch) {
        SingleNode node = new SingleNode(self, fences);
        return fences.highestFence().compose(highest -> node.takeAll(Math.max(firstEpoch, highest + 1)));
    }

    private Future<SingleNode> takeAll(long epoch) {
        List<ShardFence> wanted = new ArrayList<>();
        for (int shard = 0; shard < rows.length(); shard++) {
            wanted.add(fence(shard, epoch));
        }
        return fences.take(wanted).compose(refused -> {
            if (!refused.isEmpty()) {
                return Future.failedFuture(new IllegalStateException(
                        "another process took " + refused.size() + " shards of this store meanwhile"));
            }
            for (int shard = 0; shard < rows.length(); shard++) {
                rows.set(shard, owned(shard, epoch));
            }
            self = self.in(NodeInfo.State.UP);
            return Future.succeededFuture(this);
        });
    }

    private ShardFence fence(int shard, long epoch) {
        return new ShardFence(self.role(), shard, epoch, self.incarnation());
    }

    private ShardRow owned(int shard, long epoch) {
        return new ShardRow(shard, self.incarnation(), epoch, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null);
    }

    @Override
    public NodeInfo self() {
        return self;
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return List.of(self);
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return incarnation.equals(self.incarnation()) ? Optional.of(self) : Optional.empty();
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        self = self.in(state);
        memberListeners.forEach(listener -> listener.changed(Change.STATE, self));
        return Future.succeededFuture();
    }

    @Override
    public void onChange(Listener listener) {
        memberListeners.add(listener);
    }

    @Override
    public ShardRow row(int shard) {
        return rows.get(shard);
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        return Future.succeededFuture(row(shard));
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        return Future.succeededFuture(row(shard));
    }

    @Override
    public boolean serves(int shard, long epoch) {
        // It gives nothing away, so all it serves ends at once when it leaves.
        return self.state() != NodeInfo.State.LEAVING && row(shard).epoch() == epoch;
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        return Future.succeededFuture(row(shard));
    }

    @Override
    public Future<ShardRow> reclaim(int shard) {
        long epoch = row(shard).epoch() + 1;
        return fences.take(List.of(fence(shard, epoch))).compose(refused -> {
            if (!refused.isEmpty()) {
                return Future.failedFuture(refusal(shard, refused));
            }
            ShardRow row = owned(shard, epoch);
            rows.set(shard, row);
            rowListeners.forEach(listener -> listener.accept(row));
            return Future.succeededFuture(row);
        });
    }

    private Unavailable refusal(int shard, Map<Integer, Long> refused) {
        return new Unavailable(
                "Shard " + shard + " cannot be taken anew: the store holds epoch " + refused.get(shard)
                        + " of another owner",
                FailureDetail.NONE.on(self.name()),
                false);
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        rowListeners.add(listener);
    }
}
