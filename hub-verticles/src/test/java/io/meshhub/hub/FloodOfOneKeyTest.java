package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Overloaded;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** M8: a flood of one type to one address is refused, and nothing else is. */
class FloodOfOneKeyTest {

    private static final int LIMIT = 50;

    private final HubHouse house =
            new HubHouse(1, HubOptions.ofDefaults(), new GuardOptions(LIMIT, Duration.ofSeconds(5)));

    @BeforeEach
    void register() {
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.on("flood", Object.class, body -> Future.succeededFuture());
                    setup.on("other", Object.class, body -> Future.succeededFuture());
                }));
        ask(ORDER, "other");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private FakeDelivery ask(MeshAddress to, String type) {
        return house.deliver(to, type, "x", Verb.REQUEST, 25_000);
    }

    private void flood(int messages) {
        for (int i = 0; i < messages; i++) {
            ask(ORDER, "flood");
        }
        house.settle();
    }

    @Test
    void aFloodTripsItsOwnKeyOnlyAndHealsByItself() {
        flood(LIMIT + 20);

        Overloaded failure = ask(ORDER, "flood").failure(Overloaded.class);
        assertThat(failure.getMessage()).contains("storm=" + (LIMIT + 21));
        assertThat(failure.retryAfter().orElseThrow()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(house.counted("hub.storms")).as("said once").isEqualTo(1);
        assertThat(house.counted("hub.overloaded[bound, storm]")).isEqualTo(21);
        ask(ORDER, "other").reply();
        ask(MeshAddress.of("orders/43"), "flood").reply();

        house.pass(Duration.ofMillis(2_001));
        ask(ORDER, "flood").reply();
        assertThat(house.counted("hub.storms")).isEqualTo(1);
    }

    @Test
    void whatTheMeshItselfSaysPassesInAFlood() {
        for (int i = 0; i < 3 * LIMIT; i++) {
            house.ask(ORDER, SystemMessages.PING).reply();
        }
        flood(LIMIT + 1);
        house.ask(ORDER, SystemMessages.PING).reply();
        house.ask(ORDER, SystemMessages.RECYCLE).reply();
    }

    @Test
    void muchTrafficOverManyKeysNeverTrips() {
        for (int i = 0; i < 20 * LIMIT; i++) {
            ask(MeshAddress.of("orders/many-" + i % LIMIT), "flood").reply();
        }
        assertThat(house.counted("hub.storms")).isZero();
    }

    @Test
    void anIdleActivationHasNothingOfTheGuard() {
        flood(LIMIT + 1);
        house.pass(Duration.ofMinutes(6));
        assertThat(HubHouse.await(house.runtime.activations(10))).isEmpty();
        assertThat(house.time.armed()).isZero();
    }
}
