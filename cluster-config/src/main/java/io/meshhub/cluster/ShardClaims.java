package io.meshhub.cluster;

import io.meshhub.cluster.PeerBeats.Remembered;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes shards that have no owner: those of a lost node once its lease has certainly ended, and those whose row the cluster
 * does not hold once every node that may know an owner has said that it knows none.
 *
 * <p>All on the control thread.
 */
final class ShardClaims {

    private static final Logger LOG = LoggerFactory.getLogger(ShardClaims.class);

    private final RowMerge rows;
    private final ShardMap map;
    private final ClusterMembership membership;
    private final Supplier<List<NodeInfo>> nodes;
    private final Control control;
    private final MeshClock clock;
    private final PeerBeats peers;
    private final LeaseKeeper keeper;
    private final long floor;
    private final Consumer<ShardRow> offer;
    private final Runnable poke;
    private final Set<Integer> claiming = new LinkedHashSet<>();
    private final Map<Integer, Future<ShardRow>> flights = new HashMap<>();

    ShardClaims(
            RowMerge rows,
            ShardMap map,
            ClusterMembership membership,
            Supplier<List<NodeInfo>> nodes,
            Control control,
            MeshClock clock,
            PeerBeats peers,
            LeaseKeeper keeper,
            long floor,
            Consumer<ShardRow> offer,
            Runnable poke) {
        this.rows = rows;
        this.map = map;
        this.membership = membership;
        this.nodes = nodes;
        this.control = control;
        this.clock = clock;
        this.peers = peers;
        this.keeper = keeper;
        this.floor = floor;
        this.offer = offer;
        this.poke = poke;
    }

    /** Takes those of the free shards for this node that may be taken now. */
    void claim(List<ShardRow> free) {
        List<ShardRow> fresh = free.stream()
                .filter(row -> !claiming.contains(row.shard()) && whyNot(row).isEmpty())
                .toList();
        if (fresh.isEmpty()) {
            return;
        }
        long begun = clock.nanoTime();
        String self = membership.self().incarnation();
        fresh.forEach(row -> claiming.add(row.shard()));
        take(fresh, self).onComplete(done -> {
            fresh.forEach(row -> claiming.remove(row.shard()));
            long own = fresh.stream()
                    .filter(row -> rows.row(row.shard()).isOwnedBy(self))
                    .count();
            LOG.info(
                    "Claimed {} of {} shards that nobody owned, in {} ms",
                    own,
                    fresh.size(),
                    Duration.ofNanos(clock.nanoTime() - begun).toMillis());
            if (own < fresh.size()) {
                LOG.debug("The others are tried again", done.cause());
                control.after(ShardReconciler.RETRY_PACE, poke);
            }
        });
    }

    /** Why a free shard may not be claimed now; empty when it may. */
    private String whyNot(ShardRow row) {
        String owner = row.owner();
        if (owner != null) {
            keeper.lost(owner);
        }
        if (!keeper.heldAt(clock.nanoTime())) {
            return "this node holds no lease";
        }
        if (owner == null) {
            return keeper.isLossOpen() ? "a node was lost that may own it, and its lease may still run" : "";
        }
        return keeper.hasEnded(owner) ? "" : "its owner " + owner + " was lost, and its lease may still run";
    }

    // Several at once: what has to be asked around is asked once for all.
    private Future<Void> take(List<ShardRow> free, String target) {
        List<Future<ShardRow>> changes = new ArrayList<>();
        Set<Integer> missing = new LinkedHashSet<>();
        for (ShardRow row : free) {
            if (row.owner() == null) {
                missing.add(row.shard());
            } else {
                changes.add(claim(row, target, false));
            }
        }
        return Future.join(changes).transform(done -> {
            for (int i = 0; i < changes.size(); i++) {
                // The cluster has lost the row: who remembers it is asked before it is taken.
                if (changes.get(i).succeeded() && changes.get(i).result().owner() == null) {
                    missing.add(changes.get(i).result().shard());
                }
            }
            return missing.isEmpty() ? Future.succeededFuture() : takeMissing(missing, target);
        });
    }

    private Future<ShardRow> claim(ShardRow row, String target, boolean asked) {
        return map.change(row.shard(), new RowChange.Claim(target, row.epoch(), floor, asked))
                .onSuccess(this::told);
    }

    private void told(ShardRow row) {
        if (row.owner() != null) {
            offer.accept(row);
        }
    }

