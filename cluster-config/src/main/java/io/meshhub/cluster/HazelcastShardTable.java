package io.meshhub.cluster;

import com.hazelcast.core.HazelcastInstance;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer.Cancellable;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of one role, kept in a Hazelcast map of one row per shard; the rows in memory follow its events and a
 * re-read at a pace.
 *
 * <p>On a node of the role it also claims, takes, moves and gives away; on others it only shows. Nothing here blocks, and
 * all is done on the {@link ControlThread}; listeners are called there.
 */
public final class HazelcastShardTable implements ShardTable {

    private static final Logger LOG = LoggerFactory.getLogger(HazelcastShardTable.class);

    /** Epochs count seconds from here, so that those of a new cluster are above those of one whose rows are gone. */
    static final Instant EPOCH_ORIGIN = Instant.parse("2025-01-01T00:00:00Z");

    private final String role;
    private final HazelcastMembership membership;
    private final ControlThread control;
    private final ClusterOptions options;
    private final MeshClock clock;
    private final RowMerge rows = new RowMerge(MeshAddress.SHARDS);
    private final ShardMap map;
    private final ShardTaker taker;
    private final ShardReconciler reconciler;
    private final List<Consumer<ShardRow>> listeners = new CopyOnWriteArrayList<>();
    private final Map<Integer, Future<ShardRow>> claims = new HashMap<>();
    private final long floor;
    private volatile boolean leaving;
    private boolean reading;
    private boolean readAgain;
    private @Nullable UUID events;

    private HazelcastShardTable(
            HazelcastInstance hazelcast,
            String role,
            HazelcastMembership membership,
            FenceStore fences,
            MeshClock clock,
            ClusterOptions options,
            ControlThread control,
            long floor) {
        this.role = role;
        this.membership = membership;
        this.control = control;
        this.options = options;
        this.clock = clock;
        this.floor = floor;
        this.map = new ShardMap(hazelcast, role, options.operationTimeout(), control);
        String self = membership.self().incarnation();
        this.taker = new ShardTaker(role, self, rows, fences, options.operationTimeout(), control, this::reclaimAbove);
        this.reconciler = new ShardReconciler(
                rows, map, membership, this::nodesOfRole, control, options, clock, floor, this::offer);
    }

    /**
     * Reads all rows of the role and follows them from then on.
     *
     * @param fences where a node of the role writes the fences of the shards that it takes
     * @return fails when neither the store nor the cluster could be asked, and when the store holds a fence above all
     *     epochs that there are
     */
    public static Future<HazelcastShardTable> start(
            HazelcastInstance hazelcast,
            String role,
            HazelcastMembership membership,
            FenceStore fences,
            MeshClock clock,
            ClusterOptions options,
            ControlThread control) {
        return control.bounded(fences.highestFence(), options.operationTimeout(), "Reading the highest fence")
                .compose(highest -> {
                    long floor = firstEpoch(clock.now(), highest);
                    if (floor > ActivationId.MAX_EPOCH) {
                        return Future.failedFuture(new IllegalStateException("The store holds a fence of epoch "
                                + highest + ", the highest that there can be is " + ActivationId.MAX_EPOCH
                                + "; no shard can be taken"));
                    }
                    return control.blocking(() -> new HazelcastShardTable(
                                    hazelcast, role, membership, fences, clock, options, control, floor)
                            .listening());
                })
                .compose(table -> table.read().map(table))
                .onSuccess(HazelcastShardTable::begin);
    }

    /** The epoch at which a node begins: by the clock, but above every fence, since clocks are set back. */
    static long firstEpoch(Instant now, long highestFence) {
        return Math.max(Duration.between(EPOCH_ORIGIN, now).toSeconds(), highestFence + 1);
    }

    private HazelcastShardTable listening() {
        events = map.listen(this::offer);
        return this;
    }

    private void begin() {
        membership.onChange((change, node) -> {
            if (node.role().equals(role)) {
                reconciler.nodesChanged();
                reread();
            }
        });
        reconciler.nodesChanged();
        rereadLater();
    }

    /** Stops following events, as if they were lost; blocks. For tests. */
    void loseEvents() {
        if (events != null) {
            map.unlisten(events);
        }
    }

    private List<NodeInfo> nodesOfRole() {
        return membership.nodes().stream()
                .filter(node -> node.role().equals(role))
                .toList();
    }

    /** Who ends the activations of shards that are given away or lost; none before this is called. */
    public void activator(Activator activator) {
        control.execute(() -> reconciler.activator(activator));
    }

    // ---- rows

    private void offer(ShardRow row) {
        rows.offer(row).ifPresent(before -> {
            if (membership.self().role().equals(role)) {
                taker.on(row);
                reconciler.on(before, row);
            }
            listeners.forEach(listener -> listener.accept(row));
        });
    }

    private void rereadLater() {
        control.after(options.rowReread(), () -> {
            reread();
            rereadLater();
        });
    }

