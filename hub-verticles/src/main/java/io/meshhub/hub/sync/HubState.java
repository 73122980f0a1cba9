package io.meshhub.hub.sync;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.sync.protocol.Author;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.JsonPointers;
import io.meshhub.sync.protocol.JsonTrees;
import io.meshhub.sync.protocol.Publisher;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.Subscribed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that a hub publishes, for all who follow its address.
 *
 * <p>May be called from any thread; what is called on the hub's context is done at once. Changes that come in one turn of
 * the event loop are one frame for each follower. The hub stays awake as long as somebody follows; a follower that is
 * silent for three beat intervals is dropped.
 */
public final class HubState {

    private final SyncOwners node;
    private final StateHub hub;
    private final @Nullable StateSource source;
    private final @Nullable Supplier<JsonObject> supplier;
    private @Nullable Snapshot latest;
    private @Nullable Publisher publisher;
    private boolean keptAwake;
    private boolean flushing;
    private boolean complete;
    private boolean over;

    private HubState(
            SyncOwners node, StateHub hub, @Nullable StateSource source, @Nullable Supplier<JsonObject> supplier) {
        this.node = node;
        this.hub = hub;
        this.source = source;
        this.supplier = supplier;
    }

    /** The state of a hub that says what it is. */
    public static HubState of(SyncOwners node, StateHub hub) {
        return new HubState(node, hub, null, null);
    }

    /** The state of a hub that is asked, and has versions of its own. */
    public static HubState of(SyncOwners node, StateHub hub, StateSource source) {
        return new HubState(node, hub, source, null);
    }

    /** The state of a hub that is asked. */
    public static HubState of(SyncOwners node, StateHub hub, Supplier<JsonObject> supplier) {
        return new HubState(node, hub, null, supplier);
    }

    /**
     * Publishes a state under the next version; one that says the same as before changes nothing. Versions of this kind
     * begin at 1 with each activation.
     */
    public void set(JsonObject value) {
        JsonObject own = value.copy();
        execute(() -> {
            Snapshot before = latest;
            if (before == null || !Objects.equals(JsonTrees.of(own), JsonTrees.of(before.value()))) {
                publish(new Snapshot(own, before == null ? 1 : before.version() + 1), null);
            }
        });
    }

    /** Publishes a state under a version of the hub's own; see {@link #set(JsonObject, long, Author)}. */
    public void set(JsonObject value, long version) {
        publish(value, version, null);
    }

    /**
     * Publishes a state under a version of the hub's own, on behalf of a stream that does not get its change back.
     *
     * @param version above the one of every other state before it, also of earlier activations
     * @throws IllegalArgumentException when the version is not, on the hub's context
     * @throws IllegalStateException when the state was final, on the hub's context
     */
    public void set(JsonObject value, long version, Author author) {
        publish(value, version, author);
    }

    private void publish(JsonObject value, long version, @Nullable Author author) {
        Snapshot snapshot = new Snapshot(value.copy(), version);
        execute(() -> publish(snapshot, author));
    }

    private void publish(Snapshot snapshot, @Nullable Author author) {
        if (complete) {
            throw new IllegalStateException("the state of hub " + hub.address() + " is final: version "
                    + snapshot.version() + " cannot follow it");
        }
        Publisher known = publisher;
        if (known != null) {
            known.set(JsonTrees.of(snapshot.value()), snapshot.version(), author);
            flushSoon();
        }
        if (source == null) {
            latest = snapshot;
        }
    }

    /** Says that the state of a hub that is asked for it has changed. */
    public void changed() {
        execute(() -> changedBy(null));
    }

    /** Says that the state of a hub that is asked for it has changed, by a stream that does not get its change back. */
    public void changed(Author author) {
        execute(() -> changedBy(author));
    }

    private void changedBy(@Nullable Author author) {
        if (publisher == null) {
            return;
        }
        if (source != null) {
            source.snapshot().ifPresent(snapshot -> publish(snapshot, author));
        } else if (supplier != null) {
            set(supplier.get());
        }
    }

    /**
     * Makes the state final: who follows, and who follows later, gets it once and keeps it; nobody keeps the hub awake.
     *
     * @throws IllegalStateException when there is no state yet, on the hub's context
     */
    public void complete() {
        execute(() -> {
            if (source == null && supplier == null && latest == null) {
                throw new IllegalStateException("hub " + hub.address() + " has no state that could be final");
            }
            if (source != null && source.snapshot().isEmpty()) {
                throw new IllegalStateException("hub " + hub.address() + " has no state that could be final");
            }
            if (supplier != null) {
                // Nobody may have followed, and so asked for it, since it changed last.
                set(supplier.get());
            }
            complete = true;
            Publisher known = publisher;
            if (known != null) {
                known.complete();
                flushSoon();
            }
        });
    }

    /**
     * Ends the streams of all who follow with a failure: with {@link io.meshhub.routing.failure.NotFound} for this address
     * they wait until it is there again, with any other they end.
     */
    public void fail(MeshException failure) {
        execute(() -> goodbye(String.valueOf(failure.getMessage()), failure));
    }

