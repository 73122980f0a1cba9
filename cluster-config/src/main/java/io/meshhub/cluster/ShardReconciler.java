package io.meshhub.cluster;

import io.meshhub.cluster.ShardPlan.Move;
import io.meshhub.cluster.lease.Beat;
import io.meshhub.cluster.lease.HandOverWatch;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    /** How long a node that leaves waits for one batch before it begins with the next one beside it. */
    static final Duration LEAVE_PACE = Duration.ofMillis(50);

    // How often a hand-over is gone through before the first one.
    private static final int REHEARSALS = 5;

    private final RowMerge rows;
    private final ShardMap map;
    private final ClusterMembership membership;
    private final Supplier<List<NodeInfo>> nodes;
    private final Control control;
    private final ClusterOptions options;
    private final MeshClock clock;
    private final LeaseKeeper keeper;
    private final ShardClaims claims;
    private final Consumer<ShardRow> offer;
    private final Consumer<Set<Integer>> withdraw;
    private final Set<Integer> releasing = new LinkedHashSet<>();
    private final Set<Integer> lost = new LinkedHashSet<>();
    private final Set<Integer> ended = new LinkedHashSet<>();
    private final Set<Integer> kept = new LinkedHashSet<>();
    private Activator activator = new Idle();
    private @Nullable Promise<Set<Integer>> left;
    private long quietSince;
    private HandOverWatch handOvers = HandOverWatch.EMPTY;
    private final Set<String> givenUp = new LinkedHashSet<>();
    private boolean handing;
    private boolean poked;
    private boolean hurried;
    // The first moves are few: what a process does for the first time takes long, and no more callers than these wait
    // for it.
    private int handOverStep = 1;
    private int leaveStep = 1;
    // Shards of a node that leaves that began to be given away within the last pace, and are still on their way.
    private final Set<Integer> leavingNow = new LinkedHashSet<>();

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
            ClusterMembership membership,
            Supplier<List<NodeInfo>> nodes,
            Control control,
            ClusterOptions options,
            MeshClock clock,
            LeaseKeeper keeper,
            PeerBeats peers,
            long floor,
            Consumer<ShardRow> offer,
            Consumer<Set<Integer>> withdraw) {
        this.rows = rows;
        this.map = map;
        this.membership = membership;
        this.nodes = nodes;
        this.control = control;
        this.options = options;
        this.clock = clock;
        this.keeper = keeper;
        this.offer = offer;
        this.withdraw = withdraw;
        this.claims =
                new ShardClaims(rows, map, membership, nodes, control, clock, peers, keeper, floor, offer, this::poke);
        this.quietSince = clock.nanoTime();
    }

    void activator(Activator newActivator) {
        activator = newActivator;
    }

    /** The nodes are others than before: what is lost is claimed at once, what should move waits until they stay. */
    void nodesChanged() {
        quietSince = clock.nanoTime();
        handOverStep = 1;
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
        ShardPlan.Situation now = situation();
        ShardPlan plan = ShardPlan.of(now);
        claims.claim(plan.claims());
        release(plan.releases());
        if (keeper.heldAt(clock.nanoTime())) {
            handOver(plan.handOvers());
            giveUp(now);
        }
        Set<String> owners = new LinkedHashSet<>();
        now.rows().forEach(row -> owners.add(String.valueOf(row.owner())));
        keeper.forget(owners);
        checkLeft();
    }

    // Only the planner judges, so that one node that hears nobody cannot give up all others. It judges itself as well:
    // nobody else would.
    private void giveUp(ShardPlan.Situation now) {
        if (!now.isPlanner()) {
            handOvers = HandOverWatch.EMPTY;
            return;
        }
        long nanos = clock.nanoTime();
        handOvers = handOvers.on(now.rows(), now.dropped(), nanos);
        for (String owner : handOvers.overdue(nanos, options.handOverLimit().toNanos())) {
            giveUp(owner, "it did not give its shards away in time");
        }
        for (String silent : keeper.unheard()) {
            giveUp(silent, "no quorum has heard it over the event bus for two lease times");
        }
    }

    private void giveUp(String incarnation, String reason) {
        if (givenUp.add(incarnation)) {
            LOG.warn("Node {} is expelled: {}; its shards go to others as after a loss", incarnation, reason);
            membership.expel(incarnation).onFailure(e -> {
                givenUp.remove(incarnation);
                LOG.warn("It could not be expelled, which is tried again: {}", e.toString());
            });
        }
    }

    ShardClaims claims() {
        return claims;
    }

    private final class Answers implements PeerBeats.Answers {
        @Override
        public Beat.Answer on(Beat beat) {
            return keeper.on(beat);
        }

        @Override
        public PeerBeats.Remembered remembered(Set<Integer> shards) {
            return claims.remembered(shards);
        }
    }

    /** What this node answers its peers. */
    PeerBeats.Answers answers() {
        return new Answers();
    }

    private ShardPlan.Situation situation() {
        boolean quiet = clock.nanoTime() - quietSince >= options.quietPeriod().toNanos();
        // One look asks this of a thousand rows and a few owners.
        Map<String, Boolean> dropped = new HashMap<>();
        return new ShardPlan.Situation(
                rows.all(),
                nodes.get(),
                membership.self(),
                owner -> dropped.computeIfAbsent(owner, membership::isDropped),
                quiet,
                handOverStep);
    }

    private int next(int step) {
        return Math.min(options.handOverBatch(), 2 * step);
    }

    private void endLost() {
        if (!lost.isEmpty()) {
            Set<Integer> shards = new LinkedHashSet<>(lost);
            lost.clear();
            LOG.info("{} shards have a later epoch; what lives under the earlier one ends", shards.size());
            activator.release(shards, "the shard has a later epoch");
        }
    }

    private void handOver(List<Move> moves) {
        if (moves.isEmpty() || handing) {
            return;
        }
        handing = true;
        handOverStep = next(handOverStep);
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
        boolean leaving = membership.self().state() == NodeInfo.State.LEAVING;
        long room = leaving ? room() : Long.MAX_VALUE;
        Set<Integer> fresh = new LinkedHashSet<>();
        for (Move move : moves) {
            int shard = move.row().shard();
            // One that nobody takes gains nothing by waiting.
            boolean due = move.next().isPresent() ? fresh.size() < room : !kept.contains(shard);
            if (due && !releasing.contains(shard)) {
                fresh.add(shard);
            }
        }
        if (fresh.isEmpty()) {
            return;
        }
        releasing.addAll(fresh);
        if (leaving) {
            leavingNow.addAll(fresh);
            leaveStep = next(leaveStep);
            control.after(LEAVE_PACE, () -> {
                leavingNow.removeAll(fresh);
                poke();
            });
        }
        withdraw.accept(fresh);
        released(fresh, leaving ? "the node leaves" : "the shard moves to another node")
                .onComplete(dead -> control.execute(() -> give(fresh)));
    }

    // A few at a time, since a shard is not served from its turn until its next owner has taken it. One whose hubs take
    // long to end does not hold the others up.
    private long room() {
        return hurried ? Long.MAX_VALUE : Math.max(0, leaveStep - leavingNow.size());
    }

    // One that throws has told nothing about what lives; its shards go all the same, and fences guard what it writes.
    private Future<Void> released(Set<Integer> shards, String reason) {
        try {
            return activator.release(shards, reason);
        } catch (RuntimeException e) {
            LOG.error("The activations of {} shards could not be ended", shards.size(), e);
            return Future.failedFuture(e);
        }
    }

    private void give(Set<Integer> shards) {
        NodeInfo self = membership.self();
        ShardPlan.Heirs heirs = heirs();
        List<Future<ShardRow>> changes = new ArrayList<>();
        for (int shard : shards) {
            ShardRow row = rows.row(shard);
            String heir = heirs.of(row).orElse("");
            if (!row.isOwnedBy(self.incarnation()) || heir.isEmpty()) {
                continue;
            }
            ended.add(shard);
            changes.add(map.change(shard, new RowChange.Release(self.incarnation(), row.epoch(), heir))
                    .onSuccess(offer::accept));
        }
        Future.join(changes).onComplete(done -> {
            releasing.removeAll(shards);
            leavingNow.removeAll(shards);
            ended.removeAll(shards);
            Set<Integer> still = shards.stream()
                    .filter(shard -> rows.row(shard).isOwnedBy(self.incarnation()))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            LOG.debug("Gave {} shards away; {} are still here", shards.size() - still.size(), still.size());
            kept.removeAll(shards);
            kept.addAll(still);
            if (haveHeir(still)) {
                control.after(RETRY_PACE, this::poke);
            } else {
                poke();
            }
            checkLeft();
        });
    }

    private ShardPlan.Heirs heirs() {
        return ShardPlan.Heirs.of(nodes.get(), membership.self());
    }

    private boolean haveHeir(Set<Integer> shards) {
        ShardPlan.Heirs heirs = heirs();
        return shards.stream().anyMatch(shard -> heirs.of(rows.row(shard)).isPresent());
    }

    private void checkLeft() {
        if (left == null) {
            return;
        }
        Set<Integer> own = own();
        if (kept.containsAll(own) && !haveHeir(own)) {
            left.tryComplete(own);
        }
    }

    /** Completes the promise when this node, which leaves, owns nothing any more, or can give it to nobody. */
    void whenEmpty(Promise<Set<Integer>> promise) {
        left = promise;
        checkLeft();
        poke();
    }

    /** The time of a leave is getting short: all that is left is given away at once. */
    void hurry() {
        hurried = true;
        poke();
    }

    /**
     * Goes through the steps of a hand-over without giving anything away: what is done for the first time takes long, and
     * callers would wait for it. For a node that owns nothing yet; never fails.
     */
    Future<Void> rehearse() {
        Promise<Void> over = Promise.promise();
        control.execute(() -> rehearse(REHEARSALS, over));
        return over.future();
    }

    private void rehearse(int times, Promise<Void> over) {
        NodeInfo self = membership.self();
        if (times == 0 || !own().isEmpty()) {
            over.tryComplete();
            return;
        }
        List<ShardRow> owned = IntStream.range(0, rows.size())
                .mapToObj(shard ->
                        new ShardRow(shard, self.incarnation(), 1, ShardRow.Via.CLAIM, ShardRow.State.OWNED, null))
                .toList();
        ShardPlan plan = ShardPlan.of(new ShardPlan.Situation(
                owned, nodes.get(), self.in(NodeInfo.State.LEAVING), owner -> false, true, options.handOverBatch()));
        // Refused where the row is kept, since this node does not own it.
        List<Future<ShardRow>> refused = plan.releases().stream()
                .limit(options.handOverBatch())
                .map(move -> map.change(
                        move.row().shard(), new RowChange.Release(self.incarnation(), 0, self.incarnation())))
                .toList();
        withdraw.accept(Set.of());
        Future.join(List.of(Future.join(refused), released(Set.of(), "rehearsal")))
                .onComplete(done -> control.execute(() -> {
                    give(Set.of());
                    // One that fails is the last: a cluster that does not answer holds the join up once.
                    rehearse(done.succeeded() ? times - 1 : 0, over);
                }));
    }

    /** The shards that this node still owns. */
    Set<Integer> own() {
        return rows.all().stream()
                .filter(row -> row.isOwnedBy(membership.self().incarnation()))
                .map(ShardRow::shard)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
