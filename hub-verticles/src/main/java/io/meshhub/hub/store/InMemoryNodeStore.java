package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.Scored;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.CodePointOrder;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that lasts as long as its process: for tests, and for nodes that keep nothing. Its size is bounded by the heap
 * only. Every future that it returns is complete, but for that of a query that was asked on an event loop, which a worker
 * answers.
 */
public final class InMemoryNodeStore implements NodeStore, QueryableStore {

    private final String storeId = UUID.randomUUID().toString();
    private final NavigableMap<String, NodeRow> rows = new TreeMap<>(CodePointOrder.INSTANCE);
    private final Map<StoredFence.Key, StoredFence> fences = new HashMap<>();
    private final LocalChangeFeed feed = new LocalChangeFeed();
    private final MeshClock clock;
    private long live;
    private boolean closed;

    /** An empty store. */
    public InMemoryNodeStore() {
        this(MeshClock.system());
    }

    InMemoryNodeStore(MeshClock clock) {
        this.clock = clock;
    }

    @Override
    public String storeId() {
        return storeId;
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return answer(() -> Optional.ofNullable(rows.get(address.toString())).map(NodeRow::toRecord));
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        return answer(() -> apply(EncodedWrite.of(write)));
    }

    private NodeRecord apply(EncodedWrite encoded) {
        ShardFence fence = encoded.write().fence();
        StoredFence.Key key = StoredFence.Key.of(fence);
        String path = encoded.write().address().toString();
        WriteRules.Decision decision = WriteRules.decide(encoded, rows.get(path), fences.get(key), clock.now());
        if (decision instanceof WriteRules.Refused refused) {
            throw refused.reason();
        }
        fences.put(key, StoredFence.of(fence));
        if (decision instanceof WriteRules.Written written) {
            rows.put(path, written.row());
            live += switch (written.kind()) {
                case CREATED -> 1;
                case UPDATED -> 0;
                case DELETED -> -1;
            };
            feed.announce(written.kind(), written.row().address(), written.row().version());
            return written.record();
        }
        return ((WriteRules.Unchanged) decision).record();
    }

    @Override
    public Future<List<NodeRecord>> list(NodeListing listing) {
        return answer(() -> {
            List<NodeRecord> page = new ArrayList<>();
            Collection<NodeRow> candidates = listing.after() == null
                    ? rows.values()
                    : rows.tailMap(listing.after().toString(), false).values();
            for (NodeRow row : candidates) {
                if (page.size() == listing.limit()) {
                    break;
                }
                if (!row.deleted() && isWithin(row.address(), listing.path(), listing.scope())) {
                    page.add(row.toRecord());
                }
            }
            return page;
        });
    }

    @Override
    public Future<StoreAnswer> query(Query query, int most, Runnable begun) {
        return query(query, most, begun, () -> false);
    }

    @Override
    public Future<StoreAnswer> query(Query query, int most, Runnable begun, BooleanSupplier isOver) {
        QueryableStore.checkMost(most);
        long offered = clock.nanoTime();
        Future<List<NodeRow>> snapshot = answer(() -> List.copyOf(rows.values()));
        Callable<StoreAnswer> scan = () -> scan(snapshot.result(), query, most, begun, isOver, offered);
        Context caller = Vertx.currentContext();
        if (snapshot.succeeded() && caller != null && caller.isEventLoopContext()) {
            return caller.owner().executeBlocking(scan, false);
        }
        return snapshot.compose(rows -> Future.future(promise -> {
            try {
                promise.complete(scan.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        }));
    }

    // Without the lock: a long question keeps nobody from reading and writing.
    private StoreAnswer scan(
            List<NodeRow> all, Query query, int most, Runnable begun, BooleanSupplier isOver, long offered) {
        long started = clock.nanoTime();
        begun.run();
        boolean byPath = query.sort().isEmpty() && !query.isScored();
        Harvest harvest = new Harvest(query, query.skip(), most, byPath);
        for (NodeRow row : all) {
            if (isOver.getAsBoolean()) {
                throw new StoreException("Store in memory gave a query up: nobody waits for the answer any more", null);
            }
            if (row.deleted() || !query.covers(row.address())) {
                continue;
            }
            Scored found = query.evaluate(row.toQueryNode());
            if (found != null && !harvest.offer(found)) {
                break;
            }
        }
        return new StoreAnswer(
                harvest.nodes(),
                harvest.isCut(),
                Duration.ofNanos(started - offered),
                Duration.ofNanos(clock.nanoTime() - started));
    }

    private static boolean isWithin(MeshAddress address, @Nullable MeshAddress path, NodeListing.Scope scope) {
        return switch (scope) {
            case SELF -> path != null && path.equals(address);
            case CHILDREN -> address.parent().equals(Optional.ofNullable(path));
            case DESCENDANTS -> path == null || address.isBelow(path);
            case ANCESTORS -> path != null && path.isBelow(address);
            case SUBTREE -> path == null || address.equals(path) || address.isBelow(path);
        };
    }

    @Override
    public Future<List<String>> partitions(@Nullable String after, int limit) {
        return answer(() -> rows.values().stream()
                .filter(row -> !row.deleted())
                .map(row -> row.address().partition())
                .distinct()
                .filter(name -> after == null || CodePointOrder.INSTANCE.compare(name, after) > 0)
                .sorted(CodePointOrder.INSTANCE)
                .limit(limit)
                .toList());
    }

    @Override
    public Future<Long> count() {
        return answer(() -> live);
    }

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> wanted) {
        return answer(() -> {
            Map<Integer, Long> refused = new HashMap<>();
            for (ShardFence fence : wanted) {
                StoredFence.Key key = StoredFence.Key.of(fence);
                StoredFence held = fences.get(key);
                if (held == null || StoredFence.passes(fence, held)) {
                    fences.put(key, StoredFence.of(fence));
                } else {
                    refused.put(fence.shard(), held.epoch());
                }
            }
            return refused;
        });
    }

    @Override
    public Future<Long> highestFence() {
        return answer(() ->
                fences.values().stream().mapToLong(StoredFence::epoch).max().orElse(0));
    }

    @Override
    public ChangeFeed changes() {
        return feed;
    }

    @Override
    public synchronized Future<Void> close() {
        closed = true;
        return Future.succeededFuture();
    }

    // Listeners hear of a change under this lock: that keeps them in the order of the writes.
    private synchronized <T> Future<T> answer(Supplier<T> action) {
        if (closed) {
            return Future.failedFuture(new StoreException("Store in memory is closed", null));
        }
        try {
            return Future.succeededFuture(action.get());
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }
}
