package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A parked address through the real router: the true refusal, and what word of its release does to riders (R11, D7). */
class RidersAndParkedAddressesTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");
    // So slow that a rider which waits for its pace is far over the bound of this test.
    private static final RideOutPolicy SLOW = new RideOutPolicy(Duration.ofSeconds(20), 3, 16);

    private final AtomicInteger handled = new AtomicInteger();
    private final MeshHub hub = HubHouse.await(MeshHub.builder()
            .name("a")
            .options(HubOptions.ofDefaults()
                    .withDisposal(new DisposalBounds(Duration.ofSeconds(2), Duration.ofSeconds(8)), SLOW)
                    .withAllowPark(true))
            .hub(
                    "orders",
                    () -> new TestHub((self, setup) -> setup.on(
                            "quick", MeshBody.class, body -> Future.succeededFuture(handled.incrementAndGet()))))
            .start());

    @AfterEach
    void close() {
        HubHouse.await(hub.stop());
    }

    private Future<MeshReply> recycle(String order) {
        return hub.mesh()
                .call(ORDER, new JsonObject().put(order, true), MeshOptions.DEFAULT.withType("mesh.recycle"))
                .answer();
    }

    private Future<Integer> quick(MeshOptions options) {
        return hub.mesh().request(ORDER, null, Integer.class, options.withType("quick"));
    }

    @Test
    void ridersGoOnAtOnceWhenAParkedAddressIsReleased() {
        assertThat(HubHouse.await(quick(MeshOptions.DEFAULT))).isEqualTo(1);
        HubHouse.await(recycle("park"));
        Future<Integer> first = quick(MeshOptions.DEFAULT.withRideOut(false));
        Awaitility.await().until(first::isComplete);
        assertThat(first.cause()).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
            assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
            assertThat(refusal.entered()).isFalse();
        });
        Future<Integer> rider = quick(MeshOptions.DEFAULT);
        Future<Integer> impatient = quick(MeshOptions.DEFAULT.withDeadline(Duration.ofMillis(300)));
        Awaitility.await().until(impatient::isComplete);
        assertThat(impatient.cause()).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
            assertThat(refusal.attempts()).isEqualTo(2);
            assertThat(refusal.activation()).isEqualTo(((ShuttingDown) first.cause()).activation());
        });
        assertThat(rider.isComplete()).isFalse();
        HubHouse.await(recycle("release"));
        assertThat(HubHouse.await(rider)).isEqualTo(2);
    }

    @Test
    void aNodeThatStopsEndsItsParkedAddresses() {
        HubHouse.await(quick(MeshOptions.DEFAULT));
        HubHouse.await(recycle("park"));
        assertThat(HubHouse.await(hub.runtime().activations(10))).hasSize(1);
        assertThat(HubHouse.await(hub.stop()).cut()).isEmpty();
    }
}
