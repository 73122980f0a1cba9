package io.meshhub.it.chaos;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store that does not look at fences, or now and then acknowledges what it has not written. */
final class BrokenStore implements NodeStore {

    private static final int EVERY = 8;

    private final NodeStore store;
    private final boolean unfenced;
    private final boolean forgetful;
    private final AtomicLong writes = new AtomicLong();

    BrokenStore(NodeStore store, boolean unfenced, boolean forgetful) {
        this.store = store;
        this.unfenced = unfenced;
        this.forgetful = forgetful;
    }

    @Override
    public String storeId() {
        return store.storeId();
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return store.read(address);
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        var content = write.content();
        if (forgetful && content != null && writes.incrementAndGet() % EVERY == 0) {
            return Future.succeededFuture(
                    new NodeRecord(write.address(), write.nodeType(), write.name(), content, 1, false, Instant.EPOCH));
        }
        return store.write(unfenced ? unfenced(write) : write);
    }

    private static NodeWrite unfenced(NodeWrite write) {
        ShardFence fence = write.fence();
        return new NodeWrite(
                write.address(),
                write.nodeType(),
                write.name(),
                write.content(),
                write.expectedVersion(),
                write.activation(),
                new ShardFence(fence.role(), fence.shard(), ActivationId.MAX_EPOCH, "everybody"));
    }

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        return unfenced ? Future.succeededFuture(Map.of()) : store.take(fences);
    }

    @Override
    public Future<Long> highestFence() {
        return unfenced ? Future.succeededFuture(0L) : store.highestFence();
    }

    @Override
    public Future<List<NodeRecord>> list(NodeListing listing) {
        return store.list(listing);
    }

    @Override
    public Future<List<String>> partitions(@Nullable String after, int limit) {
        return store.partitions(after, limit);
    }

    @Override
    public Future<Long> count() {
        return store.count();
    }

    @Override
    public ChangeFeed changes() {
        return store.changes();
    }

    @Override
    public Future<Void> close() {
        return store.close();
    }
}
