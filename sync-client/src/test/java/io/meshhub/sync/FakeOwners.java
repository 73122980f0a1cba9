package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.JsonTrees;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.Subscribed;
import io.meshhub.sync.protocol.SyncPlaces;
import io.meshhub.sync.protocol.ToClient;
import io.meshhub.sync.protocol.Unsubscribe;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.metrics.MetricsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Owners in another process, as a client sees them: the test answers, sends frames, and owns the time. */
final class FakeOwners implements Mesh, Membership, MeshClock, Pacer, AutoCloseable {

    static final String OTHER = "b-1";
    static final Duration INTERVAL = Duration.ofSeconds(45);

    /** A subscription that waits for its answer. */
    record Asked(MeshAddress address, Subscribe terms, Optional<String> principal, Promise<MeshReply> answer) {}

    private record Due(long at, long order, Runnable action) {}

    final BusHandlers handlers = new BusHandlers();
    final Vertx vertx = Vertx.builder()
            .with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
            .withMetrics(handlers)
            .build();
    final List<Throwable> unexpected = new CopyOnWriteArrayList<>();
    final Context context = ((VertxInternal) vertx).createEventLoopContext();
    final List<Asked> asked = new CopyOnWriteArrayList<>();
    final List<Beat> beats = new CopyOnWriteArrayList<>();
    final List<Update> updates = new CopyOnWriteArrayList<>();
    final List<Optional<String>> updaters = new CopyOnWriteArrayList<>();
    final List<Unsubscribe> unsubscribed = new CopyOnWriteArrayList<>();
    final Map<String, Beat.Status> statuses = new HashMap<>();
    final SyncClient client;
    final Set<String> gone = new HashSet<>();
    boolean silent;

    /** What every subscription is refused with at once; null where the test answers. */
    @Nullable
    Function<MeshAddress, MeshException> refusal;

    /** What every update is refused with; null where it is made. */
    @Nullable
    Function<MeshAddress, MeshException> updateRefusal;

    private final List<Listener> members = new CopyOnWriteArrayList<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private final NodeInfo self = info("a-1");
    private long now = 1_000_000;
    private long order;

    FakeOwners(SyncOptions options) {
        this(options, null);
    }

    FakeOwners(SyncOptions options, @Nullable Function<MeshAddress, Future<OptionalLong>> versions) {
        vertx.exceptionHandler(unexpected::add);
        await(vertx.eventBus()
                .consumer(SyncPlaces.ofOwners(OTHER), this::arrived)
                .completion());
        client = SyncClient.create(
                new SyncClient.Parts(
                        context,
                        this,
                        this,
                        this,
                        this,
                        MeshMetrics.NONE,
                        ChangeFeed.NONE,
                        Optional.ofNullable(versions)),
                options);
        await(client.start());
    }

    private static NodeInfo info(String incarnation) {
        return new NodeInfo("a", incarnation, NodeInfo.State.UP, 1, "hub", Set.of(), "", "test");
    }

    private void arrived(Message<JsonObject> message) {
        Optional<Unsubscribe> gone = Unsubscribe.read(message.body());
        if (gone.isPresent()) {
            unsubscribed.add(gone.get());
        } else {
            beats.add(Beat.read(message.body()));
            if (silent) {
                // Time that passes here does not pass on the bus: this is what its time-out would say.
                message.fail(-1, "no answer in time");
            } else {
                message.reply(Beat.answer(statuses));
            }
        }
    }

    /** Accepts a subscription as that activation. */
    void accept(Asked which, int activation) {
        Subscribed by = new Subscribed(id(activation), OTHER, SyncPlaces.ofOwners(OTHER), INTERVAL);
        which.answer().complete(new MeshReply(MeshBody.of(by.toJson()), id(activation), "b"));
        settle();
    }

    void refuse(Asked which, MeshException failure) {
        which.answer().tryFail(failure);
        settle();
    }

    /** Sends what an owner says. */
    void send(Asked to, ToClient message) {
        vertx.eventBus()
                .send(
                        to.terms().place(),
                        new JsonObject()
                                .put("from", SyncPlaces.ofOwners(OTHER))
                                .put("letters", new JsonArray().add(SyncPlaces.letter(to.address(), message)))
                                .toBuffer());
        settle();
    }

