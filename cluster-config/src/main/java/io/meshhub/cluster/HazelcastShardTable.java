package io.meshhub.cluster;

import com.hazelcast.core.HazelcastInstance;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer.Cancellable;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
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
    private final ClusterMembership membership;
    private final Control control;
    private final ClusterOptions options;
    private final MeshClock clock;
    private final RowMerge rows;
    private final ShardMap map;
    private final LeaseKeeper keeper;
    private final ShardTaker taker;
    private final ShardReconciler reconciler;
    private final RowReader reader;
    private final List<Consumer<ShardRow>> listeners = new CopyOnWriteArrayList<>();
    private final long floor;
    private volatile boolean leaving;
    private volatile boolean left;
    private Runnable unlisten = () -> {};
    private @Nullable Consumer<String> onExpelled;
    private @Nullable String expelledFor;
    private volatile boolean closed;

    /**
     * What a table needs of its surroundings.
     *
     * @param role whose shards they are
     * @param map where the cluster keeps the rows
     * @param membership who is in the mesh
     * @param fences where a node of the role writes the fences of the shards that it takes
     * @param peers how other nodes are asked
     * @param control where all of it is done
     * @param clock the time
     * @param options the bounds
     * @param shards how many shards the role has
     * @param votesFrom when this node, if it is a voter, begins to acknowledge others
     */
    record Parts(
            String role,
            ShardMap map,
            ClusterMembership membership,
            FenceStore fences,
            PeerBeats peers,
            Control control,
            MeshClock clock,
            ClusterOptions options,
            int shards,
            long votesFrom) {}

    /** A table whose first epoch is at least the floor; {@link #open} begins. */
    HazelcastShardTable(Parts parts, long floor) {
        this.role = parts.role();
        this.membership = parts.membership();
        this.control = parts.control();
        this.options = parts.options();
        this.clock = parts.clock();
        this.floor = floor;
        this.rows = new RowMerge(parts.shards());
        this.map = parts.map();
        this.keeper = new LeaseKeeper(
                options.quorum(),
                membership,
                control,
                clock,
                parts.peers(),
                new Host(),
                options.heartbeatLimit(),
                parts.votesFrom());
        String self = membership.self().incarnation();
        this.taker = new ShardTaker(
                role,
                self,
                rows,
                parts.fences(),
                options.operationTimeout(),
                control,
                keeper,
                clock,
                this::reclaimAbove);
        this.reconciler = new ShardReconciler(
                rows,
                map,
                membership,
                this::nodesOfRole,
                control,
                options,
                clock,
                keeper,
                parts.peers(),
                floor,
                this::offer,
                taker::withdraw);
        this.reader = new RowReader(role, rows, map, membership, this::offer, this::wasRead);
    }

    private void wasRead() {
        reconciler.poke();
        forgetDropped();
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
            PeerBeats beats,
            ControlThread control) {
        return control.bounded(fences.highestFence(), options.operationTimeout(), "Reading the highest fence")
                .compose(highest -> {
                    long floor = firstEpoch(clock.now(), highest);
                    if (floor > ActivationId.MAX_EPOCH) {
                        return Future.failedFuture(new IllegalStateException("The store holds a fence of epoch "
                                + highest + ", the highest that there can be is " + ActivationId.MAX_EPOCH
                                + "; no shard can be taken"));
                    }
                    return control.blocking(() -> {
                        HazelcastShardMap map = new HazelcastShardMap(hazelcast, role, options.callTimeout(), control);
                        Parts parts = new Parts(
                                role,
                                map,
                                membership,
                                fences,
                                beats,
                                control,
                                clock,
                                options,
                                MeshAddress.SHARDS,
                                clock.nanoTime() + options.quorum().certainEnd().toNanos());
                        HazelcastShardTable table = new HazelcastShardTable(parts, floor);
                        UUID events = map.listen(table::offer);
                        table.unlisten = () -> map.unlisten(events);
                        return table;
                    });
                })
                .compose(table -> table.open()
                        .map(table)
                        .onFailure(e -> control.blocking(() -> {
                                    table.close();
                                    table.forget();
                                    return true;
                                })
                                .onFailure(left -> LOG.debug("A listener was left behind: {}", left.toString()))));
    }

    /** Reads all rows, and begins to follow and to change them. */
    Future<Void> open() {
        return reader.read().onSuccess(read -> begin());
    }

    /** The epoch at which a node begins: by the clock, but above every fence, since clocks are set back. */
    static long firstEpoch(Instant now, long highestFence) {
        return Math.max(Duration.between(EPOCH_ORIGIN, now).toSeconds(), highestFence + 1);
    }

    private void begin() {
        membership.onChange(this::nodeChanged);
        if (membership.self().state() == NodeInfo.State.EXPELLED) {
            expelled("the others dropped it while it started");
            return;
        }
        reconciler.nodesChanged();
        rereadLater();
        keeper.begin();
    }

    private void nodeChanged(Membership.Change change, NodeInfo node) {
        if (closed) {
            return;
        }
        if (change == Membership.Change.DROPPED
                && node.incarnation().equals(membership.self().incarnation())) {
            expelled("the others have dropped it");
            return;
        }
        if (change == Membership.Change.DROPPED && !node.role().isEmpty()) {
            keeper.lost(node.incarnation());
        }
        if (node.role().equals(role)) {
            reconciler.nodesChanged();
            reader.readSoon();
        }
    }

    // ---- the lease

    /** The right of this node to serve. */
    public Lease lease() {
        return keeper;
    }

    /** How the node of that state stands, which has yet to reach the peers named; any thread. */
    NodeStanding standing(NodeInfo.State state, List<String> unreached) {
        return keeper.standing(state, unreached, ShardPlan.toMove(rows.all(), nodesOfRole()));
    }

    private final class Host implements LeaseKeeper.Host {
        @Override
        public Future<Void> reread() {
            return reader.read();
        }

        @Override
        public void serve() {
            taker.retake();
            reconciler.poke();
        }

        @Override
        public void cease() {
            taker.cease();
        }

        @Override
        public void acknowledged(long sent) {
            taker.acknowledged(sent);
        }

        @Override
        public void expelled(String reason) {
            HazelcastShardTable.this.expelled(reason);
        }

        @Override
        public void round() {
            reconciler.poke();
        }
    }

    /** What this node answers its peers. */
    PeerBeats.Answers answers() {
        return reconciler.answers();
    }

    private void expelled(String reason) {
        if (closed) {
            return;
        }
        LOG.error(
                "Node {} (incarnation {}) is expelled: {}; everything that lives on it ends",
                membership.self().name(),
                membership.self().incarnation(),
                reason);
        close();
        membership
                .announce(NodeInfo.State.EXPELLED)
                .onFailure(e -> LOG.warn("The others could not be told: {}", e.toString()));
        expelledFor = reason;
        Consumer<String> action = onExpelled;
        if (action != null) {
            action.accept(reason);
        }
    }

    /** Says what is done once this node is expelled; on the control thread, once. */
    public void onExpelled(Consumer<String> action) {
        control.execute(() -> {
            onExpelled = action;
            // It may have happened while the table was opened.
            if (expelledFor != null) {
                action.accept(expelledFor);
            }
        });
    }

    /** Follows and changes nothing any more. */
    public void close() {
        if (!closed) {
            closed = true;
            keeper.end();
            taker.cease();
        }
    }

    /** This process comes back after it has ended everything that lived under that incarnation. */
    void succeeds(String former) {
        control.execute(() -> keeper.ended(former));
    }

    /** Follows nothing any more, once another table has taken its place; blocks for a moment. */
    void forget() {
        unlisten.run();
    }

    /** Goes through a hand-over without one, see {@link ShardReconciler#rehearse}. */
    Future<Void> rehearse() {
        return reconciler.rehearse();
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

    void offer(ShardRow row) {
        rows.offer(row).ifPresent(before -> {
            // One that is expelled still sends to others.
            if (!closed && membership.self().role().equals(role)) {
                taker.on(row);
                reconciler.on(before, row);
            }
            listeners.forEach(listener -> listener.accept(row));
        });
    }

    private void rereadLater() {
        control.after(options.rowReread(), () -> {
            if (!closed) {
                reader.readSoon();
                rereadLater();
            }
        });
    }

    /** The oldest node of the role removes the rows of lost nodes that own nothing any more. */
    private void forgetDropped() {
        if (membership.holdsDropped() && ShardPlan.isPlanner(nodesOfRole(), membership.self())) {
            Set<String> owners = new LinkedHashSet<>();
            rows.all().forEach(row -> owners.add(String.valueOf(row.owner())));
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
            reader.merge(remembered, stored);
            return rows.row(shard);
        });
    }

    @Override
    public Future<ShardRow> claim(int shard) {
        if (closed) {
            return Future.failedFuture(control.unavailable(
                    "Shard " + role + "/" + shard + " cannot be claimed: this node is expelled, and comes back soon"));
        }
        Promise<ShardRow> promise = Promise.promise();
        control.execute(() ->
                reconciler.claims().claimOnce(shard, options.operationTimeout()).onComplete(promise));
        return promise.future();
    }

    @Override
    public boolean serves(int shard, long epoch) {
        return !left && !closed && taker.serves(shard, epoch);
    }

    @Override
    public Future<ShardRow> whenServed(int shard) {
        if (left || closed) {
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
        reclaim(row, fence + 1).onComplete(done -> {
            // Refused, or the cluster has just lost the row: nothing is served before one of both is over.
            if (!closed && rows.row(row.shard()).equals(row)) {
                LOG.warn("Shard {}/{} could not be claimed anew; it is tried again", role, row.shard(), done.cause());
                control.after(ShardReconciler.RETRY_PACE, () -> {
                    if (!closed && rows.row(row.shard()).equals(row)) {
                        reclaimAbove(row, fence);
                    }
                });
            }
        });
    }

    @Override
    public void onRow(Consumer<ShardRow> listener) {
        listeners.add(listener);
    }

    // ---- leaving

    /**
     * Leaves: the others are told, and every shard goes to a node that stays, a few at a time. Each is served here until
     * its turn comes; then its activations end.
     *
     * @param bound how long all that may take
     * @return the shards that are still this node's: empty when all were given away, or when the bound was reached the
     *     rest; all of them when there is nobody to give them to, as soon as their activations are dead. Never fails
     */
    public Future<Set<Integer>> leave(Duration bound) {
        leaving = true;
        if (closed) {
            // One that was given up has nothing to give away.
            return Future.succeededFuture(Set.of());
        }
        Promise<Set<Integer>> given = Promise.promise();
        Cancellable timer = control.after(bound, () -> given.tryComplete(reconciler.own()));
        Duration unhurried = bound.minus(options.handOverBound());
        Cancellable hurry = control.after(unhurried.isNegative() ? Duration.ZERO : unhurried, reconciler::hurry);
        membership.announce(NodeInfo.State.LEAVING).onComplete(told -> {
            if (told.failed()) {
                LOG.warn("The others could not be told that this node leaves", told.cause());
            }
            reconciler.whenEmpty(given);
        });
        return given.future().onComplete(done -> {
            left = true;
            timer.cancel();
            hurry.cancel();
            int kept = done.result().size();
            LOG.info("Left role {}: {} shards are still this node's", role, kept);
        });
    }
}
