package io.meshhub.hub.store;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that hands everything on to another one; a test overrides what it wants to be different. */
public abstract class ForwardingNodeStore implements NodeStore {

    private final NodeStore store;

    protected ForwardingNodeStore(NodeStore store) {
        this.store = store;
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
        return store.write(write);
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

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        return store.take(fences);
    }

    @Override
    public Future<Long> highestFence() {
        return store.highestFence();
    }
}