    void full(Asked to, int activation, long sequence, int value) {
        full(to, activation, sequence, new JsonObject().put("n", value));
    }

    void full(Asked to, int activation, long sequence, JsonObject value) {
        Map<String, @Nullable Object> document = Collections.singletonMap(Frame.VALUE, JsonTrees.of(value));
        send(to, new Frame(to.terms().stream(), id(activation), sequence, sequence, new Frame.Full(document), false));
    }

    void patch(Asked to, int activation, long sequence, int value) {
        JsonArray operations = new JsonArray()
                .add(new JsonObject().put("op", "replace").put("path", "/v/n").put("value", value));
        send(
                to,
                new Frame(to.terms().stream(), id(activation), sequence, sequence, new Frame.Patch(operations), false));
    }

    Asked last() {
        return asked.get(asked.size() - 1);
    }

    static ActivationId id(int counter) {
        return ActivationId.of(4, counter);
    }

    void lose(String incarnation) {
        gone.add(incarnation);
        members.forEach(listener -> listener.changed(Change.DROPPED, info(incarnation)));
        settle();
    }

    /** Lets time pass, with all that is due in it. */
    void pass(Duration duration) {
        settle();
        long until = now + duration.toNanos();
        while (true) {
            Due next;
            synchronized (this) {
                next = timers.peek();
                if (next == null || next.at() > until) {
                    now = until;
                    break;
                }
                timers.remove();
                now = Math.max(now, next.at());
            }
            next.action().run();
            settle();
        }
        settle();
    }

    synchronized int timers() {
        return timers.size();
    }

    /** Lets the loops do what was posted to them. */
    void settle() {
        for (int i = 0; i < 6; i++) {
            for (var loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
                try {
                    assertThat(loop.submit(() -> {}).await(5, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    static <T> @Nullable T await(Future<T> future) {
        CountDownLatch done = new CountDownLatch(1);
        future.onComplete(any -> done.countDown());
        try {
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        return future.result();
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions options) {
        MeshAddress to = envelope.to();
        JsonObject message = envelope.body().as(JsonObject.class).orElseThrow();
        Promise<MeshReply> answer = Promise.promise();
        if (envelope.type().equals(Update.TYPE)) {
            Update update = Update.read(message);
            updates.add(update);
            updaters.add(Optional.ofNullable(envelope.principal()));
            Function<MeshAddress, MeshException> refused = updateRefusal;
            JsonObject done = new Update.Done(update.version() + 1, null).toJson();
            if (refused == null) {
                answer.complete(new MeshReply(MeshBody.of(done), id(1), "b"));
            } else {
                answer.fail(refused.apply(to));
            }
        } else {
            Function<MeshAddress, MeshException> atOnce = refusal;
            if (atOnce != null) {
                answer.fail(atOnce.apply(to));
            }
            asked.add(new Asked(to, Subscribe.read(message), Optional.ofNullable(envelope.principal()), answer));
        }
        return new MeshCall<>() {
            @Override
            public Future<MeshReply> answer() {
                return answer.future();
            }

            @Override
            public boolean cancel() {
                return answer.tryFail(new DeadlineExceeded(
                        "given up", FailureDetail.about(to), DeadlineExceeded.Owner.UNKNOWN, null));
            }
        };
    }

    @Override
    public String node() {
        return "a";
    }

    @Override
    public BudgetLadder budgets() {
        return BudgetLadder.ofDefaults();
    }

    @Override
    public <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> replyType, MeshOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void notify(MeshAddress to, @Nullable Object message, MeshOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public EventBus eventBus() {
        return vertx.eventBus();
    }

    @Override
    public void addPartition(String partition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        throw new UnsupportedOperationException();
    }

    @Override
    public NodeInfo self() {
        return self;
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return List.of(self);
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return gone.contains(incarnation) ? Optional.empty() : Optional.of(info(incarnation));
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        return Future.succeededFuture();
    }

    @Override
    public void onChange(Listener listener) {
        members.add(listener);
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable action) {
        Due due = new Due(now + Math.max(0, delay.toNanos()), order++, action);
        timers.add(due);
        return () -> cancelled(due);
    }

    private synchronized boolean cancelled(Due due) {
        return timers.remove(due);
    }

    @Override
    public void close() {
        await(client.close());
        await(vertx.close());
        assertThat(unexpected).as("what no handler caught").isEmpty();
    }
}
