package io.meshhub.hub;

import io.meshhub.hub.guard.Gates;
import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.hub.life.ActivationIds;
import io.meshhub.hub.life.HubMetrics;
import io.meshhub.hub.life.HubServices;
import io.meshhub.hub.sync.SyncOwners;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.sync.protocol.Subscribe;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts the activations of a node: wakes an address with its first message, feeds it one message at a time, and ends it
 * when it is idle, asked to, or given away.
 */
public final class HubRuntime implements Activator {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    private final HubServices services;
    private final HubTypes types;
    private final HubOptions options;
    private final HubMetrics metrics;
    private final String node;
    private final ActivationIds ids = new ActivationIds();
    private final List<HubLoop> loops;
    private final BlockedLoops blockedLoops;
    private final int stormPerSecond;
    private final Map<Integer, Future<Boolean>> renewals = new ConcurrentHashMap<>();
    private final SyncOwners sync;
    private volatile BiConsumer<MeshAddress, ActivationId> released = (address, activation) -> {};
    private volatile BiConsumer<MeshAddress, ActivationId> disposed = (address, activation) -> {};
    private volatile Gates gates = Gates.OPEN;

    /** A host for the hubs of these types. */
    public HubRuntime(HubServices services, HubTypes types, HubOptions options) {
        this(services, types, options, GuardOptions.ofDefaults());
    }

    /** A host for the hubs of these types, with bounds for those that harm others. */
    public HubRuntime(HubServices services, HubTypes types, HubOptions options, GuardOptions guards) {
        this.services = services;
        this.types = types;
        this.options = options;
        this.metrics = new HubMetrics(services.metrics());
        this.node = services.node();
        this.sync = new SyncOwners(services, this::isMissing);
        List<HubLoop> all = new ArrayList<>();
        MeshLoops mesh = services.loops();
        for (int i = 0; i < mesh.size(); i++) {
            all.add(new HubLoop(this, mesh.get(i)));
        }
        this.loops = List.copyOf(all);
        this.stormPerSecond = guards.stormPerSecond();
        this.blockedLoops = new BlockedLoops(
                services, guards, loops.stream().map(HubLoop::guard).toList());
    }

    @Override
    public boolean isStalled(int loop) {
        return loops.get(loop).guard().isStalled();
    }

