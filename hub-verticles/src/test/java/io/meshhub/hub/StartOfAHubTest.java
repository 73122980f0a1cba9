package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to messages while init runs, fails, hangs or is cut short. */
class StartOfAHubTest {

    private final HubHouse house = new HubHouse();
    private final AtomicInteger made = new AtomicInteger();

    @AfterEach
    void close() {
        house.close();
    }

    private void orders(Supplier<Future<?>> init) {
        house.types.register("orders", () -> {
            made.incrementAndGet();
            return new TestHub((hub, setup) -> {
                setup.init(init);
                setup.on("hello", MeshBody.class, body -> Future.succeededFuture("world"));
            });
        });
    }

    @Test
    void messagesWaitForInitInTheirOrder() {
        Promise<Object> ready = Promise.promise();
        List<Integer> handled = new ArrayList<>();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.init(Future::succeededFuture).init(ready::future);
                    setup.on("n", Integer.class, n -> {
                        handled.add(n);
                        return Future.succeededFuture(n);
                    });
                }));
        List<FakeDelivery> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            asked.add(house.deliver(ORDER, "n", i, Verb.REQUEST, 5000));
        }
        house.settle();
        assertThat(asked).noneMatch(FakeDelivery::isEnded);
        ready.complete();
        asked.forEach(FakeDelivery::reply);
        assertThat(handled).isSorted().hasSize(20);
    }

    /** G1. */
    @Test
    void atMostTheStartQueueWaitsForAnInitThatNeverCompletes() {
        orders(() -> Promise.promise().future());
        List<FakeDelivery> waiting = new ArrayList<>();
        for (int i = 0; i < HubOptions.DEFAULT_START_QUEUE; i++) {
            waiting.add(house.ask(ORDER, "hello"));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(house.ask(ORDER, "hello").failure(Overloaded.class).getMessage())
                    .contains("startQueue=512");
        }
        assertThat(waiting).noneMatch(FakeDelivery::isEnded);
        try (Spoken spoken = new Spoken()) {
            house.pass(Duration.ofSeconds(20));
            assertThat(spoken.with("stuck"))
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line).contains("WARN", ORDER.toString(), "init action 1 of 1", "waiting=512"));
        }
        assertThat(waiting).allSatisfy(each -> each.failure(StartFailed.class));
    }

    /** G2. */
    @Test
    void aMessageThatWaitsForInitIsToldWhatInitWaitsFor() {
        Promise<Object> second = Promise.promise();
        house.types.register(
                "orders",
                () -> new TestHub(
                        (hub, setup) -> setup.init(Future::succeededFuture).init(second::future)));
        FakeDelivery impatient = house.deliver(ORDER, "hello", null, Verb.REQUEST, 3000);
        FakeDelivery patient = house.ask(ORDER, "hello");
        house.pass(Duration.ofSeconds(3));
        impatient.deadlinePasses();
        assertThat(impatient.failure(DeadlineExceeded.class).getMessage())
                .contains("runLevel=STARTING", "init action 2 of 2 for 3000 ms");
        house.pass(Duration.ofSeconds(17));
        StartFailed failure = patient.failure(StartFailed.class);
        assertThat(failure.getMessage()).contains("init action 2 of 2 did not complete within 20000 ms");
        assertThat(failure.runLevel()).contains(RunLevel.STARTING);
    }

    /** G3. */
    @Test
    void aWaitingRequestWhoseHubIsDisposedBeforeInitEndsIsShuttingDown() {
        orders(() -> Promise.promise().future());
        FakeDelivery waiting = house.ask(ORDER, "hello");
        FakeDelivery recycle = house.ask(ORDER, SystemMessages.RECYCLE);
        ShuttingDown refusal = waiting.failure(ShuttingDown.class);
        assertThat(refusal.entered()).isFalse();
        assertThat(recycle.isEnded()).isFalse();
        house.pass(HubOptions.DEFAULT_QUIESCE);
        recycle.reply();
        assertThat(HubHouse.await(house.runtime.activations(1))).isEmpty();
    }

    /** G4. */
    @Test
    void aFailedStartIsToldToAllWhoWaitThenRefusedFastThenTriedAnew() {
        List<Promise<Object>> inits = new ArrayList<>();
        orders(() -> {
            Promise<Object> init = Promise.promise();
            inits.add(init);
            return init.future();
        });
        FakeDelivery first = house.ask(ORDER, "hello");
        FakeDelivery second = house.ask(ORDER, "hello");
        house.settle();
        inits.get(0).fail(new IllegalStateException("no disk"));
        assertThat(first.failure(StartFailed.class).causeMessage()).isEqualTo("no disk");
        assertThat(second.failure(StartFailed.class).causeType()).isEqualTo(IllegalStateException.class.getName());
        house.pass(Duration.ofMillis(400));
        assertThat(house.ask(ORDER, "hello").failure(StartFailed.class).retryAfter())
                .contains(Duration.ofMillis(600));
        assertThat(made).hasValue(1);
        house.pass(Duration.ofMillis(600));
        FakeDelivery third = house.ask(ORDER, "hello");
        house.settle();
        assertThat(made).hasValue(2);
        inits.get(1).fail("again");
        assertThat(third.failure(StartFailed.class).retryAfter()).contains(Duration.ofSeconds(2));
        house.pass(Duration.ofSeconds(2));
        FakeDelivery fourth = house.ask(ORDER, "hello");
        house.settle();
        inits.get(2).complete();
        assertThat(fourth.reply(String.class)).isEqualTo("world");
        assertThat(made).hasValue(3);
    }

    /** G4. */
    @Test
    void anInitThatHangsFailsAtItsRungAndIsTriedAnewAndItsLateEndChangesNothing() {
        List<Promise<Object>> inits = new ArrayList<>();
        orders(() -> {
            Promise<Object> init = Promise.promise();
            inits.add(init);
            return init.future();
        });
        FakeDelivery first = house.ask(ORDER, "hello");
        house.pass(Duration.ofSeconds(20));
        first.failure(StartFailed.class);
        inits.get(0).complete();
        house.settle();
        assertThat(house.ask(ORDER, "hello").failure(StartFailed.class).getMessage())
                .contains("20000 ms");
        house.pass(Duration.ofSeconds(1));
        FakeDelivery second = house.ask(ORDER, "hello");
        house.settle();
        inits.get(1).complete();
        assertThat(second.reply(String.class)).isEqualTo("world");
    }

    @Test
    void twoHandlersForOneTypeFailTheStartAndBothAreNamed() {
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.on("pay", String.class, body -> Future.succeededFuture());
                    setup.on("pay", JsonObject.class, body -> Future.succeededFuture());
                }));
        assertThat(house.ask(ORDER, "pay").failure(StartFailed.class).getMessage())
                .contains("'pay'", "java.lang.String", "io.vertx.core.json.JsonObject");
    }

    /** G5. */
    @Test
    void aStartCutShortByTheTeardownIsCancelledAndOneThatFailsInItIsAFailure() {
        List<Promise<Object>> inits = new ArrayList<>();
        orders(() -> {
            Promise<Object> init = Promise.promise();
            inits.add(init);
            return init.future();
        });
        house.ask(ORDER, "hello");
        FakeDelivery recycle = house.ask(ORDER, SystemMessages.RECYCLE);
        house.settle();
        inits.get(0).complete();
        recycle.reply();
        assertThat(house.counted("hub.starts[result, failed]")).isZero();
        FakeDelivery again = house.ask(ORDER, "hello");
        FakeDelivery recycleAgain = house.ask(ORDER, SystemMessages.RECYCLE);
        house.settle();
        inits.get(1).fail(new IllegalStateException("no disk"));
        recycleAgain.reply();
        again.failure(ShuttingDown.class);
        assertThat(house.counted("hub.starts[result, failed]")).isEqualTo(1);
        house.ask(ORDER, "hello");
        house.settle();
        assertThat(made).as("a cancelled start leaves no back-off").hasValue(3);
    }

    /** G6, as far as the runtime's own messages go. */
    @Test
    void aPingIsAnsweredWhileInitRuns() {
        orders(() -> Promise.promise().future());
        house.ask(ORDER, "hello");
        Map<String, Object> state =
                house.ask(ORDER, SystemMessages.PING).reply(JsonObject.class).getMap();
        assertThat(state).containsEntry("runLevel", "STARTING").containsEntry("node", "a");
    }
}
