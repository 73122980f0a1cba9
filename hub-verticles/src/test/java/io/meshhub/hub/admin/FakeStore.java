package io.meshhub.hub.admin;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store that holds what a test put into it. */
final class FakeStore implements NodeStore {

    private final ConcurrentSkipListMap<MeshAddress, NodeRecord> records = new ConcurrentSkipListMap<>();
    volatile boolean broken;

    FakeStore with(String path) {
        return with(path, false);
    }

    FakeStore with(String path, boolean deleted) {
        MeshAddress address = MeshAddress.of(path);
        records.put(
                address, new NodeRecord(address, "thing", address.name(), new JsonObject(), 4, deleted, Instant.EPOCH));
        return this;
    }

    private <T> Future<T> answer(T value) {
        return broken ? Future.failedFuture(new StoreException("disk on fire", null)) : Future.succeededFuture(value);
    }

    @Override
    public String storeId() {
        return "fake";
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return answer(Optional.ofNullable(records.get(address)));
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        return Future.failedFuture(new AssertionError("the edge writes nothing"));
    }

    @Override
    public Future<List<NodeRecord>> list(NodeListing listing) {
        return answer(records.values().stream()
                .filter(record -> !record.deleted() && isInScope(record.address(), listing))
                .filter(record -> listing.after() == null || record.address().compareTo(listing.after()) > 0)
                .limit(listing.limit())
                .toList());
    }

    private static boolean isInScope(MeshAddress address, NodeListing listing) {
        MeshAddress path = listing.path();
        return switch (listing.scope()) {
            case SELF -> address.equals(path);
            case CHILDREN -> address.parent().equals(Optional.ofNullable(path));
            case DESCENDANTS -> path == null || address.isBelow(path);
            case ANCESTORS -> path != null && path.isBelow(address);
            case SUBTREE -> path == null || address.equals(path) || address.isBelow(path);
        };
    }

    @Override
    public Future<List<String>> partitions(String after, int limit) {
        return answer(records.values().stream()
                .filter(record -> !record.deleted())
                .map(record -> record.address().partition())
                .distinct()
                .sorted()
                .filter(name -> after == null || name.compareTo(after) > 0)
                .limit(limit)
                .toList());
    }

    @Override
    public Future<Long> count() {
        return answer((long) records.size());
    }

    @Override
    public ChangeFeed changes() {
        return ChangeFeed.NONE;
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        return answer(Map.of());
    }

    @Override
    public Future<Long> highestFence() {
        return answer(0L);
    }
}