    private Future<Void> takeMissing(Set<Integer> shards, String target) {
        return askAround(shards).compose(known -> {
            List<Future<ShardRow>> changes = new ArrayList<>();
            for (ShardRow row : known.values()) {
                String owner = row.owner();
                if (owner != null && !membership.isDropped(owner)) {
                    LOG.warn(
                            "The cluster lost the row of shard {} (epoch {}); it is restored, its owner {} lives",
                            row.shard(),
                            row.epoch(),
                            owner);
                    changes.add(
                            map.change(row.shard(), new RowChange.Restore(row)).onSuccess(this::told));
                } else {
                    // Remembered, so that the loss of its owner is not forgotten and its wait begun anew each time.
                    told(row);
                    if (whyNot(row).isEmpty()) {
                        changes.add(claim(row, target, true));
                    }
                }
            }
            return Future.join(changes).mapEmpty();
        });
    }

    /** What this node and all that may own shards remember of them, the latest row of each. */
    private Future<Map<Integer, ShardRow>> askAround(Set<Integer> shards) {
        Map<Integer, ShardRow> known = new TreeMap<>();
        shards.forEach(shard -> known.put(shard, rows.row(shard)));
        String self = membership.self().incarnation();
        List<Future<Remembered>> asked = nodes.get().stream()
                .filter(node -> !node.incarnation().equals(self))
                .filter(node -> node.state() == NodeInfo.State.UP || node.state() == NodeInfo.State.LEAVING)
                .map(node -> peers.remembered(node, shards))
                .toList();
        return Future.all(asked).compose(done -> {
            for (Future<Remembered> answer : asked) {
                if (answer.result().lossOpen()) {
                    return Future.failedFuture(
                            control.unavailable("A node was lost that may own them, and its lease may still run"));
                }
                answer.result().rows().forEach(row -> known.merge(row.shard(), row, ShardClaims::later));
            }
            return Future.succeededFuture(known);
        });
    }

    private static ShardRow later(ShardRow a, ShardRow b) {
        return b.supersedes(a) ? b : a;
    }

    /** What this node remembers of the shards. */
    Remembered remembered(Set<Integer> shards) {
        return new Remembered(
                keeper.isLossOpen(),
                shards.stream()
                        .map(rows::row)
                        .filter(row -> row.owner() != null)
                        .toList());
    }

    /** Gives a shard that nobody owns to its candidate, once for all who ask meanwhile, within the bound. */
    Future<ShardRow> claimOnce(int shard, Duration bound) {
        Future<ShardRow> flight = flights.get(shard);
        if (flight == null) {
            flight = claimFor(shard, clock.nanoTime() + bound.toNanos());
            if (!flight.isComplete()) {
                flights.put(shard, flight);
                flight.onComplete(done -> flights.remove(shard));
            }
        }
        return flight;
    }

    // Tries again for as long as the bound lasts.
    private Future<ShardRow> claimFor(int shard, long until) {
        ShardRow row = rows.row(shard);
        if (isSettled(row)) {
            return Future.succeededFuture(row);
        }
        String target = Rendezvous.over(nodes.get())
                .candidate(shard)
                .map(NodeInfo::incarnation)
                .orElse("");
        if (target.isEmpty()) {
            return Future.failedFuture(
                    control.unavailable("Shard " + shard + " has no owner, and no node is UP that could get it"));
        }
        String whyNot = whyNot(row);
        if (!whyNot.isEmpty()) {
            return Future.failedFuture(control.unavailable("Shard " + shard + " cannot be claimed yet: " + whyNot));
        }
        Promise<ShardRow> promise = Promise.promise();
        take(List.of(row), target).onComplete(done -> {
            if (isSettled(rows.row(shard))) {
                promise.complete(rows.row(shard));
            } else if (clock.nanoTime() - until >= 0) {
                ShardRow now = rows.row(shard);
                promise.fail(control.unavailable("Shard " + shard + " could not be claimed in time (owner="
                        + now.owner() + ", epoch=" + now.epoch() + ")"
                        + (done.failed() ? ": " + done.cause().getMessage() : "")));
            } else {
                control.after(
                        ShardReconciler.RETRY_PACE, () -> claimFor(shard, until).onComplete(promise));
            }
        });
        return promise.future();
    }

    private boolean isSettled(ShardRow row) {
        return row.owner() != null && !membership.isDropped(row.owner());
    }
}
