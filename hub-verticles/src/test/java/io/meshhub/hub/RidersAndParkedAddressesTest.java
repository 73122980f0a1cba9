package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A parked address through the real router: the true refusal, and what word of its release does to riders (R11, D7). */
class RidersAndParkedAddressesTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");
    // So slow that a rider which waits for its pace is far over the bound of this test.
    private static final RideOutPolicy SLOW = new RideOutPolicy(Duration.ofSeconds(20), 3, 16);

    private final AtomicInteger handled = new AtomicInteger();

    @RegisterExtension
    final MeshExtension kit = MeshExtension.single()
            .options(HubOptions.ofDefaults()
                    .withDisposal(new DisposalBounds(Duration.ofSeconds(2), Duration.ofSeconds(8)), SLOW))
            .hub(
                    "orders",
                    () -> new TestHub((self, setup) -> setup.on(
                            "quick", MeshBody.class, body -> Future.succeededFuture(handled.incrementAndGet()))))
            .build();

    private Future<Integer> quick(MeshOptions options) {
        return kit.mesh().request(ORDER, null, Integer.class, options.withType("quick"));
    }

    @Test
    void ridersGoOnAtOnceWhenAParkedAddressIsReleased() {
        assertThat(MeshExtension.await(quick(MeshOptions.DEFAULT))).isEqualTo(1);
        kit.owner(ORDER).park();
        Throwable first = MeshExtension.awaitFailure(quick(MeshOptions.DEFAULT.withRideOut(false)));
        assertThat(first).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
            assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
            assertThat(refusal.entered()).isFalse();
        });
        Future<Integer> rider = quick(MeshOptions.DEFAULT);
        Throwable impatient =
                MeshExtension.awaitFailure(quick(MeshOptions.DEFAULT.withDeadline(Duration.ofMillis(300))));
        assertThat(impatient).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
            assertThat(refusal.attempts()).isEqualTo(2);
            assertThat(refusal.activation()).isEqualTo(((ShuttingDown) first).activation());
        });
        assertThat(rider.isComplete()).isFalse();
        kit.owner(ORDER).release();
        assertThat(MeshExtension.await(rider)).isEqualTo(2);
    }

    @Test
    void aNodeThatStopsEndsItsParkedAddresses() {
        MeshExtension.await(quick(MeshOptions.DEFAULT));
        kit.owner(ORDER).park();
        assertThat(MeshExtension.await(kit.node().runtime().activations(10))).hasSize(1);
        assertThat(MeshExtension.await(kit.node().stop()).cut()).isEmpty();
    }
}
