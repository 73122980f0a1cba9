package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an activation ends, and what becomes of its messages. */
class DisposalTest {

    private final HubHouse house = new HubHouse();
    private final AtomicReference<HubContext> hub = new AtomicReference<>();
    private final AtomicReference<Promise<Object>> running = new AtomicReference<>();
    private final List<String> actions = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        house.close();
    }

    private void orders(Consumer<HubSetup> more) {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    hub.set(self.self());
                    setup.on("work", MeshBody.class, body -> {
                        Promise<Object> promise = Promise.promise();
                        running.set(promise);
                        return promise.future();
                    });
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                    more.accept(setup);
                }));
    }

    private HubContext live() {
        house.ask(ORDER, "quick").reply();
        return hub.get();
    }

    @Test
    void aRunningHandlerMayFinishWhileTheHubQuiesces() {
        orders(setup -> {});
        HubContext context = live();
        FakeDelivery work = house.ask(ORDER, "work");
        Future<Void> dead = context.dispose("test");
        house.settle();
        assertThat(context.level()).isEqualTo(RunLevel.QUIESCING);
        ShuttingDown refusal = house.ask(ORDER, "quick").failure(ShuttingDown.class);
        assertThat(refusal.runLevel()).contains(RunLevel.QUIESCING);
        assertThat(refusal.entered()).isFalse();
        running.get().complete("done");
        assertThat(work.reply(String.class)).isEqualTo("done");
        HubHouse.await(dead);
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
    }

    /** D3, as far as there are no hosted hubs. */
    @Test
    void aHandlerThatNeverCompletesIsWaitedForOnlySoLongAndItsCallerIsAnswered() {
        orders(setup -> setup.onDispose(() -> {
            actions.add("disposed");
            return Future.succeededFuture();
        }));
        HubContext context = live();
        FakeDelivery work = house.ask(ORDER, "work");
        Future<Void> dead = context.dispose("test");
        house.pass(HubOptions.DEFAULT_QUIESCE.minusMillis(1));
        assertThat(dead.isComplete()).isFalse();
        house.pass(Duration.ofMillis(1));
        HubHouse.await(dead);
        assertThat(work.failure(ShuttingDown.class).entered()).isTrue();
        assertThat(actions).containsExactly("disposed");
        running.get().complete("late");
        house.settle();
        assertThat(work.surplus()).isZero();
    }

    /** D5. */
    @Test
    void whatIsQueuedIsHandledOrRefusedAndNeverDropped() {
        AtomicInteger entered = new AtomicInteger();
        orders(setup -> setup.on("exclusive", MeshBody.class, body -> {
                    entered.incrementAndGet();
                    Promise<Object> promise = Promise.promise();
                    running.set(promise);
                    return promise.future();
                })
                .exclusive());
        HubContext context = live();
        List<FakeDelivery> asked = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            asked.add(house.ask(ORDER, "exclusive"));
        }
        house.settle();
        Future<Void> dead = context.dispose("test");
        house.settle();
        running.get().complete(0);
        house.settle();
        running.get().complete(1);
        house.settle();
        house.pass(HubOptions.DEFAULT_QUIESCE);
        HubHouse.await(dead);
        assertThat(entered).hasValue(3);
        assertThat(asked.get(0).reply(Integer.class)).isZero();
        assertThat(asked.get(1).reply(Integer.class)).isEqualTo(1);
        assertThat(asked.get(2).failure(ShuttingDown.class).entered()).isTrue();
        for (FakeDelivery queued : asked.subList(3, 10)) {
            assertThat(queued.failure(ShuttingDown.class).entered()).isFalse();
        }
    }

    /** D6. */
    @Test
    void completionIsHeardOnceAtLevelDeadAlsoByALateListener() {
        orders(setup -> {});
        HubContext context = live();
        List<RunLevel> heard = new CopyOnWriteArrayList<>();
        Future<Void> dead = context.dispose("test");
        dead.onComplete((nothing, cause) -> heard.add(context.level()));
        Future<Void> again = context.dispose("once more");
        HubHouse.await(dead);
        HubHouse.await(again);
        Future<Void> late = context.dispose("late");
        late.onComplete((nothing, cause) -> heard.add(context.level()));
        HubHouse.await(late);
        house.settle();
        assertThat(heard).containsExactly(RunLevel.DEAD, RunLevel.DEAD);
    }

    /** D7. */
    @Test
    void anAddressAtDeadWhoseEntryStillStandsRefusesWithOneTag() {
        orders(setup -> {});
        HubContext context = live();
        List<FakeDelivery> asked = new CopyOnWriteArrayList<>();
        house.loops.get(0).context().runOnContext(start -> context.dispose("test"));
        house.loops.get(0).context().runOnContext(start -> {});
        house.settle();
        HubContext next = live();
        assertThat(next.activation()).isNotEqualTo(context.activation());
        // Its own loop hears the end while the entry still stands.
        house.ask(ORDER, "work");
        house.settle();
        house.loops
                .get(0)
                .context()
                .runOnContext(start -> next.dispose("test").onComplete((nothing, cause) -> {
                    asked.add(house.ask(ORDER, "quick"));
                    asked.add(house.ask(ORDER, "quick"));
                }));
        house.settle();
        running.get().complete();
        house.settle();
        assertThat(asked).hasSize(2).allSatisfy(each -> {
            ShuttingDown refusal = each.failure(ShuttingDown.class);
            assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
            assertThat(refusal.activation()).contains(next.activation());
            assertThat(refusal.getMessage()).contains(next.activation().toString());
        });
        assertThat(live().activation()).isGreaterThan(next.activation());
    }

    /** D8. */
    @Test
    void aDisposeActionThatFailsThrowsOrHangsDoesNotStopTheOthers() {
        orders(setup -> setup.onDispose(() -> {
                    actions.add("first");
                    return Future.succeededFuture();
                })
                .onDispose(() -> Future.failedFuture("fails"))
                .onDispose(() -> {
                    throw new IllegalStateException("throws");
                })
                .onDispose(() -> Promise.promise().future())
                .onDispose(() -> {
                    actions.add("last");
                    return Future.succeededFuture();
                }));
        HubContext context = live();
        Future<Void> dead = context.dispose("test");
        house.settle();
        assertThat(actions).containsExactly("last", "first");
        assertThat(dead.isComplete()).isFalse();
        house.pass(HubOptions.DEFAULT_DISPOSAL_WATCHDOG);
        HubHouse.await(dead);
        assertThat(house.counted("hub.disposals.forced[phase, ACTING]")).isEqualTo(1);
    }

    /** D9. */
    @Test
    void aDisposedHubLeavesNoTimerNoConsumerAndNothingArmed() {
        AtomicInteger fired = new AtomicInteger();
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    hub.set(self.self());
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture());
                    setup.every(Duration.ofSeconds(1), fired::incrementAndGet);
                    setup.init(() -> {
                        self.vertx().setPeriodic(1, id -> fired.addAndGet(1_000_000));
                        self.vertx().eventBus().localConsumer("side.door", message -> message.reply("open"));
                        return Future.succeededFuture();
                    });
                }));
        HubContext context = live();
        house.pass(Duration.ofSeconds(2));
        assertThat(fired.get() % 1_000_000).isEqualTo(2);
        HubHouse.await(house.vertx.eventBus().request("side.door", ""));
        HubHouse.await(context.dispose("test"));
        int then = fired.get();
        assertThat(HubHouse.await(
                        house.vertx.eventBus().request("side.door", "").otherwise(cause -> null)))
                .isNull();
        HubHouse.await(house.vertx.timer(20));
        house.pass(Duration.ofSeconds(5));
        assertThat(fired).hasValue(then);
        assertThat(house.time.armed()).isZero();
        assertThat(house.gauges.get("hub.activations[level, STARTED]").getAsLong())
                .isZero();
    }

    /** D10. */
    @Test
    void callbacksAfterTheEndAreNoOps() {
        orders(setup -> {});
        HubContext context = live();
        FakeDelivery work = house.ask(ORDER, "work");
        house.settle();
        Promise<Object> first = running.get();
        Future<Void> dead = context.dispose("test");
        house.pass(HubOptions.DEFAULT_QUIESCE);
        HubHouse.await(dead);
        HubContext next = live();
        first.fail("late");
        house.settle();
        work.deadlinePasses();
        assertThat(work.surplus()).isZero();
        assertThat(next.level()).isEqualTo(RunLevel.STARTED);
        assertThat(house.ask(ORDER, "quick").reply(String.class)).isEqualTo("quick");
    }

    /** A3. */
    @Test
    void idsOfOneAddressStrictlyIncreaseOverRecyclesAndTheirTagsDiffer() {
        orders(setup -> {});
        HubContext before = live();
        for (int i = 0; i < 20; i++) {
            house.ask(ORDER, SystemMessages.RECYCLE).reply();
            HubContext after = live();
            assertThat(after.activation()).isGreaterThan(before.activation());
            assertThat(after.activation().tag())
                    .isNotEqualTo(before.activation().tag());
            before = after;
        }
    }

    @Test
    void aReleaseEndsTheActivationsOfItsShardsAlsoStartingOnesAndNoOthers() {
        orders(setup -> {});
        Promise<Object> never = Promise.promise();
        house.types.register("slow", () -> new TestHub((self, setup) -> setup.init(never::future)));
        MeshAddress other = MeshAddress.of("orders/43");
        MeshAddress slow = MeshAddress.of("slow/1");
        house.ask(other, "quick").reply();
        live();
        FakeDelivery starting = house.ask(slow, "quick");
        assertThat(other.shard()).isNotIn(ORDER.shard(), slow.shard());
        Future<Void> released = house.runtime.release(Set.of(ORDER.shard(), slow.shard()), "moved");
        starting.failure(ShuttingDown.class);
        assertThat(released.isComplete()).isFalse();
        house.pass(HubOptions.DEFAULT_QUIESCE);
        HubHouse.await(released);
        assertThat(HubHouse.await(house.runtime.activations(10)))
                .singleElement()
                .satisfies(info -> assertThat(info.address()).isEqualTo(other));
    }

    @Test
    void aNotificationToAnEndingHubIsCountedAsIgnored() {
        orders(setup -> {});
        HubContext context = live();
        house.ask(ORDER, "work");
        context.dispose("test");
        house.deliver(ORDER, "quick", null, Verb.NOTIFY, 1000);
        house.settle();
        assertThat(house.counted("hub.ignored[reason, shutting-down]")).isEqualTo(1);
    }
}
