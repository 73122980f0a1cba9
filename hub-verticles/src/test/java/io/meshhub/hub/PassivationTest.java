package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An idle activation goes by itself, and nobody notices. */
class PassivationTest {

    private final HubHouse house = new HubHouse();

    @AfterEach
    void close() {
        house.close();
    }

    private void orders() {
        house.types.register(
                "orders",
                () -> new TestHub(
                        (hub, setup) -> setup.on("get", MeshBody.class, body -> Future.succeededFuture("value"))));
    }

    private ActivationId get(MeshAddress address) {
        return house.ask(address, "get").reply().activation();
    }

    /** R10. */
    @Test
    void anAddressThatWentIdleWakesAgainAlsoForTheSecondRead() {
        orders();
        ActivationId first = get(ORDER);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(1));
        assertThat(HubHouse.await(house.runtime.activations(1))).isEmpty();
        assertThat(house.time.armed()).as("an empty node arms nothing").isZero();
        ActivationId second = get(ORDER);
        assertThat(second).isGreaterThan(first);
        assertThat(get(ORDER)).isEqualTo(second);
    }

    @Test
    void eachMessageMovesTheIdleTimeoutOn() {
        orders();
        ActivationId first = get(ORDER);
        MeshAddress quiet = MeshAddress.of("orders/43");
        get(quiet);
        for (int i = 0; i < 4; i++) {
            house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.minusSeconds(10));
            assertThat(get(ORDER)).isEqualTo(first);
        }
        assertThat(HubHouse.await(house.runtime.activations(10)))
                .extracting(ActivationInfo::address)
                .containsExactly(ORDER);
    }

    @Test
    void aHubMaySayHowLongItStays() {
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> setup.idleTimeout(Duration.ofSeconds(3))
                        .on("get", MeshBody.class, body -> Future.succeededFuture("value"))));
        get(ORDER);
        house.pass(Duration.ofSeconds(2));
        assertThat(HubHouse.await(house.runtime.activations(1))).hasSize(1);
        house.pass(Duration.ofSeconds(2));
        assertThat(HubHouse.await(house.runtime.activations(1))).isEmpty();
    }

    @Test
    void aHubWithAHandlerThatRunsIsNotIdle() {
        AtomicReference<Promise<Object>> running = new AtomicReference<>();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> setup.idleTimeout(Duration.ofSeconds(3))
                        .on("get", MeshBody.class, body -> {
                            Promise<Object> promise = Promise.promise();
                            running.set(promise);
                            return promise.future();
                        })));
        FakeDelivery asked = house.ask(ORDER, "get");
        house.pass(Duration.ofSeconds(20));
        assertThat(HubHouse.await(house.runtime.activations(1))).hasSize(1);
        running.get().complete("done");
        assertThat(asked.reply(String.class)).isEqualTo("done");
        house.pass(Duration.ofSeconds(20));
        assertThat(HubHouse.await(house.runtime.activations(1))).isEmpty();
    }

    /** R10. */
    @Test
    void messagesThatComeWhileItGoesAreHeldForTheNextActivationInTheirOrder() {
        List<Promise<Object>> disposals = new ArrayList<>();
        List<Integer> handled = new ArrayList<>();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.onDispose(() -> {
                        Promise<Object> promise = Promise.promise();
                        disposals.add(promise);
                        return promise.future();
                    });
                    setup.on("get", Integer.class, n -> {
                        handled.add(n);
                        return Future.succeededFuture(n);
                    });
                }));
        ActivationId first =
                house.deliver(ORDER, "get", 0, Verb.REQUEST, 25_000).reply().activation();
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(1));
        assertThat(disposals).hasSize(1);
        List<FakeDelivery> asked = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            asked.add(house.deliver(ORDER, "get", i, Verb.REQUEST, 25_000));
        }
        house.settle();
        assertThat(asked).noneMatch(FakeDelivery::isEnded);
        disposals.get(0).complete();
        for (FakeDelivery each : asked) {
            assertThat(each.reply().activation()).isGreaterThan(first);
        }
        assertThat(handled).isSorted().hasSize(11);
    }

    @Test
    void aBurstThatGrowsIdleTogetherGoesInSlicesAndSoDoesARelease() {
        orders();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2000; i++) {
                house.ask(MeshAddress.of("orders/" + i), "get");
            }
            house.settle();
            assertThat(house.runtime.count(RunLevel.STARTED)).isEqualTo(2000);
            if (round == 0) {
                house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(1));
                Awaitility.await().until(() -> house.runtime.count(RunLevel.STARTED) == 0);
            } else {
                Set<Integer> all =
                        IntStream.range(0, MeshAddress.SHARDS).boxed().collect(Collectors.toSet());
                HubHouse.await(house.runtime.release(all, "leaving"));
            }
            assertThat(HubHouse.await(house.runtime.activations(1))).isEmpty();
        }
    }

    @Test
    void aFaultAtTheEndOfOneHubKeepsNoOtherFromPassivating() {
        orders();
        AtomicInteger faults = new AtomicInteger();
        house.runtime.onReleased((address, activation) -> {
            if (address.equals(ORDER)) {
                faults.incrementAndGet();
                throw new IllegalStateException("on purpose");
            }
        });
        get(ORDER);
        house.pass(Duration.ofSeconds(30));
        MeshAddress later = MeshAddress.of("orders/43");
        get(later);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(2));
        assertThat(faults).hasValue(1);
        assertThat(HubHouse.await(house.runtime.activations(10))).isEmpty();
        get(ORDER);
        house.pass(HubOptions.DEFAULT_IDLE_TIMEOUT.plusSeconds(2));
        assertThat(faults).hasValue(2);
    }
}