    private void reread() {
        if (reading) {
            readAgain = true;
            return;
        }
        reading = true;
        read().onComplete(done -> {
            reading = false;
            if (done.failed()) {
                LOG.warn(
                        "The rows of role {} could not be read; what is known stands: {}",
                        role,
                        done.cause().toString());
            }
            reconciler.poke();
            forgetDropped();
            if (readAgain) {
                readAgain = false;
                reread();
            }
        });
    }

    private Future<Void> read() {
        List<ShardRow> remembered = rows.all();
        return map.readAll().map(stored -> {
            stored.forEach(row -> merge(remembered.get(row.shard()), row));
            return null;
        });
    }

    // What was learnt while the read was under way says nothing about what the cluster held when it began.
    private void merge(ShardRow remembered, ShardRow stored) {
        if (RowMerge.isLost(remembered, stored, membership::isDropped)) {
            LOG.warn(
                    "The cluster lost the row of shard {}/{} (epoch {}); it is restored, its owner lives",
                    role,
                    stored.shard(),
                    remembered.epoch());
            map.change(stored.shard(), new RowChange.Restore(remembered))
                    .onSuccess(this::offer)
                    .onFailure(e -> LOG.warn("It could not be restored; the next read tries again: {}", e.toString()));
            return;
        }
        offer(stored);
    }

    /** The oldest node of the role removes the rows of lost nodes that own nothing any more. */
    private void forgetDropped() {
        boolean oldest = nodesOfRole().stream()
                .filter(NodeInfo::isCandidate)
                .findFirst()
                .filter(node -> node.incarnation().equals(membership.self().incarnation()))
                .isPresent();
        if (oldest && membership.holdsDropped()) {
            Set<String> owners = new HashSet<>();
            for (ShardRow row : rows.all()) {
                if (row.owner() != null) {
                    owners.add(row.owner());
                }
            }
            membership.forget(role, owners);
        }
    }

    // ---- ShardTable

    @Override
    public ShardRow row(int shard) {
        return rows.row(shard);
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        ShardRow remembered = rows.row(shard);
        return map.read(shard).map(stored -> {
            merge(remembered, stored);
            return rows.row(shard);
        });
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        Promise<ShardRow> promise = Promise.promise();
        control.execute(() -> {
            Future<ShardRow> flight = claims.get(shard);
            if (flight == null) {
                long until = clock.nanoTime() + options.operationTimeout().toNanos();
                flight = reconciler.claimFor(shard, until);
                if (!flight.isComplete()) {
                    claims.put(shard, flight);
                    flight.onComplete(done -> claims.remove(shard));
                }
            }
            flight.onComplete(promise);
        });
        return promise.future();
    }

    @Override
    public boolean serves(int shard, long epoch) {
        return !leaving && taker.serves(shard, epoch);
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        if (leaving) {
            return Future.failedFuture(control.unavailable("Shard " + role + "/" + shard + " is given away"));
        }
        return taker.whenServed(shard);
    }

    @Override
    public Future<ShardRow> reclaim(int shard) {
        ShardRow row = rows.row(shard);
        if (leaving || !row.isOwnedBy(membership.self().incarnation())) {
            return Future.failedFuture(control.unavailable(
                    "Shard " + role + "/" + shard + " cannot be taken anew: its owner is " + row.owner()));
        }
        return reclaim(row, row.epoch() + 1).compose(taken -> whenServed(shard));
    }

    private Future<ShardRow> reclaim(ShardRow row, long least) {
        String self = membership.self().incarnation();
        return map.change(row.shard(), new RowChange.Reclaim(self, row.epoch(), Math.max(least, floor)))
                .map(standing -> {
                    offer(standing);
                    return rows.row(row.shard());
                });
    }

    private void reclaimAbove(ShardRow row, long fence) {
        reclaim(row, fence + 1).onFailure(e -> {
            LOG.warn("Shard {}/{} could not be claimed anew; it is tried again: {}", role, row.shard(), e.toString());
            control.after(ShardReconciler.RETRY_PACE, () -> {
                if (rows.row(row.shard()).equals(row)) {
                    reclaimAbove(row, fence);
                }
            });
        });
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        listeners.add(listener);
    }

    // ---- leaving

    /**
     * Leaves: the others are told, nothing is served any more, all activations end, and every shard goes to a node that
     * stays.
     *
     * @param bound how long all that may take
     * @return the shards that are still this node's: empty when all were given away, or when the bound was reached the
     *     rest; all of them when there is nobody to give them to, as soon as their activations are dead. Never fails
     */
    public Future<Set<Integer>> leave(Duration bound) {
        leaving = true;
        Promise<Set<Integer>> left = Promise.promise();
        Cancellable timer = control.after(bound, () -> left.tryComplete(reconciler.own()));
        membership.announce(NodeInfo.State.LEAVING).onComplete(told -> {
            if (told.failed()) {
                LOG.warn(
                        "The others could not be told that this node leaves: {}",
                        told.cause().toString());
            }
            reconciler.whenEmpty(left);
        });
        return left.future().onComplete(done -> {
            timer.cancel();
            LOG.info(
                    "Left role {}: {} shards are still this node's",
                    role,
                    done.result().size());
        });
    }
}
