package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.Update;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** M2: where a principal is required, nothing without one reaches a handler or wakes an address. */
class MessagesWithoutAPrincipalTest {

    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final HubHouse house = open(true);

    private HubHouse open(boolean required) {
        HubHouse opened = new HubHouse(1, HubOptions.ofDefaults().withPrincipalRequired(required));
        opened.types.register(
                "orders",
                () -> new TestHub((self, setup) -> {
                    starts.incrementAndGet();
                    setup.on("pay", MeshBody.class, body -> {
                        entered.incrementAndGet();
                        return Future.succeededFuture("paid");
                    });
                }));
        return opened;
    }

    @AfterEach
    void close() {
        house.close();
    }

    private void assertRefused() {
        Unauthorized failure = house.ask(ORDER, "pay").failure(Unauthorized.class);
        assertThat(failure.remedy()).isEqualTo(Remedy.STOP);
        assertThat(failure.isVerdictAbout(ORDER)).isTrue();
        house.deliver(ORDER, "pay", "x", Verb.NOTIFY, 25_000);
        house.settle();
    }

    @Test
    void aRequestIsRefusedAndANotificationIsDroppedAndCounted() {
        house.principal = null;
        assertRefused();
        assertThat(house.counted("hub.ignored[reason, unauthorized]")).isEqualTo(1);
        assertThat(starts).as("the address is not woken").hasValue(0);

        house.principal = "alice";
        house.ask(ORDER, "pay").reply();
        house.principal = null;
        assertRefused();
        assertThat(house.counted("hub.ignored[reason, unauthorized]")).isEqualTo(2);
        assertThat(entered).as("those of alice").hasValue(1);
    }

    @Test
    void whatTheMeshItselfSaysNeedsNone() {
        house.principal = null;
        house.ask(ORDER, SystemMessages.PING).reply();
    }

    @Test
    void whoFollowsAndWhoUpdatesNeedsOneLikeWhoReadsAndWrites() {
        house.principal = null;
        house.ask(ORDER, Subscribe.TYPE).failure(Unauthorized.class);
        house.ask(ORDER, Update.TYPE).failure(Unauthorized.class);
        assertThat(starts).hasValue(0);
    }

    @Test
    void whereNoneIsRequiredAMessageNeedsNone() {
        try (HubHouse open = open(false)) {
            open.principal = null;
            open.ask(ORDER, "pay").reply();
        }
    }
}
