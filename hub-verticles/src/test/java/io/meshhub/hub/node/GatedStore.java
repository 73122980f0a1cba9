package io.meshhub.hub.node;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store that a test breaks, or lets answer late. */
final class GatedStore implements NodeStore {

    final List<NodeWrite> writes = new CopyOnWriteArrayList<>();
    volatile boolean readsFail;
    volatile boolean writesFail;
    /** Writes are done at once and acknowledged when this completes. */
    volatile Promise<Void> gate;

    private final NodeStore store;

    GatedStore(NodeStore store) {
        this.store = store;
    }

    @Override
    public String storeId() {
        return store.storeId();
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return readsFail ? Future.failedFuture(new StoreException("disk on fire", null)) : store.read(address);
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        writes.add(write);
        if (writesFail) {
            return Future.failedFuture(new StoreException("disk on fire", null));
        }
        Promise<Void> wait = gate;
        Future<NodeRecord> written = store.write(write);
        return wait == null ? written : wait.future().compose(open -> written);
    }

    @Override
    public Future<List<NodeRecord>> list(NodeListing listing) {
        return store.list(listing);
    }

    @Override
    public Future<List<String>> partitions(String after, int limit) {
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

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        return store.take(fences);
    }

    @Override
    public Future<Long> highestFence() {
        return store.highestFence();
    }
}
