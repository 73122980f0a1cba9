package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A disposal ends, whatever hangs in it, and says what hung (D3, D8). */
class StuckDisposalTest {

    private final HubHouse house = new HubHouse();
    private final Spoken spoken = new Spoken();
    private final AtomicReference<HubContext> root = new AtomicReference<>();
    private final List<String> actions = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        spoken.close();
        house.close();
    }

    private HubContext live(Consumer<HubSetup> more) {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    root.set(self.self());
                    setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
                    setup.on("never", MeshBody.class, body -> Promise.promise().future());
                    setup.hosts("sound", () -> hosted("sound", Future.succeededFuture()));
                    setup.hosts("hangs", () -> hosted("hangs", Promise.promise().future()));
                    setup.hosts("fails", () -> hosted("fails", Future.failedFuture("no")));
                    more.accept(setup);
                }));
        house.ask(ORDER, "quick").reply();
        return root.get();
    }

    private HubVerticle hosted(String name, Future<?> disposal) {
        return new TestHub((self, setup) -> {
            setup.on("never", MeshBody.class, body -> Promise.promise().future());
            setup.onDispose(() -> {
                actions.add(name);
                return disposal;
            });
        });
    }

    private HostedHub host(String kind) {
        return house.onLoop(() -> root.get().host(kind));
    }

    /** D3. */
    @Test
    void hubsAndActionsAreTornDownThoughAHandlerNeverCompletesAndItsCallersAreAnswered() {
        HubContext context = live(setup -> setup.onDispose(() -> {
            actions.add("own");
            return Future.succeededFuture();
        }));
        HostedHub sound = host("sound");
        FakeDelivery never = house.ask(ORDER, "never");
        Future<Object> inner = sound.request(null, Object.class, MeshOptions.DEFAULT.withType("never"));
        house.settle();
        Future<Void> dead = context.dispose("test");
        house.pass(HubOptions.DEFAULT_DISPOSAL_WATCHDOG);
        HubHouse.await(dead);
        assertThat(never.failure(ShuttingDown.class).entered()).isTrue();
        assertThat(inner.cause())
                .isInstanceOfSatisfying(
                        ShuttingDown.class,
                        refusal -> assertThat(refusal.entered()).isTrue());
        assertThat(sound.level()).isEqualTo(RunLevel.DEAD);
        assertThat(actions).containsExactly("own", "sound");
    }

    /** D8. */
    @Test
    void aHostedHubThatHangsOrFailsDoesNotStopTheOthersAndTheReportNamesIt() {
        HubContext context = live(setup -> {});
        HostedHub hangs = host("hangs");
        HostedHub sound = host("sound");
        HostedHub fails = host("fails");
        house.settle();
        Future<Void> dead = context.dispose("test");
        house.settle();
        assertThat(context.level()).isEqualTo(RunLevel.DISPOSING_HOSTED_HUBS);
        assertThat(sound.level()).isEqualTo(RunLevel.DEAD);
        assertThat(fails.level()).isEqualTo(RunLevel.DEAD);
        DisposalBounds bounds = HubOptions.ofDefaults().disposal();
        Duration inner = bounds.within(bounds.watchdog()).watchdog();
        assertThat(inner).isLessThan(bounds.watchdog());
        house.pass(inner.minusMillis(1));
        assertThat(hangs.level()).isNotEqualTo(RunLevel.DEAD);
        assertThat(dead.isComplete()).isFalse();
        house.pass(Duration.ofMillis(1));
        HubHouse.await(dead);
        assertThat(hangs.level()).isEqualTo(RunLevel.DEAD);
        assertThat(actions).containsExactlyInAnyOrder("hangs", "sound", "fails");
        // Its own bound ended the hub that hung; its host was not forced.
        assertThat(spoken.with("is forced after"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("orders/42/hangs", "stuck in ACTING", "5625 ms"));
        assertThat(house.counted("hub.disposals.forced[phase, ACTING]")).isEqualTo(1);
    }

    /** D8: dispose actions that hang leave hosted hubs the time for a good end. */
    @Test
    void anActionThatHangsLeavesHostedHubsHalfOfTheTime() {
        HubContext context =
                live(setup -> setup.onDispose(() -> Promise.promise().future()));
        HostedHub sound = host("sound");
        house.settle();
        Future<Void> dead = context.dispose("test");
        Duration actionsOver = HubOptions.ofDefaults().disposal().actions();
        house.pass(actionsOver.minusMillis(1));
        assertThat(sound.level()).isEqualTo(RunLevel.STARTED);
        house.pass(Duration.ofMillis(1));
        HubHouse.await(dead);
        assertThat(sound.level()).isEqualTo(RunLevel.DEAD);
        assertThat(actions).containsExactly("sound");
        assertThat(spoken.with("Dispose actions of hub orders/42 did not end")).hasSize(1);
        assertThat(house.counted("hub.actions.late")).isEqualTo(1);
    }

    /** D3: what the watchdog says. */
    @Test
    void theReportNamesHubPhaseMessageRequestsAndHostedHubs() {
        HubContext context =
                live(setup -> setup.onDispose(() -> Promise.promise().future()));
        house.ask(ORDER, "never");
        house.pass(Duration.ofSeconds(1));
        house.onLoop(() -> root.get().mesh().request(ORDER, "x", Object.class));
        Future<Void> dead = context.dispose("because the test says so");
        house.pass(HubOptions.DEFAULT_QUIESCE);
        assertThat(spoken.with("requests of its own")).hasSize(1);
        house.onLoop(() -> root.get().mesh().request(ORDER, "x", Object.class));
        house.pass(HubOptions.DEFAULT_DISPOSAL_WATCHDOG);
        HubHouse.await(dead);
        assertThat(spoken.with("is forced after"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("WARN")
                        .contains("hub orders/42", "7500 ms", "stuck in ACTING", "reason=because the test says so")
                        .contains("message in progress='never' for 8500 ms", "own requests=1")
                        .contains(context.activation().toString()));
    }

    /** Bounds nest: hubs at every depth that hang end within the root's one bound. */
    @Test
    void aTreeOfHubsThatHangEndsWithinTheBoundOfItsRoot() {
        house.types.register("deep", () -> deep(6));
        var address = MeshAddress.of("deep/1");
        house.ask(address, "quick").reply();
        house.settle();
        FakeDelivery recycle = house.ask(address, SystemMessages.RECYCLE);
        house.pass(HubOptions.DEFAULT_DISPOSAL_WATCHDOG);
        recycle.reply();
        assertThat(house.gauges.get("hub.activations[level, STARTED]").getAsLong())
                .isZero();
        assertThat(house.gauges
                        .get("hub.activations[level, DISPOSING_HOSTED_HUBS]")
                        .getAsLong())
                .isZero();
        house.pass(Duration.ofSeconds(2));
        assertThat(house.time.armed()).isZero();
    }

    private HubVerticle deep(int levels) {
        return new TestHub((self, setup) -> {
            setup.on("quick", MeshBody.class, body -> Future.succeededFuture("quick"));
            setup.onDispose(() -> Promise.promise().future());
            if (levels > 0) {
                setup.hosts("below", () -> deep(levels - 1));
                setup.init(() -> {
                    self.self().host("below");
                    return Future.succeededFuture();
                });
            }
        });
    }
}
