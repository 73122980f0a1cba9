package io.meshhub.hub;

import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.hub.life.HubServices;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.Verb;
import io.meshhub.routing.router.MeshLoops;
import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.spi.AddressCatalog;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of one process with a hub runtime, in which the test is the router and the time. */
final class HubHouse implements AutoCloseable {

    volatile boolean leased = true;

    static final MeshAddress ORDER = MeshAddress.of("orders/42");

    final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    final ManualTime time = new ManualTime();
    final HubTypes types = new HubTypes();
    final Map<String, Integer> counts = new ConcurrentHashMap<>();
    final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();
    final MeshLoops loops;
    final SingleNode node;
    final HubRuntime runtime;
    final PendingMesh mesh = new PendingMesh();
    volatile AddressCatalog catalog = address -> Future.succeededFuture(false);

    HubHouse() {
        this(1, HubOptions.ofDefaults());
    }

    HubHouse(int wantedLoops, HubOptions options) {
        this(wantedLoops, options, GuardOptions.ofDefaults());
    }

    HubHouse(int wantedLoops, HubOptions options, GuardOptions guards) {
        loops = await(MeshLoops.create(vertx, wantedLoops, loop -> false));
        NodeInfo self = new NodeInfo(
                "a", "a-1", NodeInfo.State.STARTING, loops.size(), NodeInfo.DEFAULT_ROLE, Set.of(), "", "test");
        node = await(SingleNode.start(self, FenceStore.NONE, 7));
        HubServices services = new HubServices(
                node,
                loops,
                node,
                nanos -> leased,
                address -> catalog.exists(address),
                BudgetLadder.ofDefaults(),
                time,
                time,
                new Counting(),
                () -> mesh);
        runtime = new HubRuntime(services, types, options, guards);
    }

    private final class Counting implements MeshMetrics {

        @Override
        public void count(String name, String... tags) {
            counts.merge(tags.length == 0 ? name : name + Arrays.toString(tags), 1, Integer::sum);
        }

        @Override
        public void time(String name, Duration duration, String... tags) {
            count(name, tags);
        }

        @Override
        public void gauge(String name, LongSupplier value, String... tags) {
            gauges.put(name + Arrays.toString(tags), value);
        }
    }

    /** Waits for a result. */
    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no result", e);
        }
    }

    /** A request with 25 s left. */
    FakeDelivery ask(MeshAddress to, Object body) {
        MeshBody own = MeshBody.of(body);
        return deliver(to, MessageType.Names.ofBody(own), own, Verb.REQUEST, 25_000);
    }

    /** A request with 25 s left and the named type. */
    FakeDelivery ask(MeshAddress to, String type) {
        return deliver(to, type, MeshBody.NULL, Verb.REQUEST, 25_000);
    }

    FakeDelivery deliver(MeshAddress to, String type, @Nullable Object body, Verb verb, long deadlineMs) {
        Envelope envelope = new Envelope(
                to,
                type,
                MeshBody.of(body),
                verb,
                null,
                deadlineMs,
                0,
                "alice",
                "c-" + type,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                7);
        FakeDelivery delivery = new FakeDelivery(
                envelope, time.nanoTime() + Duration.ofMillis(deadlineMs).toNanos());
        runtime.deliver(delivery);
        return delivery;
    }

    /** Does something on the first loop, and waits for its result. */
    <T> T onLoop(Supplier<T> action) {
        Promise<T> promise = Promise.promise();
        loops.get(0).context().runOnContext(turn -> {
            try {
                promise.complete(action.get());
            } catch (RuntimeException e) {
                promise.fail(e);
            }
        });
        return await(promise.future());
    }

    /** Lets every loop do what was posted to it, and what follows from that. */
    void settle() {
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < loops.size(); i++) {
                Promise<Void> reached = Promise.promise();
                loops.get(i).context().runOnContext(nothing -> reached.complete());
                await(reached.future());
            }
        }
    }

    /** Lets that much time pass, with all that is due on the way. */
    void pass(Duration duration) {
        settle();
        long until = time.nanoTime() + duration.toNanos();
        Optional<Runnable> due = time.pollUntil(until);
        while (due.isPresent()) {
            due.get().run();
            settle();
            due = time.pollUntil(until);
        }
        time.setTo(until);
        settle();
    }

    /** Lets that much time pass, with all that is due on the way, while one loop is blocked. */
    void passBeside(int blocked, Duration duration) {
        long until = time.nanoTime() + duration.toNanos();
        Optional<Runnable> due = time.pollUntil(until);
        while (due.isPresent()) {
            due.get().run();
            for (int i = 0; i < loops.size(); i++) {
                if (i != blocked) {
                    Promise<Void> reached = Promise.promise();
                    loops.get(i).context().runOnContext(nothing -> reached.complete());
                    await(reached.future());
                }
            }
            due = time.pollUntil(until);
        }
        time.setTo(until);
    }

    int counted(String name) {
        return counts.getOrDefault(name, 0);
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
