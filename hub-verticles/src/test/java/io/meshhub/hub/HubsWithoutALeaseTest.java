package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without a lease hubs do nothing, and live on: what comes back with the lease is what was there before (A9). */
class HubsWithoutALeaseTest {

    private final HubHouse house = new HubHouse();
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicInteger disposals = new AtomicInteger();
    private final AtomicReference<HubContext> hub = new AtomicReference<>();
    private final ArrayDeque<Promise<Object>> running = new ArrayDeque<>();

    @BeforeEach
    void register() {
        house.types.register("orders", () -> new TestHub(this::configure));
    }

    private void configure(TestHub self, HubSetup setup) {
        starts.incrementAndGet();
        hub.set(self.self());
        setup.on("quick", MeshBody.class, body -> {
            entered.incrementAndGet();
            return Future.succeededFuture("quick");
        });
        setup.on("slow", MeshBody.class, body -> {
                    entered.incrementAndGet();
                    Promise<Object> promise = Promise.promise();
                    running.add(promise);
                    return promise.future();
                })
                .exclusive();
        setup.every(Duration.ofSeconds(1), ticks::incrementAndGet);
        setup.onDispose(() -> {
            disposals.incrementAndGet();
            return Future.succeededFuture();
        });
    }

    @AfterEach
    void close() {
        house.close();
    }

    private static void assertNotExecuted(FakeDelivery refused) {
        Unavailable failure = refused.failure(Unavailable.class);
        assertThat(failure.sent()).isFalse();
        assertThat(failure).hasMessageContaining("holds no lease");
        assertThat(refused.acceptedBy()).isNull();
    }

    @Test
    void anAddressIsNotWoken() {
        house.leased = false;
        assertNotExecuted(house.ask(ORDER, "quick"));
        assertThat(starts).hasValue(0);

        house.leased = true;
        house.ask(ORDER, "quick").reply();
        assertThat(starts).hasValue(1);
    }

    @Test
    void aMessageThatHasWaitedSinceBeforeTheLapseEntersNoHandler() {
        FakeDelivery first = house.ask(ORDER, "slow");
        FakeDelivery second = house.ask(ORDER, "slow");
        house.settle();
        assertThat(entered).hasValue(1);

        house.leased = false;
        house.onLoop(() -> running.remove().tryComplete("done"));
        assertNotExecuted(second);
        assertThat(entered).hasValue(1);
        // Whether this one may be given is the router's to say.
        first.reply();
    }

    @Test
    void aMessageThatWaitedForTheCatalogueWakesNobody() {
        Promise<Boolean> catalogue = Promise.promise();
        house.catalog = address -> catalogue.future();
        house.types.register(HubType.catalogued("rows", () -> new TestHub(this::configure), Set.of()));
        FakeDelivery waiting = house.ask(MeshAddress.of("rows/1"), "quick");
        house.settle();
        house.leased = false;
        catalogue.complete(true);
        assertNotExecuted(waiting);
        assertThat(starts).hasValue(0);
    }

    /** A9 */
    @Test
    void aLapseWithoutATakeoverDisposesNobody() {
        ActivationId before = house.ask(ORDER, "quick").reply().activation();
        house.leased = false;
        house.pass(Duration.ofMinutes(1));
        for (int i = 0; i < 10; i++) {
            assertNotExecuted(house.ask(ORDER, "quick"));
        }
        assertThat(hub.get().level()).isEqualTo(RunLevel.STARTED);

        house.leased = true;
        assertThat(house.ask(ORDER, "quick").reply().activation()).isEqualTo(before);
        assertThat(starts).hasValue(1);
        assertThat(disposals).hasValue(0);
    }

    @Test
    void timersPassOverAndSendsDoNotLeave() {
        house.ask(ORDER, "quick").reply();
        house.pass(Duration.ofSeconds(3));
        assertThat(ticks).hasValue(3);

        house.leased = false;
        house.pass(Duration.ofSeconds(5));
        assertThat(ticks).hasValue(3);
        Future<Object> asked =
                house.onLoop(() -> hub.get().mesh().request(MeshAddress.of("stock/7"), "x", Object.class));
        CompletableFuture<Object> answer = asked.toCompletionStage().toCompletableFuture();
        assertThat(answer).failsWithin(Duration.ofSeconds(10));
        assertThat(asked.cause())
                .isInstanceOfSatisfying(
                        Unavailable.class, failure -> assertThat(failure.sent()).isFalse());
        Future<Void> recycled = house.onLoop(() -> hub.get().mesh().recycle(MeshAddress.of("stock/7")));
        assertThat(recycled.toCompletionStage().toCompletableFuture()).failsWithin(Duration.ofSeconds(10));
        assertThat(recycled.cause()).isInstanceOf(Unavailable.class);

        house.leased = true;
        house.pass(Duration.ofSeconds(2));
        assertThat(ticks).hasValue(5);
    }

    @Test
    void disposeActionsRunAllTheSame() {
        house.ask(ORDER, "quick").reply();
        house.leased = false;
        HubHouse.await(hub.get().dispose("expelled"));
        assertThat(disposals).hasValue(1);
    }
}
