package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.guard.GateQueue;
import io.meshhub.hub.guard.Gates;
import io.meshhub.query.language.Query;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a gate decides later, what follows to the same address waits behind, and nothing else does. */
@Timeout(30)
class MessagesWaitAtTheGateTest {

    private static final MeshAddress OTHER = MeshAddress.of("orders/43");

    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final Map<String, Promise<Void>> open = new ConcurrentHashMap<>();
    private final HubHouse house = new HubHouse();

    /** What is named "slow..." is decided by the test; all else passes. */
    private final class Slow implements Gates {
        @Override
        public @Nullable Future<?> ask(Envelope envelope) {
            return envelope.type().startsWith("slow")
                    ? open.computeIfAbsent(envelope.type(), absent -> Promise.promise())
                            .future()
                    : null;
        }

        @Override
        public Future<?> mayQuery(@Nullable String principal, Query query) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Optional<String>> principalOf(@Nullable String authorization) {
            return Future.succeededFuture(Optional.empty());
        }
    }

    @BeforeEach
    void start() {
        house.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    for (String type : List.of("slow-1", "slow-2", "quick")) {
                        setup.on(type, MeshBody.class, body -> {
                            handled.add(type);
                            return Future.succeededFuture(type);
                        });
                    }
                }));
        house.runtime.gates(new Slow());
    }

    @AfterEach
    void close() {
        house.close();
    }

    private Promise<Void> decision(String type) {
        house.settle();
        return open.computeIfAbsent(type, absent -> Promise.promise());
    }

    @Test
    void whatFollowsWaitsBehindAndOrderHolds() {
        FakeDelivery first = house.ask(ORDER, "slow-1");
        FakeDelivery second = house.ask(ORDER, "slow-2");
        FakeDelivery third = house.ask(ORDER, "quick");
        house.ask(OTHER, "quick").reply();
        assertThat(handled).as("the other address waits for nobody").containsExactly("quick");
        handled.clear();

        decision("slow-2").complete();
        house.settle();
        assertThat(handled).as("the first is not decided").isEmpty();
        decision("slow-1").complete();
        first.reply();
        second.reply();
        third.reply();
        assertThat(handled).containsExactly("slow-1", "slow-2", "quick");
        assertThat(house.counted("hub.ignored[reason, forbidden]")).isZero();
    }

    @Test
    void whoIsRefusedHoldsNobodyUp() {
        FakeDelivery first = house.ask(ORDER, "slow-1");
        FakeDelivery second = house.ask(ORDER, "quick");
        decision("slow-1").fail(Forbidden.at(ORDER, "execute", "a"));

        assertThat(first.failure(Forbidden.class).isVerdictAbout(ORDER)).isTrue();
        second.reply();
        assertThat(handled).containsExactly("quick");
    }

    @Test
    void aNotificationThatIsRefusedIsDroppedAndCounted() {
        house.deliver(ORDER, "slow-1", "x", Verb.NOTIFY, 25_000);
        decision("slow-1").fail(Forbidden.at(ORDER, "execute", "a"));
        house.settle();

        assertThat(house.counted("hub.ignored[reason, forbidden]")).isEqualTo(1);
        assertThat(handled).isEmpty();
    }

    @Test
    void moreThanTheBoundIsRefusedAsOverloadedAndTheLineEmptiesAgain() {
        for (int i = 0; i < GateQueue.MOST; i++) {
            house.ask(ORDER, "slow-1");
        }
        MeshException refused = house.ask(ORDER, "slow-1").failure(Overloaded.class);
        assertThat(refused.getMessage()).contains("gate=" + GateQueue.MOST);
        assertThat(refused.retryAfter()).isPresent();

        decision("slow-1").fail(Forbidden.at(ORDER, "execute", "a"));
        house.settle();
        house.ask(ORDER, "quick").reply();
    }
}
