package io.meshhub.cluster;

import io.meshhub.cluster.ShardPlan.Move;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what {@link ShardPlan} says, again and again, until there is nothing left to do: claims what fell to this node,
 * asks owners to give shards away if this node is the planner, and gives its own away where that is due.
 *
 * <p>All on the control thread.
 */
final class ShardReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(ShardReconciler.class);

    /** How soon something that was refused is tried again: the views of two nodes differ for a few milliseconds. */
    static final Duration RETRY_PACE = Duration.ofMillis(100);

    private final RowMerge rows;
    private final ShardMap map;
    private final HazelcastMembership membership;
    private final Supplier<List<NodeInfo>> nodes;
    private final ControlThread control;
    private final ClusterOptions options;
    private final MeshClock clock;
    private final long floor;
    private final Consumer<ShardRow> offer;
    private final Set<Integer> claiming = new HashSet<>();
    private final Set<Integer> releasing = new HashSet<>();
    private final Set<Integer> lost = new HashSet<>();
    private final Set<Integer> ended = new HashSet<>();
    private final Set<Integer> kept = new HashSet<>();
    private Activator activator = new Idle();
    private @Nullable Promise<Set<Integer>> left;
    private long quietSince;
    private boolean handing;
    private boolean poked;

    /** The activator of a node whose runtime is not there yet: nothing lives. */
    private static final class Idle implements Activator {
        @Override
        public void deliver(Delivery delivery) {
            throw new IllegalStateException("no runtime takes deliveries yet");
        }

        @Override
        public Future<Void> release(Set<Integer> shards, String reason) {
            return Future.succeededFuture();
        }
    }

    ShardReconciler(
            RowMerge rows,
            ShardMap map,
            HazelcastMembership membership,
            Supplier<List<NodeInfo>> nodes,
            ControlThread control,
            ClusterOptions options,
            MeshClock clock,
            long floor,
            Consumer<ShardRow> offer) {
        this.rows = rows;
        this.map = map;
        this.membership = membership;
        this.nodes = nodes;
        this.control = control;
        this.options = options;
        this.clock = clock;
        this.floor = floor;
        this.offer = offer;
        this.quietSince = clock.nanoTime();
    }

    void activator(Activator newActivator) {
        activator = newActivator;
    }

    /** The nodes are others than before: what is lost is claimed at once, what should move waits until they stay. */
    void nodesChanged() {
        quietSince = clock.nanoTime();
        control.after(options.quietPeriod(), this::poke);
        poke();
    }

    /** Takes note of a row that replaced an earlier one. */
    void on(ShardRow before, ShardRow row) {
        String self = membership.self().incarnation();
        boolean over = row.epoch() > before.epoch() || !row.isOwnedBy(self);
        if (before.isOwnedBy(self) && over && !ended.remove(row.shard())) {
            lost.add(row.shard());
        }
        poke();
    }

    /** Looks soon at what there is to do; many pokes are one look. */
    void poke() {
        if (!poked) {
            poked = true;
            control.execute(this::look);
        }
    }

    private void look() {
        poked = false;
        endLost();
        ShardPlan plan = ShardPlan.of(situation());
        claim(plan.claims());
        release(plan.releases());
        handOver(plan.handOvers());
    }

    private ShardPlan.Situation situation() {
        boolean quiet = clock.nanoTime() - quietSince >= options.quietPeriod().toNanos();
        return new ShardPlan.Situation(
                rows.all(), nodes.get(), membership.self(), membership::isDropped, quiet, options.handOverBatch());
    }

    private void endLost() {
        if (!lost.isEmpty()) {
            Set<Integer> shards = Set.copyOf(lost);
            lost.clear();
            LOG.info("{} shards have a later epoch; what lives under the earlier one ends", shards.size());
            activator.release(shards, "the shard has a later epoch");
        }
    }

    private void claim(List<ShardRow> claims) {
        List<ShardRow> fresh =
                claims.stream().filter(row -> claiming.add(row.shard())).toList();
        if (fresh.isEmpty()) {
            return;
        }
        long begun = clock.nanoTime();
        String self = membership.self().incarnation();
        List<Future<ShardRow>> changes = fresh.stream()
                .map(row -> map.change(row.shard(), new RowChange.Claim(self, row.epoch(), floor))
                        .onSuccess(offer::accept)
                        .onComplete(done -> claiming.remove(row.shard())))
                .toList();
        Future.join(changes).onComplete(done -> {
            long own = fresh.stream()
                    .filter(row -> rows.row(row.shard()).isOwnedBy(self))
                    .count();
            LOG.info(
                    "Claimed {} of {} shards that nobody owned, in {} ms",
                    own,
                    fresh.size(),
                    Duration.ofNanos(clock.nanoTime() - begun).toMillis());
            if (own < fresh.size()) {
                control.after(RETRY_PACE, this::poke);
            }
        });
    }

    private void handOver(List<Move> moves) {
        if (moves.isEmpty() || handing) {
            return;
        }
        handing = true;
        List<Future<ShardRow>> changes = new ArrayList<>();
        for (Move move : moves) {
            ShardRow row = move.row();
            move.next()
                    .ifPresent(next -> changes.add(map.change(
                                    row.shard(), new RowChange.HandOff(String.valueOf(row.owner()), row.epoch(), next))
                            .onSuccess(offer::accept)));
        }
        Future.join(changes).onComplete(done -> {
            handing = false;
            LOG.info("{} shards begin to move", changes.size());
            control.after(RETRY_PACE, this::poke);
        });
    }

    private void release(List<Move> moves) {
        Set<Integer> fresh = moves.stream()
                .filter(move ->
                        move.next().isPresent() || !kept.contains(move.row().shard()))
                .map(move -> move.row().shard())
                .filter(releasing::add)
                .collect(Collectors.toSet());
        if (fresh.isEmpty()) {
            return;
        }
        NodeInfo self = membership.self();
        String reason = self.state() == NodeInfo.State.LEAVING ? "the node leaves" : "the shard moves to another node";
        activator.release(fresh, reason).onComplete(dead -> control.execute(() -> give(fresh)));
    }

    private void give(Set<Integer> shards) {
        NodeInfo self = membership.self();
        List<NodeInfo> now = nodes.get();
        List<Future<ShardRow>> changes = new ArrayList<>();
        for (int shard : shards) {
            ShardRow row = rows.row(shard);
            String heir = ShardPlan.heir(row, now, self).orElse("");
            if (!row.isOwnedBy(self.incarnation()) || heir.isEmpty()) {
                continue;
            }
            ended.add(shard);
            changes.add(map.change(shard, new RowChange.Release(self.incarnation(), row.epoch(), heir))
                    .onSuccess(offer::accept));
        }
        Future.join(changes).onComplete(done -> {
            releasing.removeAll(shards);
            ended.removeAll(shards);
            Set<Integer> still = shards.stream()
                    .filter(shard -> rows.row(shard).isOwnedBy(self.incarnation()))
                    .collect(Collectors.toSet());
            LOG.debug("Gave {} shards away; {} are still here", shards.size() - still.size(), still.size());
            kept.removeAll(shards);
            kept.addAll(still);
            if (still.stream().anyMatch(this::hasHeir)) {
                control.after(RETRY_PACE, this::poke);
            }
            checkLeft();
        });
    }

    private boolean hasHeir(int shard) {
        return ShardPlan.heir(rows.row(shard), nodes.get(), membership.self()).isPresent();
    }

    private void checkLeft() {
        Set<Integer> own = own();
        if (left != null && kept.containsAll(own) && own.stream().noneMatch(this::hasHeir)) {
            left.tryComplete(own);
        }
    }

    /** Completes the promise when this node, which leaves, owns nothing any more, or can give it to nobody. */
    void whenEmpty(Promise<Set<Integer>> promise) {
        left = promise;
        checkLeft();
        poke();
    }

    /** The shards that this node still owns. */
    Set<Integer> own() {
        return rows.all().stream()
                .filter(row -> row.isOwnedBy(membership.self().incarnation()))
                .map(ShardRow::shard)
                .collect(Collectors.toSet());
    }

    /** Gives a shard that nobody owns to its candidate, and tries again for as long as the bound lasts. */
    Future<ShardRow> claimFor(int shard, long until) {
        ShardRow row = rows.row(shard);
        if (row.owner() != null && !membership.isDropped(row.owner())) {
            return Future.succeededFuture(row);
        }
        String target = Rendezvous.over(nodes.get())
                .candidate(shard)
                .map(NodeInfo::incarnation)
                .orElse("");
        if (target.isEmpty()) {
            return Future.failedFuture(
                    control.unavailable("Shard " + shard + " has no owner, and no node is UP that" + " could get it"));
        }
        Promise<ShardRow> promise = Promise.promise();
        map.change(shard, new RowChange.Claim(target, row.epoch(), floor)).onComplete(done -> {
            if (done.succeeded()) {
                offer.accept(done.result());
            }
            boolean settled = done.succeeded() && isSettled(rows.row(shard));
            if (settled) {
                promise.complete(rows.row(shard));
            } else if (clock.nanoTime() - until >= 0) {
                Unavailable late = control.unavailable("Shard " + shard + " could not be claimed in time (owner="
                        + rows.row(shard).owner() + ", epoch=" + rows.row(shard).epoch() + ")");
                promise.fail(done.succeeded() ? late : done.cause());
            } else {
                control.after(RETRY_PACE, () -> claimFor(shard, until).onComplete(promise));
            }
        });
        return promise.future();
    }

    private boolean isSettled(ShardRow row) {
        return row.owner() != null && !membership.isDropped(row.owner());
    }
}
