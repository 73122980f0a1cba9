package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real owner that is held at DEAD, for tests that need the true refusal (D7). */
class ParkedAddressTest {

    private static final JsonObject PARK = new JsonObject().put("park", true);
    private static final JsonObject RELEASE = new JsonObject().put("release", true);

    private final HubHouse house = new HubHouse(1, HubOptions.ofDefaults().withAllowPark(true));
    private final AtomicInteger disposed = new AtomicInteger();
    private final List<ActivationId> released = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        house.close();
    }

    private void orders(HubHouse there) {
        there.types.register(
                "orders",
                () -> new TestHub((self, setup) -> setup.onDispose(() -> {
                            disposed.incrementAndGet();
                            return Future.succeededFuture();
                        })
                        .on("quick", MeshBody.class, body -> Future.succeededFuture("quick"))));
        there.runtime.onReleased((address, activation) -> released.add(activation));
    }

    private FakeDelivery recycle(HubHouse there, Object body) {
        return there.deliver(ORDER, SystemMessages.RECYCLE, body, Verb.REQUEST, 25_000);
    }

    /** D7. */
    @Test
    void aParkedAddressRefusesEveryTimeWithOneTagUntilItIsReleased() {
        orders(house);
        ActivationId parked = house.ask(ORDER, "quick").reply().activation();
        assertThat(recycle(house, PARK).reply().activation()).isEqualTo(parked);
        assertThat(disposed).hasValue(1);
        assertThat(released).isEmpty();
        recycle(house, PARK).reply();
        for (String type : List.of("quick", "unknown", SystemMessages.RECYCLE)) {
            ShuttingDown refusal = house.ask(ORDER, type).failure(ShuttingDown.class);
            assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
            assertThat(refusal.activation()).contains(parked);
            assertThat(refusal.entered()).isFalse();
        }
        assertThat(house.ask(ORDER, SystemMessages.PING).reply(JsonObject.class).getString("runLevel"))
                .isEqualTo("DEAD");
        assertThat(HubHouse.await(house.runtime.activations(1)))
                .singleElement()
                .satisfies(info -> assertThat(info.level()).isEqualTo(RunLevel.DEAD));
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.multipliedBy(2));
        house.ask(ORDER, "quick").failure(ShuttingDown.class);
        recycle(house, RELEASE).reply();
        assertThat(released).containsExactly(parked);
        assertThat(house.ask(ORDER, "quick").reply().activation()).isGreaterThan(parked);
        recycle(house, RELEASE).reply();
        assertThat(released).containsExactly(parked);
        house.ask(ORDER, "quick").reply();
    }

    @Test
    void aColdAddressIsWokenToBeParkedAndAMissingOneIsNot() {
        orders(house);
        recycle(house, PARK).reply();
        house.ask(ORDER, "quick").failure(ShuttingDown.class);
        house.deliver(MeshAddress.of("lorries/1"), SystemMessages.RECYCLE, PARK, Verb.REQUEST, 1000)
                .failure(NotFound.class);
    }

    @Test
    void parkingIsRefusedWhereItIsNotAllowedAndSoIsAnOrderThatNobodyKnows() {
        try (HubHouse strict = new HubHouse()) {
            orders(strict);
            ActivationId live = strict.ask(ORDER, "quick").reply().activation();
            for (JsonObject order : List.of(PARK, RELEASE)) {
                assertThat(recycle(strict, order).failure(Rejected.class).getMessage())
                        .contains("hub.allow-park");
            }
            assertThat(strict.ask(ORDER, "quick").reply().activation()).isEqualTo(live);
            List<Object> unknown = List.of(
                    new JsonObject().put("prk", true),
                    new JsonObject().put("park", "yes"),
                    new JsonObject().put("park", true).put("release", true),
                    "park");
            for (Object order : unknown) {
                assertThat(recycle(strict, order).failure(Rejected.class).getMessage())
                        .contains("park");
            }
            assertThat(strict.ask(ORDER, "quick").reply().activation()).isEqualTo(live);
            strict.deliver(MeshAddress.of("orders/cold"), SystemMessages.RECYCLE, PARK, Verb.REQUEST, 1000)
                    .failure(Rejected.class);
            assertThat(HubHouse.await(strict.runtime.activations(10))).hasSize(1);
        }
    }

    @Test
    void theReleaseOfItsShardEndsAParkedAddress() {
        orders(house);
        recycle(house, PARK).reply();
        HubHouse.await(house.runtime.release(Set.of(ORDER.shard()), "moved"));
        assertThat(HubHouse.await(house.runtime.activations(10))).isEmpty();
        assertThat(released).hasSize(1);
    }

    @Test
    void messagesThatAPassivationHeldAreRefusedWhenTheAddressIsParkedMeanwhile() {
        Promise<Object> gate = Promise.promise();
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> setup.onDispose(gate::future)
                        .on("quick", MeshBody.class, body -> Future.succeededFuture("quick"))));
        house.ask(ORDER, "quick").reply();
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(1));
        FakeDelivery held = house.ask(ORDER, "quick");
        house.settle();
        assertThat(held.isEnded()).isFalse();
        FakeDelivery park = recycle(house, PARK);
        house.settle();
        gate.complete("done");
        park.reply();
        held.failure(ShuttingDown.class);
    }
}
