package io.meshhub.sync;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.sync.protocol.JsonTrees;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watcher of an upstream: turns what that sees into what the watcher asked for, on the watcher's context. Its lists
 * belong to the client's context; what is seen may be read on any thread.
 */
final class LocalStream<T> {

    private static final Logger LOG = LoggerFactory.getLogger(SyncClient.class);

    private final SyncClient client;
    private final WatchKey key;
    private final Class<T> type;
    private final Context context;
    private final Promise<Void> ended = Promise.promise();
    private final List<Consumer<? super SyncChange<T>>> changeListeners = new ArrayList<>(1);
    private final List<Consumer<? super SyncState>> stateListeners = new ArrayList<>(1);
    private final List<Promise<Void>> waiting = new ArrayList<>(1);
    private final List<ChangeStream<T>> readers = new ArrayList<>(1);
    private volatile Seen seen = Seen.NOTHING;
    private volatile @Nullable Upstream upstream;
    private boolean closed;

    LocalStream(SyncClient client, WatchKey key, Class<T> type, Context context) {
        this.client = client;
        this.key = key;
        this.type = type;
        this.context = context;
    }

    WatchKey key() {
        return key;
    }

    Seen seen() {
        return seen;
    }

    @Nullable
    Upstream upstream() {
        return upstream;
    }

    /** Belongs to that upstream from now on; on the client's context. */
    void attached(Upstream to) {
        upstream = to;
        Seen next = to.seen();
        Seen before = seen;
        if (before.known() && next.known() && Objects.equals(before.value(), next.value())) {
            // What is the same as before, from another upstream, is no change.
            seen = new Seen(true, next.value(), next.present(), next.version(), before.state());
        }
        take(next);
    }

    /** Something is new; on the client's context. */
    void take(Seen next) {
        if (closed) {
            return;
        }
        Seen before = seen;
        seen = next;
        boolean changed = next.known()
                && (!before.known() || before.present() != next.present() || before.value() != next.value());
        if (changed) {
            SyncChange<Object> raw = new SyncChange<>(Optional.ofNullable(next.value()), next.version());
            changeListeners.forEach(listener -> tell(listener, raw));
            readers.forEach(reader -> tell(reader::offer, raw));
            taken(waiting).forEach(Promise::tryComplete);
        }
        if (!next.state().equals(before.state())) {
            stateListeners.forEach(listener -> tellState(listener, next.state()));
            if (next.state() instanceof SyncState.Ended end) {
                over(end);
            }
        }
    }

    private void over(SyncState.Ended end) {
        MeshException cause = end.cause().orElse(null);
        readers.forEach(reader -> context.runOnContext(turn -> reader.end(cause)));
        taken(waiting).forEach(promise -> promise.tryFail(cause == null ? closedFailure() : cause));
        readers.clear();
        changeListeners.clear();
        stateListeners.clear();
        context.runOnContext(turn -> ended.tryComplete());
    }

