package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One node's view of the rows, which a test sets; what the cluster says when asked is another such view. */
final class FakeShards implements ShardTable {

    final AtomicInteger refreshes = new AtomicInteger();
    final AtomicInteger claims = new AtomicInteger();

    private final AtomicReferenceArray<ShardRow> rows = new AtomicReferenceArray<>(MeshAddress.SHARDS);
    private final AtomicReferenceArray<@Nullable Promise<ShardRow>> takeovers =
            new AtomicReferenceArray<>(MeshAddress.SHARDS);
    private final Set<Integer> unserved = ConcurrentHashMap.newKeySet();
    private final List<Consumer<ShardRow>> listeners = new CopyOnWriteArrayList<>();
    private volatile IntFunction<Future<ShardRow>> cluster = shard -> Future.succeededFuture(row(shard));
    private volatile IntFunction<Future<ShardRow>> claimer = shard ->
            Future.failedFuture(new Unavailable("nobody can own shard " + shard + " now", FailureDetail.NONE, false));

    FakeShards() {
        for (int shard = 0; shard < rows.length(); shard++) {
            rows.set(shard, ShardRow.unowned(shard));
        }
    }

    static ShardRow owned(int shard, String owner, long epoch, ShardRow.Via via) {
        return new ShardRow(shard, owner, epoch, via, ShardRow.State.OWNED, null);
    }

    void set(ShardRow row) {
        rows.set(row.shard(), row);
        listeners.forEach(listener -> listener.accept(row));
    }

    void setAll(String owner, long epoch) {
        for (int shard = 0; shard < rows.length(); shard++) {
            rows.set(shard, owned(shard, owner, epoch, ShardRow.Via.CLAIM));
        }
    }

    /** What a read of the cluster says; a row that it yields replaces an older one here. */
    void cluster(IntFunction<Future<ShardRow>> newCluster) {
        cluster = newCluster;
    }

    void claimer(IntFunction<Future<ShardRow>> newClaimer) {
        claimer = newClaimer;
    }

    /** The shard is owned and not yet served, until {@link #taken}. */
    void taking(int shard) {
        takeovers.set(shard, Promise.promise());
        unserved.add(shard);
    }

    void taken(int shard) {
        unserved.remove(shard);
        takeovers.get(shard).complete(row(shard));
    }

    /** The takeover is over, and still the shard is not served. */
    void endTakeover(int shard) {
        takeovers.get(shard).complete(row(shard));
    }

    void notTaken(int shard, Throwable cause) {
        takeovers.get(shard).fail(cause);
    }

    @Override
    public ShardRow row(int shard) {
        return rows.get(shard);
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        refreshes.incrementAndGet();
        return cluster.apply(shard).map(read -> {
            if (read.supersedes(row(shard))) {
                set(read);
            }
            return row(shard);
        });
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        claims.incrementAndGet();
        return claimer.apply(shard);
    }

    @Override
    public boolean serves(int shard, long epoch) {
        return !unserved.contains(shard) && row(shard).epoch() == epoch;
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        Promise<ShardRow> takeover = takeovers.get(shard);
        return takeover == null ? Future.succeededFuture(row(shard)) : takeover.future();
    }

    @Override
    public Future<ShardRow> reclaim(int shard) {
        return Future.succeededFuture(row(shard));
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        listeners.add(listener);
    }
}
