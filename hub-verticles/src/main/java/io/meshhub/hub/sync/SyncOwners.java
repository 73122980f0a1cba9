package io.meshhub.hub.sync;

import io.meshhub.hub.life.HubServices;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.SyncOptions;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Publisher;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.SyncPlaces;
import io.meshhub.sync.protocol.Unsubscribe;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All states of one node that somebody follows: answers the beats of other processes, and drops those that are silent or
 * gone. Safe from any thread.
 */
public final class SyncOwners {

    private static final Logger LOG = LoggerFactory.getLogger(SyncOwners.class);

    // What has not been said of a stream by then is said in answer to its next beat: 2 s, and for short intervals half
    // of one, so that the rest of the answer comes before the client has ceased to wait for it.
    private static final Duration LONGEST_TURN = Duration.ofSeconds(2);

    private final HubServices services;
    private final Function<MeshAddress, Future<Boolean>> missing;
    private final String process;
    private final Map<MeshAddress, HubState> followed = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final SyncOutbox outbox;
    private volatile Duration beatInterval = SyncOptions.DEFAULT_BEAT_INTERVAL;
    private volatile @Nullable MessageConsumer<JsonObject> consumer;
    private volatile ReadGate readGate = ReadGate.OPEN;
    private volatile BiConsumer<MeshAddress, ActivationId> disowned = (address, activation) -> {};
    private volatile Pacer.Cancellable nextSweep = Pacer.Cancellable.NONE;
    private volatile boolean closed;

    /**
     * The states of a node; nothing is heard before {@link #start}.
     *
     * @param missing whether it is known that an address of this node, at which nothing lives, does not exist
     */
    public SyncOwners(HubServices services, Function<MeshAddress, Future<Boolean>> missing) {
        this.services = services;
        this.missing = missing;
        this.process = services.membership().self().incarnation();
        this.outbox = new SyncOutbox(services.loops().get(0).context(), place());
    }

    /**
     * Hears beats from now on.
     *
     * @param bus the context whose loop carries the connections of the bus
     * @param interval how often a follower is to be heard of
     */
    public Future<Void> start(Context bus, Duration interval) {
        beatInterval = interval;
        outbox.sendsOn(bus);
        services.membership().onChange(this::changed);
        Promise<Void> registered = Promise.promise();
        bus.runOnContext(turn -> {
            MessageConsumer<JsonObject> made = bus.owner().eventBus().consumer(place(), this::arrived);
            consumer = made;
            made.completion().onComplete(registered);
        });
        return registered.future();
    }

    /** Has this gate decide who may follow what, from the next subscription on; at first everybody may. */
    public void gate(ReadGate newGate) {
        readGate = newGate;
    }

    ReadGate readGate() {
        return readGate;
    }

    /**
     * Calls the listener once in a beat interval with each activation that is followed and whose shard this node does not
     * serve, whatever its loop does: what a beat is told by other processes. From any thread.
     */
    public void onDisowned(BiConsumer<MeshAddress, ActivationId> listener) {
        disowned = listener;
    }

    /** Hears and drops nothing any more. */
    public Future<Void> stop() {
        closed = true;
        nextSweep.cancel();
        MessageConsumer<JsonObject> registered = consumer;
        return registered == null ? Future.succeededFuture() : registered.unregister();
    }

    private void changed(Membership.Change change, NodeInfo gone) {
        if (change == Membership.Change.DROPPED) {
            followed.values().forEach(state -> state.execute(() -> state.dropProcess(gone.incarnation())));
        }
    }

    private void arrived(Message<JsonObject> message) {
        try {
            var unsubscribe = Unsubscribe.read(message.body());
            if (unsubscribe.isPresent()) {
                unsubscribed(unsubscribe.get());
            } else {
                Context bus = Vertx.currentContext();
                answer(Beat.read(message.body()))
                        .onComplete((answer, never) -> bus.runOnContext(turn -> message.reply(Beat.answer(answer))));
            }
        } catch (RuntimeException e) {
            LOG.warn("A message about streams could not be read on node {}: {}", name(), e.toString());
        }
    }

    private void unsubscribed(Unsubscribe message) {
        HubState state = followed.get(message.address());
        if (state != null) {
            state.execute(() -> state.unsubscribe(message.stream()));
        }
    }

    private boolean serves(HubState state) {
        return services.shards()
                .serves(state.address().shard(), state.hub().activation().epoch());
    }

    /** How long a beat of that interval waits for a hub; shorter than its sender waits for the answer. */
    static Duration turnBound(Duration interval) {
        Duration half = interval.dividedBy(2);
        return half.compareTo(LONGEST_TURN) < 0 ? half : LONGEST_TURN;
    }

