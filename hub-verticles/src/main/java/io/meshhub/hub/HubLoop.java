package io.meshhub.hub;

import io.meshhub.hub.guard.GateQueue;
import io.meshhub.hub.guard.RefusalWords;
import io.meshhub.hub.life.HubContexts;
import io.meshhub.hub.life.HubMetrics;
import io.meshhub.hub.life.HubServices;
import io.meshhub.hub.life.StartBackoffs;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All activations of one hub loop, in plain tables that only that loop touches; {@link #execute} and {@link #post} bring
 * others there.
 */
final class HubLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    // Handled in one turn before the loop does something else.
    private static final int TURN = 256;
    private static final Duration MAX_TICK = Duration.ofSeconds(1);

    private final HubRuntime runtime;
    private final MeshLoops.Loop loop;
    private final Map<MeshAddress, Slot> slots = new HashMap<>();
    private final StartBackoffs backoffs;
    private final IdleWheel wheel;
    private final Duration tick;
    private final ArrayDeque<Mailbox> ready = new ArrayDeque<>();
    private List<Mailbox> watched = new ArrayList<>();
    private boolean inTurn;
    private boolean turnPosted;
    private boolean sweeping;
    private final LoopGuard guard = new LoopGuard(this);
    private final GateQueue gate;

    HubLoop(HubRuntime runtime, MeshLoops.Loop loop) {
        this.runtime = runtime;
        this.loop = loop;
        this.backoffs = new StartBackoffs(options().startBackoff(), options().maxStartBackoff());
        Duration quarter = options().idleTimeout().dividedBy(4).plusNanos(1);
        this.tick = quarter.compareTo(MAX_TICK) < 0 ? quarter : MAX_TICK;
        this.wheel = new IdleWheel(tick.toNanos());
        this.gate = new GateQueue(node(), runtime::gates, this::execute, this::admit, this::refuse);
    }

    /** Takes a message; on this loop. */
    void deliver(Delivery delivery) {
        if (options().principalRequired() && isAnonymous(delivery.envelope())) {
            delivery.fail(Unauthorized.at(delivery.envelope().to(), node()));
            ignored(delivery.envelope(), "unauthorized");
        } else {
            gate.offer(delivery);
        }
    }

    private void refuse(Delivery delivery, MeshException refusal) {
        delivery.fail(refusal);
        ignored(delivery.envelope(), RefusalWords.of(refusal));
    }

    private void admit(Delivery delivery) {
        Slot slot = slots.get(delivery.envelope().to());
        if (slot == null) {
            wake(delivery);
        } else {
            slot.deliver(delivery);
        }
    }

    private static boolean isAnonymous(Envelope envelope) {
        return envelope.principal() == null && !SystemMessages.isHousekeeping(envelope.type());
    }

    private void wake(Delivery delivery) {
        // What was given away while the loop was blocked goes first, or this one would go with it.
        guard.comeBack();
        Envelope envelope = delivery.envelope();
        MeshAddress address = envelope.to();
        if (SystemMessages.handleCold(delivery, this)) {
            return;
        }
        Optional<HubType> type = runtime.types().find(address);
        if (type.isEmpty()) {
            delivery.fail(runtime.noType(address));
            return;
        }
        var refusal = backoffs.refusal(address, now());
        if (refusal.isPresent()) {
            delivery.fail(refusal.get());
            return;
        }
        if (!type.get().needsRow(envelope.type())) {
            activate(address, type.get(), List.of(delivery));
            return;
        }
        Resolving resolving = new Resolving(this, address, type.get(), "the catalogue", true);
        slots.put(address, resolving);
        resolving.enqueue(delivery);
        resolving.ask(() -> services().catalog().exists(address));
    }

    /** Makes an activation for the messages that wait. */
    void activate(MeshAddress address, HubType type, List<Delivery> waiting) {
        int shard = address.shard();
        ShardRow row = services().shards().row(shard);
        if (!services().shards().serves(shard, row.epoch())) {
            waiting.forEach(delivery -> delivery.fail(
                    Unavailable.notSent(address, node(), "shard " + shard + " is not served here any more")));
            return;
        }
        if (!isLeased()) {
            waiting.forEach(this::refuseWithoutLease);
            return;
        }
        Optional<ActivationId> id = runtime.ids().next(shard, row.epoch());
        if (id.isEmpty()) {
            Resolving resolving = new Resolving(this, address, type, "the owner of shard " + shard, false);
            slots.put(address, resolving);
            waiting.forEach(resolving::enqueue);
            resolving.ask(() -> runtime.renew(shard));
            return;
        }
        Activation activation = new Activation(this, address, id.get(), HubContexts.create(loop), null);
        slots.put(address, activation);
        keepSweeping();
        activation.begin(type.factory(), waiting);
    }

    /** A hub that is hosted by another one: it has no entry of its own, and its end is its host's business. */
    Activation hosted(MeshAddress address, ActivationId id, Activation host) {
        return new Activation(this, address, id, HubContexts.create(loop), host);
    }

    /**
     * The next id of a shard for a hosted hub.
     *
     * @return empty when the counter is used up, or the epoch is over: then the root is about to end
     */
    Optional<ActivationId> nextId(int shard, long epoch) {
        Optional<ActivationId> id = runtime.ids().next(shard, epoch);
        if (id.isEmpty() && services().shards().row(shard).epoch() == epoch) {
            runtime.renew(shard)
                    .onFailure(cause -> LOG.warn(
                            "Shard {} could not be taken anew: {} (node={})", shard, cause.getMessage(), node()));
        }
        return id;
    }

    void nothingToRecycle(Delivery delivery) {
        int shard = delivery.envelope().to().shard();
        SystemMessages.nothingToRecycle(delivery, services().shards().row(shard).epoch());
    }

    /** The activation is ready for messages. */
    void started(Activation activation) {
        backoffs.succeeded(activation.address());
        if (activation.host() == null) {
            wheel.place(activation, now());
        }
        metrics().count("hub.starts", "result", "ok");
    }

    /** The activation is dead: tells who waits for that, takes it out, and brings what it held to the next one. */
    void left(Activation activation, Ending ending) {
        wheel.remove(activation);
        try {
            ending.complete();
            runtime.disposed(activation, ending.reason());
        } finally {
            if (ending.isParked()) {
                LOG.info(
                        "Hub {} is parked ({}, node={}); it refuses until it is released",
                        activation.address(),
                        activation.activation(),
                        node());
                ending.held().forEach(activation::refuse);
            } else {
                leave(activation.address(), activation);
                runtime.released(activation);
                ending.held().stream().filter(held -> !held.isEnded()).forEach(this::deliver);
            }
            ending.held().clear();
        }
    }

    void leave(MeshAddress address, Slot slot) {
        slots.remove(address, slot);
    }

    /** The mailbox may have something to handle. */
    void ready(Mailbox mailbox) {
        if (!mailbox.listed && mailbox.isRunnable()) {
            mailbox.listed = true;
            ready.add(mailbox);
        }
        if (!inTurn && !turnPosted) {
            turn();
        }
    }

    // Handlers that send to hubs of the same loop come back here: their messages are handled after the handler
    // returned, one after the other, so neither the stack nor the turn grows without end.
    private void turn() {
        inTurn = true;
        try {
            for (int handled = 0; handled < TURN; handled++) {
                Mailbox mailbox = ready.poll();
                if (mailbox == null) {
                    return;
                }
                mailbox.listed = false;
                try {
                    mailbox.handleNext();
                } catch (RuntimeException e) {
                    // A fault of ours: the other hubs of the loop go on.
                    LOG.error("Handling a message failed on node {}; its caller hears at its deadline", node(), e);
                }
                if (!mailbox.listed && mailbox.isRunnable()) {
                    mailbox.listed = true;
                    ready.add(mailbox);
                }
            }
        } finally {
            inTurn = false;
        }
        if (!ready.isEmpty()) {
            turnPosted = true;
            post(() -> {
                turnPosted = false;
                turn();
            });
        }
    }

    /** The mailbox has something whose deadline may pass. */
    void watch(Mailbox mailbox) {
        if (!mailbox.watched) {
            mailbox.watched = true;
            watched.add(mailbox);
        }
    }

    private void keepSweeping() {
        if (!sweeping) {
            sweeping = true;
            guard.awake();
            runtime.keepLooking();
            services().pacer().after(tick, () -> execute(this::sweep));
        }
    }

    private void sweep() {
        long now = now();
        List<Mailbox> before = watched;
        watched = new ArrayList<>();
        for (Mailbox mailbox : before) {
            mailbox.watched = false;
            guarded(() -> {
                if (mailbox.sweep(now)) {
                    watch(mailbox);
                }
            });
        }
        backoffs.sweep(now);
        wheel.advance();
        passivate();
    }

    // In slices, since all of a burst grow idle together.
    private void passivate() {
        long now = now();
        for (int i = 0; i < TURN && !wheel.isDone(); i++) {
            guarded(() -> wheel.pollIdle(now, TURN).ifPresent(idle -> idle.end("it was idle", true)));
        }
        if (!wheel.isDone()) {
            post(this::passivate);
            return;
        }
        sweeping = false;
        if (!slots.isEmpty() || !backoffs.isEmpty()) {
            keepSweeping();
        } else {
            guard.asleep();
            runtime.nothingToLookAfter();
        }
    }

    // A fault of ours with one hub: the others are looked after all the same, and at the next tick again.
    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.error("Looking after a hub failed on node {}; the others go on", node(), e);
        }
    }

    /** Ends all activations of the shards; completes when they are dead. */
    Future<Void> end(Set<Integer> shards, String reason) {
        ArrayDeque<Activation> toEnd = new ArrayDeque<>();
        for (Slot slot : slots.values()) {
            if (slot instanceof Activation activation
                    && shards.contains(activation.address().shard())) {
                toEnd.add(activation);
            }
        }
        Promise<Void> ended = Promise.promise();
        endSlice(toEnd, reason, new ArrayList<>(), ended);
        return ended.future();
    }

    private void endSlice(ArrayDeque<Activation> toEnd, String reason, List<Future<Void>> ends, Promise<Void> ended) {
        for (int i = 0; i < TURN && !toEnd.isEmpty(); i++) {
            Activation activation = toEnd.remove();
            activation.unpark();
            metrics().count("hub.ended", "reason", reason);
            Future<Void> end = activation.end(reason, false);
            if (!end.isComplete()) {
                ends.add(end);
            }
        }
        if (toEnd.isEmpty()) {
            Future.join(ends).<Void>mapEmpty().onComplete(ended);
        } else {
            post(() -> endSlice(toEnd, reason, ends, ended));
        }
    }

    /** Ends all activations of the shards without waiting for anything, since they live under an epoch that is over. */
    void cut(Set<Integer> shards, String reason) {
        if (!shards.isEmpty()) {
            refuse(shards, reason);
            for (Slot slot : List.copyOf(slots.values())) {
                if (slot instanceof Activation activation
                        && shards.contains(activation.address().shard())) {
                    activation.cut(reason);
                }
            }
        }
    }

    /** What a hub that begins says of itself is written into this. */
    HubSetup setup(Activation hub) {
        return runtime.types().setup(hub).publishing(runtime.sync(), () -> SystemMessages.stateOf(hub));
    }

    /** Calls code of a hub that is no handler of a message. */
    Future<?> call(Activation activation, String what, Callable<? extends Future<?>> code) {
        Running before = guard.enter(new Running.Other(activation, what, now()));
        Future<?> future = HubContexts.call(activation.context(), code);
        guard.exit(before);
        guard.comeBack();
        return future;
    }

    int stormPerSecond() {
        return runtime.stormPerSecond();
    }

    LoopGuard guard() {
        return guard;
    }

    /** Addresses that are awake or about to be. */
    int size() {
        return slots.size();
    }

    /** Whether anything is looked after. */
    boolean isInUse() {
        return sweeping;
    }

    /** Whether what becomes ready now waits for a turn of its own. */
    boolean isInTurn() {
        return inTurn || turnPosted;
    }

    /** Ends all questions about addresses of the shards. */
    void refuse(Set<Integer> shards, String reason) {
        for (Map.Entry<MeshAddress, Slot> entry : List.copyOf(slots.entrySet())) {
            if (entry.getValue() instanceof Resolving resolving
                    && shards.contains(entry.getKey().shard())) {
                resolving.refuse(reason);
            }
        }
    }

    List<ActivationInfo> infos(int limit) {
        long now = now();
        List<ActivationInfo> infos = new ArrayList<>();
        for (Slot slot : slots.values()) {
            if (infos.size() >= limit) {
                break;
            }
            if (slot instanceof Activation activation) {
                infos.add(activation.info(now));
            }
        }
        return infos;
    }

    void overloaded(Delivery delivery, String bound, int observed) {
        overloaded(delivery, bound, observed, options().rideOut().pace());
    }

    /** Refuses a message at a bound, and says when asking again makes sense. */
    void overloaded(Delivery delivery, String bound, long observed, Duration retryAfter) {
        metrics().count("hub.overloaded", "bound", bound);
        delivery.fail(Overloaded.at(delivery.envelope().to(), node(), bound, observed, retryAfter));
        ignored(delivery.envelope(), "overloaded");
    }

    /** Whether the node has the right to serve at this moment. */
    boolean isLeased() {
        return isLeasedAt(now());
    }

    /** Whether the node has the right to serve at that time. */
    boolean isLeasedAt(long now) {
        return services().lease().heldAt(now);
    }

    /** Refuses a message that came while there was a lease, and would be executed without one. */
    void refuseWithoutLease(Delivery delivery) {
        delivery.fail(Unavailable.notSent(delivery.envelope().to(), node(), "the node holds no lease"));
        ignored(delivery.envelope(), "no-lease");
    }

    /** Counts a message that nobody hears of any more. */
    void ignored(Envelope envelope, String why) {
        if (envelope.ignorable()) {
            metrics().count("hub.ignored", "reason", why);
        }
    }

    boolean isCurrent() {
        return loop.context().inThread();
    }

    /** Runs the action on this loop: at once when this is its thread. */
    void execute(Runnable action) {
        if (isCurrent()) {
            action.run();
        } else {
            post(action);
        }
    }

    /** Runs the action on this loop, in a turn of its own. */
    void post(Runnable action) {
        loop.context().runOnContext(nothing -> action.run());
    }

    long now() {
        return services().clock().nanoTime();
    }

    String node() {
        return runtime.node();
    }

    HubServices services() {
        return runtime.services();
    }

    HubOptions options() {
        return runtime.options();
    }

    HubMetrics metrics() {
        return runtime.metrics();
    }

    StartBackoffs backoffs() {
        return backoffs;
    }
}
