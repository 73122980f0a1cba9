package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Author;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.JsonDiff;
import io.meshhub.sync.protocol.JsonTrees;
import io.meshhub.sync.protocol.Mirror;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The writes of this process to one upstream, one after the other, so that each is made to what the one before it left.
 * Touched only on the client's context.
 */
final class Writes {

    // Beyond the first attempt, and only where it is known that nothing was executed.
    private static final int MAX_RETRIES = 2;
    private static final int MAX_STANDING = 16;
    private static final MeshOptions ONE_TRY = MeshOptions.DEFAULT.withRideOut(false);

    private final SyncClient client;
    private final MeshAddress address;
    private final @Nullable String principal;
    private final String stream;
    // What a write made, until the owner says that it stands; the oldest is forgotten, and then comes in full.
    private final Map<Long, Map<String, @Nullable Object>> standing = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<String, @Nullable Object>> eldest) {
            return size() > MAX_STANDING;
        }
    };

    private Future<?> before = Future.succeededFuture();
    private @Nullable Base latest;
    private long number;
    // What ends the wait of the write that is being made; without effect while it does not wait.
    private Runnable waiting = () -> {};
    private boolean cut;

    /** A state that a change is made to. */
    record Base(@Nullable Object tree, long version) {}

    Writes(SyncClient client, WatchKey key, String stream) {
        this.client = client;
        this.address = key.address();
        this.principal = key.principal();
        this.stream = stream;
    }

    /**
     * Makes a change once those before it have ended.
     *
     * @param mirror what is known then; empty when the stream has ended
     * @param change makes a tree of a tree; may do so on another context
     * @return the tree that stands then
     */
    Future<Object> submit(
            Function<Writes, Optional<Mirror>> mirror, Function<@Nullable Object, Future<Object>> change) {
        Promise<Object> done = Promise.promise();
        Future<?> previous = before;
        before = done.future();
        previous.onComplete(ended -> client.execute(() -> run(mirror, change).onComplete(done)));
        return done.future();
    }

    private Future<Object> run(
            Function<Writes, Optional<Mirror>> mirror, Function<@Nullable Object, Future<Object>> change) {
        Optional<Mirror> known = mirror.apply(this);
        if (known.isEmpty() || known.get().document().isEmpty()) {
            return Future.failedFuture(takesNoWrite(known.isEmpty() ? "has ended" : "has no value yet"));
        }
        Base base = base(known.get());
        return bounded(change, base).compose(result -> {
            Promise<Object> written = Promise.promise();
            client.execute(() -> Future.succeededFuture()
                    .compose(begun -> write(base, result))
                    .onComplete(written));
            return written.future();
        });
    }

    private Unavailable takesNoWrite(String why) {
        return new Unavailable(
                "Stream of " + address + " takes no write: it " + why, FailureDetail.about(address), false);
    }

    /** Waits for nothing any more, since the client ends: a write that does fails, and none is sent again. */
    void cut() {
        cut = true;
        waiting.run();
    }

    // All that follow wait for it, and it is somebody else's code on somebody else's context.
    private Future<Object> bounded(Function<@Nullable Object, Future<Object>> change, Base base) {
        Promise<Object> made = Promise.promise();
        Duration bound = client.mesh().budgets().operation();
        Pacer.Cancellable timer = client.after(
                bound,
                () -> made.tryFail(new Unavailable(
                        "An update of " + address + " was not made: its function did not end within " + bound.toMillis()
                                + " ms; nothing was written",
                        FailureDetail.about(address),
                        false)));
        waiting = () -> {
            timer.cancel();
            made.tryFail(takesNoWrite("has ended"));
        };
        Future.succeededFuture().compose(begun -> change.apply(base.tree())).onComplete((result, cause) -> {
            timer.cancel();
            if (cause == null) {
                made.tryComplete(result);
            } else {
                made.tryFail(cause);
            }
        });
        return made.future();
    }

    private Base base(Mirror mirror) {
        Base own = latest;
        return own != null && own.version() > mirror.version()
                ? own
                : new Base(mirror.value().orElse(null), mirror.version());
    }

    private Future<Object> write(Base base, Object result) {
        JsonArray operations = JsonDiff.withSplices(base.tree(), result);
        if (operations.isEmpty()) {
            return Future.succeededFuture(result);
        }
        Update update = new Update(new Author(stream, ++number), base.version(), operations);
        standing.put(number, Collections.singletonMap(Frame.VALUE, result));
        long write = number;
        return attempt(update, 0).map(done -> {
            if (done.state() != null) {
                standing.remove(write);
            }
            Object stands = done.state() == null ? result : JsonTrees.of(done.state());
            latest = new Base(stands, done.version());
            return stands;
        });
    }

    private Future<Update.Done> attempt(Update update, int retries) {
        client.count("sync.updates");
        Promise<Update.Done> done = Promise.promise();
        client.ask(address, Update.TYPE, update.toJson(), principal, ONE_TRY)
                .answer()
                .map(reply -> Update.Done.read(reply.body().as(JsonObject.class).orElseThrow()))
                .onComplete((written, cause) -> client.execute(() -> {
                    if (written != null) {
                        done.complete(written);
                        return;
                    }
                    MeshException failure = MeshFailures.classify(cause, address, client.node());
                    if (retries < MAX_RETRIES && wasNeverExecuted(failure) && !cut) {
                        retryLater(update, retries, failure, done);
                    } else {
                        refused(update, failure, done);
                    }
                }));
        return done.future();
    }

    private void retryLater(Update update, int retries, MeshException failure, Promise<Update.Done> done) {
        Pacer.Cancellable timer = client.after(client.options().latch().policy().pace(), () -> {
            waiting = () -> {};
            attempt(update, retries + 1).onComplete(done);
        });
        waiting = () -> {
            timer.cancel();
            refused(update, failure, done);
        };
    }

    private void refused(Update update, MeshException failure, Promise<Update.Done> done) {
        standing.remove(update.author().write());
        done.fail(failure);
    }

    private static boolean wasNeverExecuted(MeshException failure) {
        return failure.remedy() == Remedy.RIDE_OUT || (failure instanceof Overloaded && !failure.entered());
    }

    /** What the write of that number made, when a frame says that it stands. */
    Optional<Map<String, @Nullable Object>> standing(Frame frame) {
        return frame.content() instanceof Frame.Own own
                ? Optional.ofNullable(standing.remove(own.write()))
                : Optional.empty();
    }
}
