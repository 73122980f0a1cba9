package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * F1: the owner is killed with requests in flight. They end as soon as the loss is known, with word that they may have
 * been executed; the next request to each address is answered by a later activation on the other node.
 */
@Timeout(150)
class OwnerKilledIT {

    private static final int REQUESTS = 100;
    private static final long NEVER = 60_000;

    @Test
    void requestsInFlightEndWhenTheLossIsKnownAndTheNextAreAnsweredElsewhere() {
        try (TwoNodes nodes = TwoNodes.start()) {
            List<MeshAddress> addresses = nodes.addressesOn("b", "witness", REQUESTS);
            Map<MeshAddress, Long> before = new HashMap<>();
            addresses.forEach(address -> before.put(address, who(nodes, address).activation()));
            AtomicLong lossKnown = new AtomicLong();
            nodes.hub().membership().onChange((change, node) -> {
                if (node.name().equals("b") && change == io.meshhub.routing.spi.Membership.Change.DROPPED) {
                    lossKnown.compareAndSet(0, System.nanoTime());
                }
            });
            AtomicLong lastEnd = new AtomicLong();
            List<Future<TestHubs.Me>> inFlight = new ArrayList<>();
            for (MeshAddress address : addresses) {
                inFlight.add(nodes.mesh()
                        .request(address, new TestHubs.Sleep(NEVER), TestHubs.Me.class)
                        .onComplete(done -> lastEnd.set(System.nanoTime())));
            }
            // Each is in flight: an activation answers the next message only after it took the one before.
            addresses.forEach(address -> who(nodes, address));

            nodes.child().kill();

            Awaitility.await()
                    .atMost(TwoNodes.START)
                    .until(() -> inFlight.stream().allMatch(Future::isComplete));
            assertThat(inFlight)
                    .allSatisfy(request -> assertThat(request.cause())
                            .isInstanceOfSatisfying(
                                    Unavailable.class,
                                    failure -> assertThat(failure.sent()).isTrue()));
            assertThat((lastEnd.get() - lossKnown.get()) / 1_000_000)
                    .as("milliseconds from the known loss to the last end")
                    .isLessThan(1000);
            for (MeshAddress address : addresses) {
                TestHubs.Me now = who(nodes, address);
                assertThat(now.node()).isEqualTo("a");
                assertThat(now.activation()).isGreaterThan(before.get(address));
            }
        }
    }

    private static TestHubs.Me who(TwoNodes nodes, MeshAddress address) {
        return TwoNodes.get(nodes.mesh().request(address, new TestHubs.WhoAreYou(), TestHubs.Me.class));
    }
}
