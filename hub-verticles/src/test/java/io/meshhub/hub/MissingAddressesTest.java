package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** M9: thousands of requests to addresses that do not exist are all answered, and leave nothing behind. */
class MissingAddressesTest {

    private static final int MANY = 5_000;

    // The kit finds what is left at the end: calls, messages that wait, hubs.
    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .configure(builder ->
                    builder.hub(new HubType("orders", () -> new TestHub((own, setup) -> {}), true, Set.of("put"))))
            .build();

    @Test
    void allAreAnsweredAndNothingIsLeft() throws Exception {
        List<Future<JsonObject>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(mesh.mesh().request(MeshAddress.of("orders/missing-" + i), new JsonObject(), JsonObject.class));
        }
        Future<Void> responsive =
                mesh.node().vertx().timer(1, TimeUnit.MILLISECONDS).mapEmpty();
        MeshExtension.await(responsive);
        MeshExtension.await(Future.join(asked).otherwiseEmpty().mapEmpty());
        assertThat(asked).allSatisfy(answer -> assertThat(answer.cause()).isInstanceOf(NotFound.class));
        assertThat(MeshExtension.await(mesh.node().runtime().activations(10))).isEmpty();
    }
}