    /** How many streams follow, as this moment's loop sees it. */
    public int followers() {
        Publisher known = publisher;
        return known == null ? 0 : known.size();
    }

    /**
     * Takes a subscriber in; the answer is that of the hub's handler. On the hub's context.
     *
     * @param principal on whose behalf it asks; null when on nobody's
     */
    public Future<JsonObject> subscribe(JsonObject message, @Nullable String principal) {
        Subscribe terms;
        try {
            terms = Subscribe.read(message);
            JsonPointers.steps(terms.view());
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(Rejected.message(hub.address(), String.valueOf(e.getMessage())));
        }
        StateSource from = source;
        return onHub(node.readGate().mayRead(hub.address(), terms.view(), principal))
                .compose(may -> from == null ? Future.succeededFuture() : from.admit())
                .compose(admitted -> take(terms));
    }

    // Whoever decides may do so on a thread of its own.
    private <T> Future<T> onHub(Future<T> answer) {
        if (answer.isComplete()) {
            return answer;
        }
        Promise<T> here = Promise.promise();
        answer.onComplete((value, cause) -> hub.context().runOnContext(turn -> here.complete(value, cause)));
        return here.future();
    }

    private Future<JsonObject> take(Subscribe terms) {
        // Its end may have begun while the source was asked.
        if (over || hub.level().get().compareTo(RunLevel.STARTED) > 0) {
            return Future.failedFuture(ShuttingDown.refusal(
                    hub.address(), hub.activation(), hub.level().get(), node.name()));
        }
        Publisher own = ownPublisher();
        own.subscribe(terms, node.now());
        node.followed(this);
        if (!keptAwake) {
            keptAwake = true;
            hub.keepAwake().accept(() -> followers() > 0);
        }
        flushSoon();
        return Future.succeededFuture(
                new Subscribed(hub.activation(), node.process(), node.place(), node.beatInterval()).toJson());
    }

    private Publisher ownPublisher() {
        Publisher own = publisher;
        if (own != null) {
            return own;
        }
        if (supplier != null && !complete) {
            set(supplier.get());
        }
        own = new Publisher(hub.activation());
        publisher = own;
        Optional<Snapshot> now = source == null ? Optional.ofNullable(latest) : source.snapshot();
        if (now.isPresent()) {
            own.set(JsonTrees.of(now.get().value()), now.get().version(), null);
        }
        if (complete) {
            own.complete();
        }
        return own;
    }

    /** Lets a subscriber go; on the hub's context. */
    void unsubscribe(String stream) {
        Publisher known = publisher;
        if (known != null) {
            known.unsubscribe(stream);
            settle();
        }
    }

    /** Hears of a subscriber, which lacks nothing after the next {@link #flush}; on the hub's context. */
    Beat.Status heard(Beat.Entry entry) {
        Publisher known = publisher;
        if (known == null || !known.heard(entry, node.now())) {
            return Beat.Status.UNKNOWN_HERE;
        }
        return Beat.Status.ALIVE;
    }

    /** Drops who is silent for too long; on the hub's context. */
    void dropSilent(Predicate<Subscribe> remote) {
        Publisher known = publisher;
        if (known != null) {
            node.dropped(known.dropSilent(node.now(), node.beatInterval(), remote), "silent");
            settle();
        }
    }

    /** Drops the subscribers of a process that is gone; on the hub's context. */
    void dropProcess(String process) {
        Publisher known = publisher;
        if (known != null) {
            node.dropped(known.dropProcess(process), "gone");
            settle();
        }
    }

    /** The hub is dead: whoever still follows is told, and why. On the hub's loop. */
    void ended(String reason) {
        over = true;
        goodbye(reason, null);
    }

    private void goodbye(String reason, @Nullable MeshException verdict) {
        Publisher known = publisher;
        if (known != null) {
            node.send(hub.address(), known.flush());
            RunLevel level = hub.level().get();
            node.send(hub.address(), known.goodbye(level, reason, verdict));
            settle();
        }
    }

    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            hub.context().runOnContext(turn -> flush());
        }
    }

    /** Sends what those who follow lack; on the hub's context. */
    void flush() {
        flushing = false;
        Publisher known = publisher;
        if (known != null) {
            node.send(hub.address(), known.flush());
            settle();
        }
    }

    // Who is not followed any more costs nothing but its state.
    private void settle() {
        Publisher known = publisher;
        if (known != null && known.size() == 0) {
            publisher = null;
            node.unfollowed(this);
        }
    }

    MeshAddress address() {
        return hub.address();
    }

    StateHub hub() {
        return hub;
    }

    /** Runs the action on the hub's context: at once when this is its thread. */
    void execute(Runnable action) {
        if (((ContextInternal) hub.context()).inThread()) {
            action.run();
        } else {
            hub.context().runOnContext(turn -> action.run());
        }
    }
}
