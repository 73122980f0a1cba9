package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.router.MeshRouter;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** M9: thousands of requests to addresses that do not exist are all answered, and leave nothing behind. */
class MissingAddressesTest {

    private static final int MANY = 5_000;

    private final MeshHub hub = HubHouse.await(MeshHub.builder()
            .hub(new HubType("orders", () -> new TestHub((own, setup) -> {}), true, Set.of("put")))
            .start());

    @AfterEach
    void close() {
        HubHouse.await(hub.stop());
    }

    @Test
    void allAreAnsweredAndNothingIsLeft() throws Exception {
        List<Future<JsonObject>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(hub.mesh().request(MeshAddress.of("orders/missing-" + i), new JsonObject(), JsonObject.class));
        }
        Future<Void> responsive = hub.vertx().timer(1, TimeUnit.MILLISECONDS).mapEmpty();
        HubHouse.await(responsive);
        HubHouse.await(Future.join(asked).otherwiseEmpty().mapEmpty());
        assertThat(asked).allSatisfy(answer -> assertThat(answer.cause()).isInstanceOf(NotFound.class));
        assertThat(HubHouse.await(hub.runtime().activations(10))).isEmpty();
        MeshRouter router = (MeshRouter) hub.mesh();
        assertThat(router.held()).isZero();
        assertThat(router.resting()).isZero();
        assertThat(router.inFlight()).isZero();
    }
}
