package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a hub asks itself is waited for while it quiesces, and given up visibly after that (D4). */
class OwnRequestsTest {

    private static final MeshAddress STOCK = MeshAddress.of("stock/7");

    private final HubHouse house = new HubHouse();
    private final Spoken spoken = new Spoken();
    private final AtomicReference<HubContext> hub = new AtomicReference<>();
    private final List<Object> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        spoken.close();
        house.close();
    }

    private HubContext live() {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    hub.set(self.self());
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                    // Answered at once: what it asks goes on by itself.
                    setup.on("ask", MeshBody.class, body -> {
                        self.self()
                                .mesh()
                                .request(STOCK, "how many", Integer.class)
                                .onComplete((many, cause) -> heard.add(cause == null ? many : cause));
                        return Future.succeededFuture("asked");
                    });
                    setup.on("send", MeshBody.class, body -> {
                        self.self().mesh().send(STOCK, "take one").onFailure(heard::add);
                        return Future.succeededFuture("sent");
                    });
                }));
        house.ask(ORDER, "quick").reply();
        return hub.get();
    }

    @Test
    void aRequestOfItsOwnMayFinishWhileTheHubQuiesces() {
        HubContext context = live();
        house.ask(ORDER, "ask").reply();
        Future<Void> dead = context.dispose("test");
        house.pass(HubOptions.DEFAULT_QUIESCE.minusMillis(1));
        assertThat(context.level()).isEqualTo(RunLevel.QUIESCING);
        assertThat(dead.isComplete()).isFalse();
        house.mesh.asked.get(0).answer(3);
        HubHouse.await(dead);
        assertThat(heard).containsExactly(3);
        assertThat(house.counted("hub.calls.cancelled")).isZero();
        assertThat(spoken.with("requests of its own")).isEmpty();
    }

    @Test
    void whatIsNotAnsweredByThenFailsTypedAndIsSaidOnce() {
        HubContext context = live();
        house.ask(ORDER, "ask").reply();
        house.ask(ORDER, "ask").reply();
        house.ask(ORDER, "send").reply();
        Future<Void> dead = context.dispose("test");
        house.pass(HubOptions.DEFAULT_QUIESCE);
        HubHouse.await(dead);
        assertThat(heard)
                .hasSize(3)
                .allSatisfy(cause -> assertThat(cause)
                        .isInstanceOfSatisfying(
                                DeadlineExceeded.class,
                                late -> assertThat(late.address()).contains(STOCK.toString())));
        assertThat(house.counted("hub.calls.cancelled")).isEqualTo(3);
        assertThat(spoken.with("3 requests of its own"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("WARN")
                        .contains(
                                ORDER.toString(),
                                "after 2000 ms",
                                context.activation().toString()));
    }

    @Test
    void theLastAnswerIsHeardBeforeTheHubGoesOn() {
        HubContext context = live();
        List<RunLevel> levels = new CopyOnWriteArrayList<>();
        house.onLoop(() -> context.mesh()
                .request(STOCK, "how many", Integer.class)
                .onComplete(done -> levels.add(context.level())));
        Future<Void> dead = context.dispose("test");
        house.settle();
        house.onLoop(() -> {
            house.mesh.asked.get(0).answer(3);
            return null;
        });
        HubHouse.await(dead);
        assertThat(levels).containsExactly(RunLevel.QUIESCING);
    }

    /** D10. */
    @Test
    void aHubThatIsDeadSendsNothing() {
        HubContext context = live();
        house.ask(ORDER, "ask").reply();
        house.mesh.asked.get(0).answer(3);
        HubHouse.await(context.dispose("test"));
        Future<Integer> late = context.mesh().request(STOCK, "how many", Integer.class);
        assertThat(late.cause()).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
            assertThat(refusal.isVerdictAbout(ORDER)).isTrue();
            assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
        });
        assertThat(context.mesh().send(STOCK, "take one").cause()).isInstanceOf(MeshException.class);
        context.mesh().notify(STOCK, "news");
        assertThat(context.mesh().recycle(STOCK).cause()).isInstanceOf(ShuttingDown.class);
        assertThat(house.mesh.asked).hasSize(1);
        assertThat(house.mesh.notified).hasValue(0);
    }

    /** D2: however much is asked, one bound ends it. */
    @Test
    void aHubThatAsksOnAndOnEndsWithinItsBound() {
        HubContext context = live();
        context.mesh();
        Future<Void> dead = context.dispose("test");
        // Its end did not wait for anything: nothing was under way.
        HubHouse.await(dead);
        HubContext next = live2();
        askForEver(next);
        Future<Void> nextDead = next.dispose("test");
        house.pass(HubOptions.DEFAULT_QUIESCE);
        HubHouse.await(nextDead);
        int asked = house.mesh.asked.size();
        house.pass(Duration.ofSeconds(5));
        assertThat(house.mesh.asked).hasSize(asked);
    }

    private HubContext live2() {
        house.ask(ORDER, "quick").reply();
        return hub.get();
    }

    private void askForEver(HubContext context) {
        context.mesh().request(STOCK, "how many", Integer.class).onComplete(done -> {
            if (house.mesh.asked.size() < 1000 && !(done.cause() instanceof ShuttingDown)) {
                askForEver(context);
            }
        });
    }

    /** A hub that waits for an answer is not idle. */
    @Test
    void aHubWithARequestUnderWayIsNotPassivated() {
        HubContext context = live();
        house.ask(ORDER, "ask").reply();
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.multipliedBy(2));
        assertThat(context.level()).isEqualTo(RunLevel.STARTED);
        house.mesh.asked.get(0).answer(3);
        house.pass(Duration.ofSeconds(2));
        assertThat(context.level()).isEqualTo(RunLevel.DEAD);
        assertThat(heard).containsExactly(3);
    }
}
