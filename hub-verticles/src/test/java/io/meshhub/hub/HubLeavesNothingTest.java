package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left of a hub after its end: nothing (D9). */
class HubLeavesNothingTest {

    private final HubHouse house = new HubHouse();
    private final AtomicReference<HubContext> context = new AtomicReference<>();
    private final List<WeakReference<HubVerticle>> hubs = new CopyOnWriteArrayList<>();
    private final List<HostedHub> handles = new CopyOnWriteArrayList<>();
    private final AtomicInteger stopped = new AtomicInteger();

    @AfterEach
    void close() {
        house.close();
    }

    private HubVerticle remember(HubVerticle hub) {
        hubs.add(new WeakReference<>(hub));
        return hub;
    }

    private void orders() {
        house.types.register(
                "orders",
                () -> remember(new TestHub((self, setup) -> {
                    context.set(self.self());
                    setup.hosts(
                            "line",
                            () -> remember(new TestHub((line, lines) -> {
                                lines.every(Duration.ofSeconds(1), line::self);
                                lines.on(
                                        "never",
                                        MeshBody.class,
                                        body -> Promise.promise().future());
                            })));
                    setup.every(Duration.ofSeconds(1), self::self);
                    setup.onDispose(() -> Future.succeededFuture(self));
                    setup.awakeWhile(() -> self.self() == null);
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                    setup.on("never", MeshBody.class, body -> Promise.promise().future());
                    setup.on("host", MeshBody.class, body -> {
                        handles.add(self.self().host("line"));
                        return Future.succeededFuture();
                    });
                    setup.on("deploy", MeshBody.class, body -> self.self().deploy(new Own(), new DeploymentOptions()));
                })));
    }

    private final class Own extends VerticleBase {
        @Override
        public Future<?> stop() {
            stopped.incrementAndGet();
            return Future.succeededFuture();
        }
    }

    @Test
    void noHubIsReachableAfterItsEndAlsoFromHandlesThatAreHeldOn() {
        orders();
        house.ask(ORDER, "host").reply();
        house.ask(ORDER, "never");
        Future<Object> inner = handles.get(0).request(null, Object.class, MeshOptions.DEFAULT.withType("never"));
        house.settle();
        HubContext held = context.get();
        Future<Void> dead = held.dispose("test");
        house.pass(HubOptions.DEFAULT_DISPOSAL_WATCHDOG);
        HubHouse.await(dead);
        assertThat(inner.failed()).isTrue();
        assertThat(hubs).hasSize(2);
        house.pass(Duration.ofSeconds(2));
        Awaitility.await().untilAsserted(() -> {
            System.gc();
            assertThat(hubs).extracting(WeakReference::get).containsOnlyNulls();
        });
        assertThat(house.time.armed()).isZero();
        assertThat(held.address()).isEqualTo(ORDER);
        assertThat(handles.get(0).address()).hasToString("orders/42/line");
    }

    @Test
    void aVerticleThatAHubDeployedEndsWithTheHub() {
        orders();
        Set<String> before = house.vertx.deploymentIDs();
        String id = house.ask(ORDER, "deploy").reply(String.class);
        assertThat(house.vertx.deploymentIDs()).contains(id);
        HubHouse.await(context.get().dispose("test"));
        assertThat(stopped).hasValue(1);
        assertThat(new HashSet<>(house.vertx.deploymentIDs())).isEqualTo(new HashSet<>(before));
        // Too late: it is undeployed at once.
        Future<String> late = context.get().deploy(new Own(), new DeploymentOptions());
        Awaitility.await().until(late::isComplete);
        assertThat(late.failed()).isTrue();
        assertThat(stopped).hasValue(2);
        assertThat(new HashSet<>(house.vertx.deploymentIDs())).isEqualTo(new HashSet<>(before));
    }

    /** D2: however many messages keep coming, a disposal takes the same few turns. */
    @Test
    void aDisposalUnderContinuousLoadTakesABoundedNumberOfTurns() {
        orders();
        house.ask(ORDER, "quick").reply();
        AtomicReference<Future<Void>> dead = new AtomicReference<>();
        AtomicInteger turns = new AtomicInteger();
        List<FakeDelivery> asked = new CopyOnWriteArrayList<>();
        house.onLoop(() -> {
            for (int i = 0; i < 600; i++) {
                asked.add(house.ask(ORDER, "quick"));
            }
            return null;
        });
        house.loops.get(0).context().runOnContext(start -> {
            dead.set(context.get().dispose("test"));
            load(dead.get(), turns, asked);
        });
        Awaitility.await().until(() -> dead.get() != null && dead.get().isComplete());
        house.settle();
        assertThat(turns).hasValueLessThan(10);
        assertThat(asked).allMatch(FakeDelivery::isEnded).allMatch(each -> each.surplus() == 0);
    }

    private void load(Future<Void> dead, AtomicInteger turns, List<FakeDelivery> asked) {
        if (dead.isComplete() || turns.incrementAndGet() > 1000) {
            return;
        }
        for (int i = 0; i < 50; i++) {
            asked.add(house.ask(ORDER, "quick"));
        }
        house.loops.get(0).context().runOnContext(next -> load(dead, turns, asked));
    }
}