    // Who is told may ask, close or listen anew: the list is not looked at any more then.
    private static List<Promise<Void>> taken(List<Promise<Void>> waiting) {
        List<Promise<Void>> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private void tell(Consumer<? super SyncChange<T>> listener, SyncChange<Object> raw) {
        context.runOnContext(turn -> {
            SyncChange<T> change;
            try {
                change = new SyncChange<>(raw.value().flatMap(this::read), raw.version());
            } catch (IllegalArgumentException e) {
                LOG.warn("A state of {} cannot be read as {}: {}", key, type.getName(), e.getMessage());
                return;
            }
            listener.accept(change);
        });
    }

    private void tellState(Consumer<? super SyncState> listener, SyncState state) {
        context.runOnContext(turn -> listener.accept(state));
    }

    /** The tree as the watcher wants it: a copy. */
    Optional<T> read(Object tree) {
        Object json = JsonTrees.toJson(tree);
        // A body would copy it twice more, for each watcher and change.
        return json == null || type.isInstance(json)
                ? Optional.ofNullable(type.cast(json))
                : MeshBody.of(json).as(type);
    }

    void onChange(Consumer<? super SyncChange<T>> listener) {
        client.execute(() -> {
            Seen now = seen;
            if (now.known()) {
                tell(listener, new SyncChange<>(Optional.ofNullable(now.value()), now.version()));
            }
            if (!isOver()) {
                changeListeners.add(listener);
            }
        });
    }

    void onState(Consumer<? super SyncState> listener) {
        client.execute(() -> {
            tellState(listener, seen.state());
            if (!isOver()) {
                stateListeners.add(listener);
            }
        });
    }

    ChangeStream<T> changes() {
        ChangeStream<T> reader = new ChangeStream<>();
        client.execute(() -> {
            Seen now = seen;
            if (now.known()) {
                tell(reader::offer, new SyncChange<>(Optional.ofNullable(now.value()), now.version()));
            }
            if (now.state() instanceof SyncState.Ended end) {
                context.runOnContext(turn -> reader.end(end.cause().orElse(null)));
            } else {
                readers.add(reader);
            }
        });
        return reader;
    }

    /** Completes once something is known; on the watcher's context, since the client is in the middle of its work. */
    Future<Void> first() {
        Promise<Void> told = Promise.promise();
        known().onComplete((nothing, cause) -> context.runOnContext(turn -> told.complete(null, cause)));
        return told.future();
    }

    private Future<Void> known() {
        Promise<Void> promise = Promise.promise();
        client.execute(() -> {
            Seen now = seen;
            if (now.known()) {
                promise.tryComplete();
            } else if (now.state() instanceof SyncState.Ended end) {
                promise.tryFail(end.cause().orElseGet(this::closedFailure));
            } else {
                waiting.add(promise);
            }
        });
        return promise.future();
    }

    private MeshException closedFailure() {
        return new Unavailable("Stream of " + key + " is closed", FailureDetail.about(key.address()), false);
    }

    /** Makes a change to the state; the change is made on the watcher's context. */
    Future<T> update(UnaryOperator<T> change) {
        if (!key.view().isEmpty()) {
            return Future.failedFuture(new IllegalStateException(
                    "the stream of " + key + " follows a part: updates are made with a stream of the whole"));
        }
        Promise<T> done = Promise.promise();
        known().onComplete((nothing, cause) -> client.execute(() -> {
            Upstream to = upstream;
            if (cause != null || closed || to == null) {
                done.fail(cause == null ? closedFailure() : cause);
                return;
            }
            to.update(tree -> changed(tree, change))
                    .map(tree -> read(tree).orElseThrow())
                    .onComplete((value, failure) -> context.runOnContext(turn -> done.complete(value, failure)));
        }));
        return done.future();
    }

    private Future<Object> changed(@Nullable Object tree, UnaryOperator<T> change) {
        Promise<Object> result = Promise.promise();
        context.runOnContext(turn -> {
            try {
                T before =
                        read(Objects.requireNonNull(tree, "the state is null")).orElseThrow();
                Object after = JsonTrees.of(MeshBody.of(change.apply(before)).toPlain());
                result.complete(Objects.requireNonNull(after, "an update must not make the state null"));
            } catch (RuntimeException e) {
                result.fail(e);
            }
        });
        return result.future();
    }

    private boolean isOver() {
        return seen.state() instanceof SyncState.Ended;
    }

    Future<Void> ended() {
        return ended.future();
    }

    /** Whether nobody would notice when it ended; on the client's context. */
    boolean isUnheard() {
        return changeListeners.isEmpty() && stateListeners.isEmpty() && readers.isEmpty() && waiting.isEmpty();
    }

    /** Ends it here; on the client's context; idempotent. */
    void close() {
        if (closed) {
            return;
        }
        Upstream from = upstream;
        if (!isOver()) {
            take(seen.in(new SyncState.Ended(SyncState.Reason.CLOSED, Optional.empty())));
        }
        closed = true;
        if (from != null) {
            from.detach(this);
        }
    }
}
