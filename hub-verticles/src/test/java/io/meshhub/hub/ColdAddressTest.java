package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether an address may be woken, and by how many at once. */
class ColdAddressTest {

    private static final MeshAddress COUNTRY = MeshAddress.of("iso/CH");

    private final HubHouse house = new HubHouse(2, HubOptions.ofDefaults());
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger lookups = new AtomicInteger();
    private final Set<MeshAddress> rows = ConcurrentHashMap.newKeySet();

    @AfterEach
    void close() {
        house.close();
    }

    private void catalogued() {
        house.types.register(HubType.catalogued("iso", this::hub, Set.of("put")));
        house.catalog = address -> {
            lookups.incrementAndGet();
            return Future.succeededFuture(rows.contains(address));
        };
    }

    private HubVerticle hub() {
        made.incrementAndGet();
        return new TestHub((hub, setup) -> {
            setup.on("get", MeshBody.class, body -> Future.succeededFuture("value"));
            setup.on("put", MeshBody.class, body -> {
                rows.add(hub.self().address());
                return Future.succeededFuture("stored");
            });
        });
    }

    @Test
    void anAddressOfNoTypeIsNotFound() {
        assertThat(house.ask(ORDER, "get").failure(NotFound.class).getMessage()).contains("no hub type matches");
    }

    /** R2. */
    @Test
    void anAncestorThatExistsDoesNotAnswerForItsDescendants() {
        catalogued();
        rows.add(COUNTRY);
        assertThat(house.ask(COUNTRY, "get").reply(String.class)).isEqualTo("value");
        NotFound failure = house.ask(COUNTRY.child("ZH"), "get").failure(NotFound.class);
        assertThat(failure.isVerdictAbout(COUNTRY.child("ZH"))).isTrue();
    }

    /** R3. */
    @Test
    void aCatalogueThatFaultsIsUnavailableAndTheNextLookUpIsNotPoisoned() {
        catalogued();
        house.catalog = address -> Future.failedFuture(new IllegalStateException("store down"));
        Unavailable failure = house.ask(COUNTRY, "get").failure(Unavailable.class);
        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("store down");
        house.catalog = address -> {
            throw new IllegalStateException("broken");
        };
        house.ask(COUNTRY, "get").failure(Unavailable.class);
        house.catalog = address -> Future.succeededFuture(true);
        assertThat(house.ask(COUNTRY, "get").reply(String.class)).isEqualTo("value");
    }

    /** R3. */
    @Test
    void aCatalogueThatHangsIsUnavailableWithinTheRungOfEachAndTheNextLookUpIsNotPoisoned() {
        catalogued();
        List<Promise<Boolean>> asked = new CopyOnWriteArrayList<>();
        house.catalog = address -> {
            Promise<Boolean> promise = Promise.promise();
            asked.add(promise);
            return promise.future();
        };
        FakeDelivery patient = house.ask(COUNTRY, "get");
        FakeDelivery impatient = house.deliver(COUNTRY, "get", null, Verb.REQUEST, 4000);
        house.pass(Duration.ofMillis(1999));
        assertThat(impatient.isEnded()).isFalse();
        house.pass(Duration.ofMillis(1));
        assertThat(impatient.failure(Unavailable.class).sent()).isFalse();
        house.pass(Duration.ofMillis(17_999));
        assertThat(patient.isEnded()).isFalse();
        house.pass(Duration.ofMillis(1));
        assertThat(patient.failure(Unavailable.class).sent()).isFalse();
        assertThat(asked).hasSize(1);
        FakeDelivery next = house.ask(COUNTRY, "get");
        house.settle();
        assertThat(asked).hasSize(2);
        asked.get(0).complete(false);
        house.settle();
        assertThat(next.isEnded()).isFalse();
        asked.get(1).complete(true);
        assertThat(next.reply(String.class)).isEqualTo("value");
    }