    // One hop for each hub, however many streams follow it.
    private Future<Map<String, Beat.Status>> answer(Beat beat) {
        Map<String, Beat.Status> statuses = new ConcurrentHashMap<>();
        Map<Context, List<Runnable>> turns = new HashMap<>();
        List<Future<?>> parts = new ArrayList<>();
        List<Beat.Entry> unknown = new ArrayList<>();
        Set<HubState> told = new HashSet<>();
        Duration turnBound = turnBound(beatInterval);
        for (Beat.Entry entry : beat.entries()) {
            HubState state = followed.get(entry.address());
            if (state == null) {
                unknown.add(entry);
            } else if (!serves(state)) {
                // Its loop may be blocked, and never say goodbye.
                statuses.put(entry.stream(), Beat.Status.UNKNOWN_HERE);
            } else {
                // Until its loop has said another thing.
                statuses.put(entry.stream(), Beat.Status.SILENT);
                turns.computeIfAbsent(state.hub().context(), absent -> new ArrayList<>())
                        .add(() -> statuses.put(entry.stream(), state.heard(entry)));
                told.add(state);
            }
        }
        // What a stream that is behind lacks is on its way before it is said to be alive.
        told.forEach(state ->
                Objects.requireNonNull(turns.get(state.hub().context())).add(state::flush));
        turns.forEach((context, actions) -> {
            Promise<Void> done = Promise.promise();
            // One whose loop is blocked keeps no word of the others back.
            Pacer.Cancellable bound = services.pacer().after(turnBound, done::tryComplete);
            context.runOnContext(turn -> {
                try {
                    actions.forEach(Runnable::run);
                } finally {
                    done.tryComplete();
                }
            });
            parts.add(done.future().onComplete(over -> bound.cancel()));
        });
        for (Beat.Entry entry : unknown) {
            statuses.put(entry.stream(), Beat.Status.SILENT);
            Promise<Void> done = Promise.promise();
            Pacer.Cancellable bound = services.pacer().after(turnBound, done::tryComplete);
            missing.apply(entry.address())
                    .otherwise(false)
                    .onSuccess(isMissing ->
                            statuses.put(entry.stream(), isMissing ? Beat.Status.NOT_FOUND : Beat.Status.UNKNOWN_HERE))
                    .onComplete(found -> done.tryComplete());
            parts.add(done.future().onComplete(over -> bound.cancel()));
        }
        services.metrics().count("sync.beats.answered");
        return Future.join(parts).transform(all -> Future.succeededFuture(Map.copyOf(statuses)));
    }

    /** An activation of this node is dead, for that reason; on its loop. */
    public void ended(MeshAddress address, ActivationId activation, String reason) {
        HubState state = followed.get(address);
        if (state != null && state.hub().activation().equals(activation)) {
            state.ended(reason);
        }
    }

    /** Somebody follows it. */
    void followed(HubState state) {
        followed.merge(
                state.address(),
                state,
                (known, next) -> known.hub().activation().compareTo(next.hub().activation()) > 0 ? known : next);
        if (sweeping.compareAndSet(false, true)) {
            sweepLater();
        }
    }

    /** Nobody follows it any more. */
    void unfollowed(HubState state) {
        followed.remove(state.address(), state);
    }

    private void sweepLater() {
        Pacer.Cancellable sweep = services.pacer().after(beatInterval, this::sweep);
        nextSweep = sweep;
        if (closed) {
            sweep.cancel();
        }
    }

    private void sweep() {
        Predicate<Subscribe> remote = this::isRemote;
        followed.values().forEach(state -> {
            if (!serves(state)) {
                // The own process sends no beats that could be answered so.
                disowned.accept(state.address(), state.hub().activation());
            }
            state.execute(() -> state.dropSilent(remote));
        });
        if (!closed && !followed.isEmpty()) {
            sweepLater();
            return;
        }
        sweeping.set(false);
        // Somebody may have come between the look and the mark.
        if (!closed && !followed.isEmpty() && sweeping.compareAndSet(false, true)) {
            sweepLater();
        }
    }

    // The own process sends no beats, since it cannot be lost without its owners.
    private boolean isRemote(Subscribe terms) {
        return !terms.place().startsWith(SyncPlaces.ofClient(process, ""));
    }

    /** Sends what an owner says. */
    void send(MeshAddress address, List<Publisher.Outgoing> messages) {
        messages.forEach(message -> outbox.offer(address, message));
        if (!messages.isEmpty()) {
            services.metrics().count("sync.flushes");
        }
    }

    void dropped(int count, String why) {
        for (int i = 0; i < count; i++) {
            services.metrics().count("sync.followers.dropped", "why", why);
        }
    }

    /** How many addresses are followed. */
    public int size() {
        return followed.size();
    }

    /** By which the clients of this process are told from others. */
    public String process() {
        return services.membership().self().incarnation();
    }

    String place() {
        return SyncPlaces.ofOwners(process);
    }

    Duration beatInterval() {
        return beatInterval;
    }

    long now() {
        return services.clock().nanoTime();
    }

    String name() {
        return services.node();
    }
}
