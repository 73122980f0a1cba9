package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.guard.RetryHints;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.Overloaded;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What waits at a hub is bounded, described, and not handled when its time is over. */
class WaitingMessagesTest {

    private final HubHouse house = new HubHouse();

    @AfterEach
    void close() {
        house.close();
    }

    private FakeDelivery ask(String type) {
        return house.deliver(ORDER, type, "x", Verb.REQUEST, 25_000);
    }

    /** G1: at most 512 wait, and one that has its answer waits no longer. */
    @Test
    void endedMessagesGiveTheirPlaceInTheStartQueueBack() {
        Promise<Void> init = Promise.promise();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.init(init::future);
                    setup.on("echo", Object.class, Future::succeededFuture);
                }));
        List<FakeDelivery> waiting = new ArrayList<>();
        for (int i = 0; i < HubOptions.DEFAULT_START_QUEUE; i++) {
            waiting.add(ask("echo"));
        }
        house.settle();
        house.pass(Duration.ofSeconds(2));
        Overloaded failure = ask("echo").failure(Overloaded.class);
        assertThat(failure.getMessage()).contains("startQueue=512");
        assertThat(failure.retryAfter()).as("as long again as it has taken").contains(Duration.ofSeconds(2));

        waiting.subList(0, 2).forEach(FakeDelivery::deadlinePasses);
        house.pass(Duration.ofMillis(10));
        FakeDelivery next = ask("echo");
        FakeDelivery afterNext = ask("echo");
        ask("echo").failure(Overloaded.class);
        init.complete();
        next.reply();
        afterNext.reply();
    }

    /** R16: a message that waits for its turn on the loop knows its hub too. */
    @Test
    void aMessageThatWaitsForItsTurnIsDescribed() {
        MeshAddress other = MeshAddress.of("orders/43");
        AtomicReference<FakeDelivery> inner = new AtomicReference<>();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.on("echo", Object.class, Future::succeededFuture);
                    setup.on("nest", Object.class, body -> {
                        FakeDelivery waiting = house.deliver(other, "echo", "x", Verb.REQUEST, 25_000);
                        waiting.deadlinePasses();
                        inner.set(waiting);
                        return Future.succeededFuture();
                    });
                }));
        house.deliver(other, "echo", "x", Verb.REQUEST, 25_000).reply();
        ask("nest").reply();
        DeadlineExceeded said = inner.get().failure(DeadlineExceeded.class);
        assertThat(said.owner().mailboxDepth()).isEqualTo(1);
        assertThat(said.getMessage()).contains("orders/43", "mailbox=1");
    }

    /** A notification has no timer: when its turn comes late, it is dropped and counted. */
    @Test
    void aNotificationWhoseTimeIsOverIsNotHandled() {
        List<String> handled = new CopyOnWriteArrayList<>();
        Promise<Void> first = Promise.promise();
        house.types.register(
                "orders",
                () -> new TestHub((hub, setup) -> {
                    setup.on("first", Object.class, body -> first.future()).exclusive();
                    setup.on("told", String.class, body -> {
                        handled.add(body);
                        return Future.succeededFuture();
                    });
                }));
        ask("first");
        house.deliver(ORDER, "told", "late", Verb.NOTIFY, 1_000);
        house.deliver(ORDER, "told", "in time", Verb.NOTIFY, 5_000);
        house.settle();
        house.pass(Duration.ofMillis(1_500));
        first.complete();
        house.settle();
        assertThat(handled).containsExactly("in time");
        assertThat(house.counted("hub.ignored[reason, late]")).isEqualTo(1);
    }

    /** A full mailbox says when half of it will have been handled. */
    @Test
    void theHintOfAFullMailboxComesFromItsPace() {
        assertThat(RetryHints.ofMailbox(1024, 0, 0)).isEqualTo(RetryHints.LEAST);
        assertThat(RetryHints.ofMailbox(1000, 10, 10_000_000)).isEqualTo(Duration.ofMillis(500));
        assertThat(RetryHints.ofMailbox(1000, 0, 2_000_000_000)).isEqualTo(Duration.ofSeconds(2));
        assertThat(RetryHints.ofMailbox(1000, 1, 2_000_000_000)).isEqualTo(RetryHints.MOST);
    }
}