    /** Who blocks which loop and so has not ended, for people; empty where none is blocked. */
    Optional<String> blocked() {
        List<String> blocked = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            LoopGuard guard = loops.get(i).guard();
            if (guard.isStalled()) {
                blocked.add(guard.blocker().orElse("code of no known hub") + " on loop " + i);
            }
        }
        return blocked.isEmpty()
                ? Optional.empty()
                : Optional.of("hubs that do not end, since their thread is blocked: " + String.join(", ", blocked));
    }

    @Override
    public Optional<MeshException> refusal(MeshAddress address) {
        return loops.get(address.loop(loops.size())).guard().refusal(address);
    }

    void keepLooking() {
        blockedLoops.keepLooking();
    }

    void nothingToLookAfter() {
        blockedLoops.rest();
    }

    int stormPerSecond() {
        return stormPerSecond;
    }

    /** Has these gates stand before the hubs of this node; open ones do at first. */
    public void gates(Gates newGates) {
        gates = newGates;
    }

    Gates gates() {
        return gates;
    }

    @Override
    public void deliver(Delivery delivery) {
        HubLoop loop = loops.get(delivery.envelope().to().loop(loops.size()));
        loop.execute(() -> loop.deliver(delivery));
    }

    @Override
    public Future<Void> release(Set<Integer> shards, String reason) {
        return endAll(Set.copyOf(shards), reason, true);
    }

    private Future<Void> endAll(Set<Integer> shards, String reason, boolean questions) {
        List<Future<Void>> parts = new ArrayList<>();
        for (HubLoop loop : loops) {
            Promise<Void> part = Promise.promise();
            Pacer.Cancellable bound = services.pacer().after(endBound(), () -> {
                // First taken from the loop, then said to be released.
                if (!part.future().isComplete()) {
                    loop.guard().giveAway(shards);
                    if (part.tryComplete()) {
                        LOG.warn(
                                "A loop did not end its hubs of {} shards within {} ms; they are given away all the"
                                        + " same (node={})",
                                shards.size(),
                                endBound().toMillis(),
                                node);
                    }
                }
            });
            loop.execute(() -> {
                if (questions) {
                    loop.refuse(shards, reason);
                }
                loop.end(shards, reason).onComplete(ended -> part.tryComplete());
            });
            part.future().onComplete(done -> bound.cancel());
            parts.add(part.future());
        }
        return Future.join(parts).mapEmpty();
    }

    // A disposal is over after its watchdog; what a loop needs to begin it comes on top.
    Duration endBound() {
        return options.handOver();
    }

    /**
     * The activations of this node, for operators; without those on a loop that is blocked.
     *
     * @param limit the most that are listed; at least 1
     */
    public Future<List<ActivationInfo>> activations(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit = " + limit + " must be >= 1");
        }
        return onMoving(loop -> loop.infos(limit))
                .map(parts -> parts.stream().flatMap(List::stream).limit(limit).toList());
    }

    /**
     * All activations of this node, for who must not take a part for the whole.
     *
     * @param most the most that are listed; at least 1
     * @param remaining the time that its caller has left, within which no loop is waited for longer than nests there
     * @return fails with {@link Unavailable} while a loop is blocked, and with {@link Overloaded} where there are more
     */
    public Future<List<ActivationInfo>> census(int most, Duration remaining) {
        Duration bound = BudgetLadder.inner(services.budgets().permission(), remaining);
        return onMoving(loop -> loop.infos(most + 1), bound).compose(parts -> {
            if (parts.size() < loops.size()) {
                return Future.failedFuture(new Unavailable(
                        "The activations of node " + node + " cannot be told: "
                                + blocked().orElse("a loop did not answer"),
                        FailureDetail.NONE.on(node),
                        false));
            }
            List<ActivationInfo> all = parts.stream().flatMap(List::stream).toList();
            return all.size() <= most
                    ? Future.succeededFuture(all)
                    : Future.failedFuture(new Overloaded(
                            "The activations of node " + node + " are too many to be told (more than " + most + ")",
                            FailureDetail.NONE.on(node)));
        });
    }

    /** The prefix of the hub type that the address matches here; empty where that is the type of all others. */
    public String typeOf(MeshAddress address) {
        return types.find(address).map(HubType::prefix).orElse("");
    }

    /** How many activations are at that level now; none is counted at {@link RunLevel#DEAD}. */
    public int count(RunLevel level) {
        return level == RunLevel.DEAD ? 0 : metrics.at(level);
    }

    /** Calls the listener whenever an activation is dead and its address can wake again; on the address's loop. */
    public void onReleased(BiConsumer<MeshAddress, ActivationId> listener) {
        released = listener;
    }

    /** Calls the listener whenever an activation is dead, also when its address cannot wake again; on the address's loop. */
    public void onDisposed(BiConsumer<MeshAddress, ActivationId> listener) {
        disposed = listener;
    }

    /** The states of this node's hubs that somebody follows. */
    public SyncOwners sync() {
        return sync;
    }

    // Whether nothing is there is asked only where nothing lives, and said only by the owner.
    private Future<Boolean> isMissing(MeshAddress address) {
        ShardRow row = services.shards().row(address.shard());
        boolean asks = row.isOwnedBy(services.membership().self().incarnation())
                && types.find(address)
                        .filter(type -> type.needsRow(Subscribe.TYPE))
                        .isPresent();
        return asks ? services.catalog().exists(address).map(exists -> !exists) : Future.succeededFuture(false);
    }

    /** The activation is dead. */
    void disposed(Activation activation, String reason) {
        sync.ended(activation.address(), activation.activation(), reason);
        disposed.accept(activation.address(), activation.activation());
    }

    /** The activation is dead, and has left the table. */
    void released(Activation activation) {
        released.accept(activation.address(), activation.activation());
    }

    private <T> Future<List<T>> onMoving(Function<HubLoop, T> action) {
        return onMoving(action, services.budgets().permission());
    }

    private <T> Future<List<T>> onMoving(Function<HubLoop, T> action, Duration most) {
        List<Future<T>> parts = new ArrayList<>();
        for (HubLoop loop : loops) {
            if (!loop.guard().isStalled()) {
                Promise<T> part = Promise.promise();
                // One that blocks just now is left out, like one that was found blocked.
                Pacer.Cancellable bound = services.pacer().after(most, () -> part.tryFail("the loop did not answer"));
                loop.execute(() -> part.tryComplete(action.apply(loop)));
                parts.add(part.future().onComplete(done -> bound.cancel()));
            }
        }
        return Future.join(parts)
                .transform(all -> Future.succeededFuture(parts.stream()
                        .filter(Future::succeeded)
                        .map(Future::result)
                        .toList()));
    }

    /** Takes a shard anew whose counter is used up, once for all who wait; its activations end with their epoch. */
    Future<Boolean> renew(int shard) {
        Promise<Boolean> renewed = Promise.promise();
        Future<Boolean> running = renewals.putIfAbsent(shard, renewed.future());
        if (running != null) {
            return running;
        }
        LOG.info("Shard {} is taken anew: its activation counter is used up (node={})", shard, node);
        endAll(Set.of(shard), "its shard is taken anew", false)
                .<ShardRow>compose(ended -> services.shards().reclaim(shard))
                .<Boolean>map(row -> true)
                .onComplete((done, cause) -> {
                    renewals.remove(shard);
                    renewed.complete(done, cause);
                });
        return renewed.future();
    }

    /** What to say of an address that no type here matches: it cannot exist only if no other node knows more. */
    MeshException noType(MeshAddress address) {
        NodeInfo self = services.membership().self();
        int nodes = 0;
        for (NodeInfo other : services.membership().nodes()) {
            nodes++;
            if (other.role().equals(self.role()) && !other.types().equals(self.types())) {
                return Unavailable.notSent(
                        address, node, "no hub type here matches, and node " + other.name() + " hosts other types");
            }
        }
        return NotFound.noType(address, node, nodes);
    }

    HubServices services() {
        return services;
    }

    HubTypes types() {
        return types;
    }

    HubOptions options() {
        return options;
    }

    HubMetrics metrics() {
        return metrics;
    }

    ActivationIds ids() {
        return ids;
    }

    String node() {
        return node;
    }
}
