package io.meshhub.cluster;

import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer.Cancellable;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the shards whose rows name this node: writes their fences, many in one go, and only then lets them be served.
 *
 * <p>Under a lease, one that was claimed from a lost node is served only once a quorum has acknowledged this node after
 * that. A node that is being cut off may still hold its lease and the first copy of a row, and claim there what the others
 * claim on their side.
 *
 * <p>All but {@link #serves} and {@link #whenServed} is called on the control thread.
 */
final class ShardTaker {

    private static final Logger LOG = LoggerFactory.getLogger(ShardTaker.class);

    private static final Duration RETRY_PACE = Duration.ofMillis(500);

    /** Takes an own shard anew, above the epoch that the store was found to hold. */
    @FunctionalInterface
    interface Reclaim {
        void above(ShardRow row, long fence);
    }

    private record Claimed(ShardRow row, long since) {}

    private record Waiter(Promise<ShardRow> promise, Cancellable timer) {}

    private final String role;
    private final String incarnation;
    private final RowMerge rows;
    private final FenceStore fences;
    private final Duration bound;
    private final Control control;
    private final LeaseKeeper keeper;
    private final MeshClock clock;
    private final Reclaim reclaim;
    private final AtomicLongArray served;
    // The epochs under which shards are being given away: they are not served again before they have another one.
    private final AtomicLongArray withdrawn;
    private final Map<Integer, ShardRow> wanted = new TreeMap<>();
    private final Map<Integer, Claimed> claimed = new TreeMap<>();
    private final Map<Integer, Waiter> waiters = new HashMap<>();
    private boolean busy;
    private int generation;

    ShardTaker(
            String role,
            String incarnation,
            RowMerge rows,
            FenceStore fences,
            Duration bound,
            Control control,
            LeaseKeeper keeper,
            MeshClock clock,
            Reclaim reclaim) {
        this.role = role;
        this.incarnation = incarnation;
        this.rows = rows;
        this.fences = fences;
        this.bound = bound;
        this.control = control;
        this.keeper = keeper;
        this.clock = clock;
        this.reclaim = reclaim;
        this.served = new AtomicLongArray(rows.size());
        this.withdrawn = new AtomicLongArray(rows.size());
    }

    /** Whether the shard is served under that epoch; any thread. */
    boolean serves(int shard, long epoch) {
        ShardRow row = rows.row(shard);
        return row.epoch() == epoch && isServed(row);
    }

    private boolean isOwn(ShardRow row) {
        return row.isOwnedBy(incarnation) && row.state() == ShardRow.State.OWNED;
    }

    private boolean isServed(ShardRow row) {
        return isOwn(row) && served.get(row.shard()) == row.epoch() && !isWithdrawn(row);
    }

    private boolean isWithdrawn(ShardRow row) {
        return withdrawn.get(row.shard()) == row.epoch();
    }

    /** Serves the shards no more under the epochs that they have: they are about to be given away. */
    void withdraw(Collection<Integer> shards) {
        for (int shard : shards) {
            ShardRow row = rows.row(shard);
            withdrawn.set(shard, row.epoch());
            refuseWaiter(row);
        }
    }

    /** Serves nothing any more, until it is taken anew. */
    void cease() {
        generation++;
        wanted.clear();
        claimed.clear();
        for (int shard = 0; shard < served.length(); shard++) {
            served.set(shard, 0);
        }
    }

    /** Takes all that is this node's anew: its rows and fences are read before anything of it is served. */
    void retake() {
        rows.all().forEach(this::on);
    }

    /** Takes note of a row that replaced an earlier one. */
    void on(ShardRow row) {
        if (isOwn(row)) {
            wanted.put(row.shard(), row);
            if (!busy) {
                busy = true;
                // Rows that are told together are taken together.
                control.execute(this::take);
            }
            return;
        }
        wanted.remove(row.shard());
        refuseWaiter(row);
    }

    private void refuseWaiter(ShardRow row) {
        Waiter waiter = waiters.remove(row.shard());
        if (waiter != null) {
            waiter.timer().cancel();
            waiter.promise().tryFail(notOwn(row));
        }
    }

    private void take() {
        List<ShardRow> batch = List.copyOf(wanted.values());
        if (batch.isEmpty()) {
            busy = false;
            return;
        }
        wanted.clear();
        int begunIn = generation;
        List<ShardFence> fenced = batch.stream()
                .map(row -> new ShardFence(role, row.shard(), row.epoch(), incarnation))
                .toList();
        // A store that throws instead of failing must not keep the next batch from being taken.
        Future<Map<Integer, Long>> written = Future.succeededFuture().compose(begun -> fences.take(fenced));
        control.bounded(written, bound, "Writing the fences of " + batch.size() + " shards")
                .onComplete(done -> {
                    if (done.succeeded()) {
                        // What was begun before a lapse says nothing about now.
                        if (begunIn == generation) {
                            taken(batch, done.result());
                        }
                        take();
                    } else {
                        LOG.warn(
                                "The fences of {} shards of role {} could not be written; they are not served before the"
                                        + " store takes them, next try in {} ms",
                                batch.size(),
                                role,
                                RETRY_PACE.toMillis(),
                                done.cause());
                        batch.stream().filter(this::stands).forEach(row -> wanted.putIfAbsent(row.shard(), row));
                        control.after(RETRY_PACE, this::take);
                    }
                });
    }

    private boolean stands(ShardRow row) {
        return rows.row(row.shard()).equals(row);
    }

    private void taken(List<ShardRow> batch, Map<Integer, Long> refused) {
        for (ShardRow row : batch) {
            if (!stands(row)) {
                continue;
            }
            Long fence = refused.get(row.shard());
            if (fence == null) {
                if (row.via() == ShardRow.Via.CLAIM && keeper.isLeased()) {
                    claimed.put(row.shard(), new Claimed(row, clock.nanoTime()));
                } else {
                    serve(row);
                }
            } else {
                LOG.warn(
                        "Shard {}/{} is not served under epoch {}: the store holds epoch {} of another owner; it is"
                                + " claimed anew above that",
                        role,
                        row.shard(),
                        row.epoch(),
                        fence);
                reclaim.above(row, fence);
            }
        }
        if (!claimed.isEmpty()) {
            keeper.askSoon();
        }
    }

    /** A quorum has acknowledged this node since then, so that nobody took what it had claimed by then. */
    void acknowledged(long since) {
        claimed.values().removeIf(claim -> {
            boolean due = since - claim.since() >= 0;
            if (due && stands(claim.row())) {
                serve(claim.row());
            }
            return due;
        });
    }

    private void serve(ShardRow row) {
        served.set(row.shard(), row.epoch());
        Waiter waiter = waiters.remove(row.shard());
        if (waiter != null) {
            waiter.timer().cancel();
            waiter.promise().tryComplete(row);
        }
    }

    /** Completes when the shard is served here, or has turned out not to be; any thread. */
    Future<ShardRow> whenServed(int shard) {
        ShardRow row = rows.row(shard);
        if (isServed(row)) {
            return Future.succeededFuture(row);
        }
        if (!isOwn(row) || isWithdrawn(row)) {
            return Future.failedFuture(notOwn(row));
        }
        Promise<ShardRow> promise = Promise.promise();
        control.execute(() -> waitFor(shard).onComplete(promise));
        return promise.future();
    }

    private Future<ShardRow> waitFor(int shard) {
        ShardRow row = rows.row(shard);
        if (isServed(row)) {
            return Future.succeededFuture(row);
        }
        if (!isOwn(row) || isWithdrawn(row)) {
            return Future.failedFuture(notOwn(row));
        }
        return waiters.computeIfAbsent(
                        shard,
                        key -> new Waiter(Promise.promise(), control.after(bound, () -> {
                            Waiter late = waiters.remove(shard);
                            if (late != null) {
                                late.promise()
                                        .tryFail(control.unavailable("Shard " + role + "/" + shard
                                                + " was not taken within " + bound.toMillis() + " ms"));
                            }
                        })))
                .promise()
                .future();
    }

    private Throwable notOwn(ShardRow row) {
        return control.unavailable("Shard " + role + "/" + row.shard() + " is not served here (owner=" + row.owner()
                + ", epoch=" + row.epoch() + ", state=" + row.state() + (isWithdrawn(row) ? ", given away" : "") + ")");
    }
}