    /** R4. */
    @Test
    void aNegativeAnswerIsAskedForAgainAndAPositiveOneLivesAsLongAsTheActivation() {
        catalogued();
        house.ask(COUNTRY, "get").failure(NotFound.class);
        house.ask(COUNTRY, "get").failure(NotFound.class);
        assertThat(lookups).hasValue(2);
        assertThat(house.ask(COUNTRY, "put").reply(String.class)).isEqualTo("stored");
        assertThat(house.ask(COUNTRY, "get").reply(String.class)).isEqualTo("value");
        assertThat(lookups).hasValue(2);
        rows.remove(COUNTRY);
        house.ask(COUNTRY, SystemMessages.RECYCLE).reply();
        house.ask(COUNTRY, "get").failure(NotFound.class);
        assertThat(lookups).hasValue(3);
    }

    /** R4. */
    @Test
    void aCreatingMessageWakesTheAddressForThoseThatWaitForTheCatalogue() {
        catalogued();
        Promise<Boolean> never = Promise.promise();
        house.catalog = address -> never.future();
        FakeDelivery get = house.ask(COUNTRY, "get");
        FakeDelivery put = house.ask(COUNTRY, "put");
        assertThat(get.reply(String.class)).isEqualTo("value");
        assertThat(put.reply(String.class)).isEqualTo("stored");
        never.complete(false);
        house.settle();
        assertThat(made).hasValue(1);
        assertThat(get.surplus() + put.surplus()).isZero();
    }

    /** R5. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1000})
    void manyAtOnceMakeOneActivationAndKeepTheirOrder(int count) throws InterruptedException {
        HubOptions wide = HubOptions.ofDefaults().withQueues(1000, HubOptions.DEFAULT_MAILBOX);
        try (HubHouse big = new HubHouse(2, wide)) {
            List<Integer> handled = new CopyOnWriteArrayList<>();
            big.types.register(HubType.catalogued(
                    "orders",
                    () -> {
                        made.incrementAndGet();
                        return new TestHub((hub, setup) -> {
                            setup.init(() -> hub.vertx().timer(5));
                            setup.on("n", Integer.class, n -> {
                                handled.add(n);
                                return Future.succeededFuture(n);
                            });
                        });
                    },
                    Set.of()));
            big.catalog = address -> big.vertx.timer(5).map(true);
            List<FakeDelivery> asked = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                asked.add(big.deliver(ORDER, "n", i, Verb.REQUEST, 25_000));
            }
            for (int i = 0; i < count; i++) {
                assertThat(asked.get(i).reply(Integer.class)).isEqualTo(i);
            }
            assertThat(asked.stream().map(each -> each.reply().activation()).distinct())
                    .hasSize(1);
            assertThat(handled).isSorted().hasSize(count);
            assertThat(made).hasValue(1);
        }
    }

    @Test
    void aPingWakesAnAddressThatExistsAndNoOther() {
        catalogued();
        rows.add(COUNTRY);
        JsonObject state = house.ask(COUNTRY, SystemMessages.PING).reply(JsonObject.class);
        ActivationId id = new ActivationId(Long.parseLong(state.getString("activation")));
        assertThat(state.getString("tag")).isEqualTo(id.tag());
        assertThat(state.getString("runLevel")).isIn("STARTING", "STARTED");
        house.ask(COUNTRY.child("ZH"), SystemMessages.PING).failure(NotFound.class);
        house.settle();
        assertThat(made).hasValue(1);
    }

    @Test
    void aRecycleOfAColdAddressAnswersWithoutWakingIt() {
        catalogued();
        assertThat(house.ask(COUNTRY, SystemMessages.RECYCLE).reply().activation())
                .isEqualTo(ActivationId.of(7, 0));
        assertThat(lookups).hasValue(0);
        assertThat(made).hasValue(0);
    }

    /** Promise 2: what a shard's release overtakes is refused, not woken. */
    @Test
    void aLookUpThatTheReleaseOfItsShardOvertakesEndsUnavailable() {
        catalogued();
        Promise<Boolean> answer = Promise.promise();
        house.catalog = address -> answer.future();
        FakeDelivery waiting = house.ask(COUNTRY, "get");
        house.settle();
        HubHouse.await(house.runtime.release(Set.of(COUNTRY.shard()), "moved"));
        assertThat(waiting.failure(Unavailable.class).getMessage()).contains("moved");
        answer.complete(true);
        house.settle();
        assertThat(made).hasValue(0);
    }
}
