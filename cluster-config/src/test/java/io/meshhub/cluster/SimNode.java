package io.meshhub.cluster;

import io.meshhub.cluster.lease.Beat;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One process of a simulated cluster: clocks and a control of its own, the table and the lease that are shipped. */
final class SimNode implements Control, MeshClock, PeerBeats, ShardMap {

    private static final Duration OPERATION = Duration.ofSeconds(3);

    // Longer than the bus has it: that no late answer does harm must not hang on how long somebody waits for it.
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    final SimWorld world;
    final int number;
    final String incarnation;
    final ClusterOptions options;
    final SimHubs hubs;
    final SimClient client;
    private final double rate;
    private final long offset;
    private final Queue<Runnable> backlog = new ArrayDeque<>();
    UUID member;
    SimMembership membership;
    HazelcastShardTable table;
    boolean dead;
    private @Nullable String former;
    private long slept;
    private int asleep;
    private long asleepFrom;
    private int frozen;
    private long frozenLast = -1;
    private long lastRound;
    private int holding;

    SimNode(SimWorld world, int number) {
        this.world = world;
        this.number = number;
        this.incarnation = "n" + number + "-" + (100_000 + world.random.nextInt(900_000));
        this.rate = 1 + (world.random.nextInt(200) - 100) / 10_000.0;
        this.offset = world.random.nextInt(1_000_000) * 1_000_000L;
        Quorum quorum = world.plan.quorum();
        if (world.plan.plant() == SimPlan.Plant.NO_WAIT_AFTER_A_LOSS) {
            quorum = new Quorum(
                    quorum.size(), quorum.maxNodes(), quorum.voters(), Quorum.AfterLoss.FAST, quorum.lease());
        }
        this.options = ClusterOptions.builder(name())
                .quorum(quorum)
                .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(5))
                .operationTimeout(OPERATION)
                .rowReread(Duration.ofMillis(world.plan.net().rereadMillis()))
                .quietPeriod(Duration.ofSeconds(1))
                .handOverBatch(2)
                .handOverBound(Duration.ofSeconds(3))
                .build();
        this.hubs = new SimHubs(this);
        this.client = new SimClient(this);
    }

    String name() {
        return "n" + number;
    }

    // ---- life

    void start() {
        if (!world.hazelcast.join(this)) {
            after(Duration.ofMillis(500), this::start);
            return;
        }
        enter();
    }

    private void enter() {
        NodeInfo info = new NodeInfo(
                name(), incarnation, NodeInfo.State.STARTING, 1, NodeInfo.DEFAULT_ROLE, Set.of(), "store", "sim");
        membership = new SimMembership(
                this,
                world.hazelcast,
                new NodeRow(
                        info, member, SimPlan.SHARDS, Map.of(), options.quorum().terms()));
        refreshLater();
        world.hazelcast
                .expelFormer(this)
                .compose(done -> membership.announce(NodeInfo.State.STARTING))
                .onSuccess(told -> openTable());
        after(Duration.ofSeconds(8), () -> {
            // A start that does not get through is taken back, and begun anew.
            if (table == null) {
                rejoin();
            }
        });
    }

    private void openTable() {
        if (table != null) {
            return;
        }
        boolean atOnce = world.plan.plant() == SimPlan.Plant.RESTARTED_VOTER_ACKNOWLEDGES_AT_ONCE;
        long wait = atOnce ? 0 : options.quorum().certainEnd().toNanos();
        table = new HazelcastShardTable(
                new HazelcastShardTable.Parts(
                        NodeInfo.DEFAULT_ROLE,
                        this,
                        membership,
                        world.store.of(this),
                        this,
                        this,
                        this,
                        options,
                        SimPlan.SHARDS,
                        nanoTime() + wait),
                Math.max(1_000, world.store.highest() + 1));
        table.activator(hubs);
        if (former != null) {
            table.succeeds(former);
        }
        table.onExpelled(reason -> rejoin());
        membership.onChange((change, node) -> {
            if (change == io.meshhub.routing.spi.Membership.Change.DROPPED) {
                client.lost(node.incarnation());
            }
        });
        open();
    }

    private void open() {
        table.open().onComplete(done -> {
            if (done.failed()) {
                after(Duration.ofMillis(500), this::open);
            } else {
                after(Duration.ofMillis(300 + world.random.nextInt(700)), this::up);
                client.begin();
            }
        });
    }

    private void up() {
        boolean reached = membership.nodes().stream()
                .filter(node -> node.state() == NodeInfo.State.UP)
                .allMatch(node ->
                        find(node.incarnation()) != null && !world.isBusCut(number, find(node.incarnation()).number));
        if (membership.self().state() != NodeInfo.State.STARTING) {
            return;
        }
        if (reached) {
            membership.announce(NodeInfo.State.UP).onFailure(e -> after(Duration.ofMillis(500), this::up));
        } else {
            after(Duration.ofMillis(500), this::up);
        }
    }

    boolean isUp() {
        return membership != null && membership.self().state() == NodeInfo.State.UP;
    }

    private void refreshLater() {
        world.hazelcast.refresh(this);
        after(options.rowReread(), this::refreshLater);
    }

    /** The same member goes on under a new incarnation that remembers nothing. */
    private void rejoin() {
        after(Duration.ofMillis(500), () -> {
            client.cancel();
            dead = true;
            SimNode next = new SimNode(world, number);
            world.processes.put(number, next);
            next.frozen = frozen;
            next.former = incarnation;
            world.hazelcast.replace(this, next);
            next.execute(next::enter);
        });
    }

    void leave(Runnable then) {
        table.leave(Duration.ofSeconds(8))
                .onComplete(left -> execute(() -> {
                    client.cancel();
                    then.run();
                }));
    }

    void die() {
        dead = true;
    }

    void freeze(long millis, boolean clocksToo) {
        frozen++;
        world.hazelcast.frozen(this, millis);
        if (clocksToo && asleep++ == 0) {
            asleepFrom = world.now();
        }
        world.after(millis, () -> thaw(clocksToo));
    }

    private void thaw(boolean clocksToo) {
        SimNode current = world.processes.get(number);
        // Sleeps that overlap are one: a monotonic clock never goes back.
        if (clocksToo && --asleep == 0) {
            slept += world.now() - asleepFrom;
        }
        frozenLast = world.now();
        frozen--;
        if (frozen == 0) {
            Queue<Runnable> late = new ArrayDeque<>(backlog);
            backlog.clear();
            late.forEach(this::execute);
            world.check.ran(this);
        }
        if (current != this && current.frozen > 0) {
            current.frozen = 0;
        }
    }

    boolean isFrozen() {
        return frozen > 0;
    }

    boolean wasFrozenSince(long worldNanos) {
        return frozen > 0 || frozenLast >= worldNanos;
    }

    /** What lives here does not end when it is asked to, for a while. */
    void holdOn(long millis) {
        holding++;
        world.after(millis, () -> {
            holding--;
            hubs.letGo();
        });
    }

    boolean isHolding() {
        return holding > 0;
    }

    // ---- Control and MeshClock

    @Override
    public String node() {
        return name();
    }

    @Override
    public void execute(Runnable task) {
        world.at(world.now(), () -> run(task));
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (frozen > 0) {
            backlog.add(task);
        } else {
            task.run();
            world.check.ran(this);
        }
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        boolean[] cancelled = {false};
        // Never early by a rounding: that would be asked again without any time passing.
        long real = delay.isNegative() || delay.isZero() ? 0 : (long) (delay.toNanos() / rate) + 2;
        world.at(world.now() + real, () -> {
            if (!cancelled[0]) {
                run(() -> {
                    if (!cancelled[0]) {
                        action.run();
                    }
                });
            }
        });
        return () -> {
            boolean was = cancelled[0];
            cancelled[0] = true;
            return !was;
        };
    }

    @Override
    public long nanoTime() {
        long real = asleep > 0 ? asleepFrom : world.now();
        return offset + (long) ((real - slept) * rate);
    }

    @Override
    public Instant now() {
        return Instant.ofEpochMilli(1_760_000_000_000L + world.millis());
    }

    // ---- PeerBeats

    private SimNode find(String wanted) {
        for (SimNode node : world.processes.values()) {
            if (node.incarnation.equals(wanted) && !node.dead) {
                return node;
            }
        }
        return null;
    }

    @Override
    public Future<Beat.Answer> beat(NodeInfo peer, Beat beat) {
        lastRound = Math.max(lastRound, beat.round());
        return ask(peer, to -> to.table.answers().on(beat), world::sendBeat).map(answer -> planted(answer));
    }

    private Beat.Answer planted(Beat.Answer answer) {
        boolean acknowledged = answer.acknowledged();
        long round = answer.round();
        String name = answer.name();
        switch (world.plan.plant()) {
            case DROPPED_INCARNATION_ACKNOWLEDGED -> {
                boolean dropped = answer.standing() == Beat.Standing.DROPPED;
                return new Beat.Answer(
                        answer.from(),
                        name,
                        round,
                        dropped || acknowledged,
                        dropped ? Beat.Standing.LISTED : answer.standing(),
                        answer.without(),
                        answer.heard());
            }
            case LEASE_COUNTED_FROM_THE_ANSWER -> round = lastRound;
            case UNLISTED_VOTER_COUNTS -> {
                if (name.equals("n3")) {
                    name = "n2";
                    acknowledged = answer.standing() == Beat.Standing.LISTED;
                }
            }
            default -> {}
        }
        return new Beat.Answer(
                answer.from(), name, round, acknowledged, answer.standing(), answer.without(), answer.heard());
    }

    @Override
    public Future<Remembered> remembered(NodeInfo peer, Set<Integer> shards) {
        if (world.plan.plant() == SimPlan.Plant.MISSING_ROW_CLAIMED_AS_UNOWNED) {
            return Future.succeededFuture(new Remembered(false, List.of()));
        }
        return ask(peer, to -> to.table.answers().remembered(shards), world::send);
    }

    private interface Question<T> {
        T of(SimNode to);
    }

    private interface Way {
        void bring(SimNode from, SimNode to, Runnable arrival);
    }

    private <T> Future<T> ask(NodeInfo peer, Question<T> question, Way way) {
        Promise<T> promise = Promise.promise();
        Cancellable timer = after(PATIENCE, () -> promise.tryFail("no answer"));
        SimNode to = find(peer.incarnation());
        if (to != null) {
            way.bring(this, to, () -> {
                if (to.table != null) {
                    T answer = question.of(to);
                    world.send(to, this, () -> {
                        timer.cancel();
                        promise.tryComplete(answer);
                    });
                }
            });
        }
        return promise.future();
    }

    // ---- ShardMap

    @Override
    public Future<ShardRow> read(int shard) {
        return bounded(world.hazelcast.read(this, shard), OPERATION, "reading a row");
    }

    @Override
    public Future<List<ShardRow>> readAll() {
        List<Future<ShardRow>> reads = new java.util.ArrayList<>();
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            reads.add(read(shard));
        }
        return Future.all(reads).map(done -> done.<ShardRow>list());
    }

    @Override
    public Future<ShardRow> change(int shard, RowChange change) {
        RowChange made = change;
        if (world.plan.plant() == SimPlan.Plant.MISSING_ROW_CLAIMED_AS_UNOWNED
                && change instanceof RowChange.Claim claim) {
            made = new RowChange.Claim(claim.target(), claim.known(), claim.floor(), true);
        }
        return bounded(world.hazelcast.change(this, shard, made), OPERATION, "changing a row");
    }

    void rowTold(ShardRow row) {
        if (table != null) {
            table.offer(row);
        }
    }

    // ---- what is looked at

    boolean serves(int shard) {
        if (dead || frozen > 0 || table == null) {
            return false;
        }
        NodeInfo.State state = membership.self().state();
        return state != NodeInfo.State.EXPELLED
                && table.serves(shard, table.row(shard).epoch())
                && table.lease().heldAt(nanoTime());
    }

    String describe(int shard) {
        if (table == null) {
            return incarnation + " (not begun)";
        }
        return incarnation + " (" + membership.self().state() + ", row " + SimCheck.text(table.row(shard)) + ", serves "
                + table.serves(shard, table.row(shard).epoch()) + ", lease "
                + table.lease().heldAt(nanoTime()) + " " + table.lease() + ", sees "
                + membership.nodes().stream()
                        .map(node -> node.incarnation() + " " + node.state())
                        .toList()
                + ")";
    }
}
