package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.hub.life.ActivationIds;
import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RideOutPolicy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Types, options and ids. */
class HubBookkeepingTest {

    private static HubVerticle none() {
        return new TestHub((hub, setup) -> {});
    }

    @Test
    void theLongestPrefixOfWholeSegmentsWins() {
        HubTypes types = new HubTypes()
                .register("orders", HubBookkeepingTest::none)
                .register("orders/archive", HubBookkeepingTest::none)
                .register("orders/archive/2024", HubBookkeepingTest::none);
        assertThat(types.find(MeshAddress.of("orders/archive/7")).orElseThrow().prefix())
                .isEqualTo("orders/archive");
        assertThat(types.find(MeshAddress.of("orders/archived")).orElseThrow().prefix())
                .isEqualTo("orders");
        assertThat(types.find(MeshAddress.of("orders")).orElseThrow().prefix()).isEqualTo("orders");
        assertThat(types.find(MeshAddress.of("order/1"))).isEmpty();
        types.register("", HubBookkeepingTest::none);
        assertThat(types.find(MeshAddress.of("order/1")).orElseThrow().prefix()).isEmpty();
        assertThatThrownBy(() -> types.register("orders", HubBookkeepingTest::none))
                .hasMessageContaining("'orders'");
        assertThatThrownBy(() -> new HubType("x", HubBookkeepingTest::none, false, Set.of("put")))
                .hasMessageContaining("not catalogued");
    }

    @Test
    void optionsThatWouldLetARiderGiveUpBeforeTheWatchdogAreRefused() {
        HubOptions defaults = HubOptions.ofDefaults();
        RideOutPolicy slower = new RideOutPolicy(Duration.ofSeconds(1), 3, 16);
        DisposalBounds longer = new DisposalBounds(HubOptions.DEFAULT_QUIESCE, Duration.ofMillis(7501));
        assertThatThrownBy(() -> defaults.withDisposal(longer, defaults.rideOut()))
                .hasMessageContaining("watchdog");
        assertThat(defaults.withDisposal(longer, slower).disposal()).isEqualTo(longer);
        assertThatThrownBy(() -> new DisposalBounds(Duration.ofSeconds(2), Duration.ofSeconds(2)))
                .hasMessageContaining("quiesce");
        assertThatThrownBy(() -> defaults.withKeepAliveCap(Duration.ZERO)).hasMessageContaining("keepAliveCap");
        assertThatThrownBy(() -> defaults.withIdleTimeout(Duration.ZERO)).hasMessageContaining("idleTimeout");
    }

    @Test
    void aTypeOfTheMeshItselfCannotHaveAHandler() {
        HubSetup setup = new HubSetup();
        assertThatThrownBy(() -> setup.on(SystemMessages.PING, MeshBody.class, body -> Future.succeededFuture()))
                .hasMessageContaining("mesh.ping");
    }

    /** A3. */
    @Test
    void idsCountFromOneUnderEachEpochAndNeverFall() {
        ActivationIds ids = new ActivationIds();
        assertThat(ids.next(3, 7)).contains(ActivationId.of(7, 1));
        assertThat(ids.next(3, 7)).contains(ActivationId.of(7, 2));
        assertThat(ids.next(4, 7)).contains(ActivationId.of(7, 1));
        assertThat(ids.next(3, 9)).contains(ActivationId.of(9, 1));
        assertThat(ids.next(3, 7)).isEmpty();
        ids.resumeAfter(3, ActivationId.of(9, ActivationId.MAX_COUNTER));
        assertThat(ids.next(3, 9)).isEmpty();
    }

    /** A3. */
    @Test
    void aCounterThatIsUsedUpTakesTheShardAnewAndEndsWhatLivesUnderTheOldEpoch() {
        try (HubHouse house = new HubHouse()) {
            house.types.register(
                    "orders",
                    () -> new TestHub(
                            (hub, setup) -> setup.on("get", MeshBody.class, body -> Future.succeededFuture("value"))));
            ActivationId before = house.ask(HubHouse.ORDER, "get").reply().activation();
            assertThat(before).isEqualTo(ActivationId.of(7, 1));
            int shard = HubHouse.ORDER.shard();
            house.runtime.ids().resumeAfter(shard, ActivationId.of(7, ActivationId.MAX_COUNTER));
            MeshAddress neighbour = neighbourOf(shard);
            assertThat(house.ask(neighbour, "get").reply().activation()).isEqualTo(ActivationId.of(8, 1));
            assertThat(house.ask(HubHouse.ORDER, "get").reply().activation()).isEqualTo(ActivationId.of(8, 2));
        }
    }

    private static MeshAddress neighbourOf(int shard) {
        for (int i = 100; ; i++) {
            MeshAddress address = MeshAddress.of("orders/" + i);
            if (address.shard() == shard) {
                return address;
            }
        }
    }
}
