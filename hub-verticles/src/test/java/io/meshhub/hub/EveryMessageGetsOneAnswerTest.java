package io.meshhub.hub;

import static io.meshhub.hub.HubHouse.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.CallScope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a handler does, its caller gets exactly one answer, and the next message is handled. */
class EveryMessageGetsOneAnswerTest {

    record Pay(int amount) {}

    record Paid(int total) {}

    private final HubHouse house = new HubHouse();

    @AfterEach
    void close() {
        house.close();
    }

    private void orders(BiConsumer<TestHub, HubSetup> setup) {
        house.types.register("orders", () -> new TestHub(setup));
    }

    @Test
    void theValueOfTheFutureIsTheReply() {
        AtomicInteger total = new AtomicInteger();
        orders((hub, setup) ->
                setup.on(Pay.class, pay -> Future.succeededFuture(new Paid(total.addAndGet(pay.amount())))));
        assertThat(house.ask(ORDER, new Pay(3)).reply(Paid.class)).isEqualTo(new Paid(3));
        FakeDelivery second = house.ask(ORDER, new Pay(4));
        assertThat(second.reply(Paid.class)).isEqualTo(new Paid(7));
        assertThat(second.acceptedBy()).isEqualTo(second.reply().activation());
    }

    /** M3. */
    @Test
    void aTypeWithoutHandlerIsNotHandledAndNeverNotFound() {
        orders((hub, setup) -> {
            setup.on(Pay.class, pay -> Future.succeededFuture());
            setup.on("cancel", JsonObject.class, body -> Future.succeededFuture());
        });
        NotHandled failure = house.ask(ORDER, "refund").failure(NotHandled.class);
        assertThat(failure.allowed()).containsExactly("Pay", "cancel");
        assertThat(failure.type()).isEqualTo("refund");
        house.deliver(ORDER, "refund", null, Verb.NOTIFY, 1000);
        house.settle();
        assertThat(house.counted("hub.ignored[reason, not-handled]")).isEqualTo(1);
    }

    /** M4. */
    @Test
    void aHandlerThatThrowsOrFailsIsHandlerFailedAndTheNextMessageIsHandled() {
        orders((hub, setup) -> {
            setup.on("throws", Pay.class, pay -> {
                throw new IllegalArgumentException("broken " + pay.amount());
            });
            setup.on("fails", Pay.class, pay -> Future.failedFuture(new IOException("disk")));
            setup.on(Pay.class, pay -> Future.succeededFuture(new Paid(pay.amount())));
        });
        HandlerFailed thrown =
                house.deliver(ORDER, "throws", new Pay(1), Verb.REQUEST, 1000).failure(HandlerFailed.class);
        assertThat(thrown.causeType()).isEqualTo(IllegalArgumentException.class.getName());
        assertThat(thrown.causeMessage()).isEqualTo("broken 1");
        assertThat(thrown.entered()).isTrue();
        HandlerFailed failed =
                house.deliver(ORDER, "fails", new Pay(1), Verb.REQUEST, 1000).failure(HandlerFailed.class);
        assertThat(failed.causeMessage()).isEqualTo("disk");
        assertThat(house.ask(ORDER, new Pay(5)).reply(Paid.class)).isEqualTo(new Paid(5));
    }

    @Test
    void aReplyThatNoBodyCanHoldOrNoFutureAtAllIsHandlerFailed() {
        orders((hub, setup) -> setup.on("nothing", Pay.class, pay -> nothing()));
        assertThat(house.deliver(ORDER, "nothing", new Pay(1), Verb.REQUEST, 1000)
                        .failure(HandlerFailed.class)
                        .causeMessage())
                .contains("no future");
    }

    @SuppressWarnings("NullAway") // What an embedder without null checks can do.
    private static Future<Void> nothing() {
        return null;
    }

    /** M5. */
    @Test
    void aHandlerThatNeverCompletesEndsAtTheDeadlineAndLeavesNothing() {
        orders((hub, setup) -> setup.on(Pay.class, pay -> Promise.promise().future()));
        FakeDelivery first = house.ask(ORDER, new Pay(1));
        house.settle();
        FakeDelivery second = house.ask(ORDER, new Pay(2));
        house.settle();
        house.pass(Duration.ofMillis(400));
        second.deadlinePasses();
        DeadlineExceeded failure = second.failure(DeadlineExceeded.class);
        assertThat(failure.getMessage())
                .contains("orders/42", "'Pay'", "c-Pay", "runLevel=STARTED", "for 400 ms", "mailbox=2");
        assertThat(failure.owner().mailboxDepth()).isEqualTo(2);
        assertThat(failure.owner().messageType()).isEqualTo("Pay");
        assertThat(failure.owner().messageAge()).isEqualTo(Duration.ofMillis(400));
        assertThat(failure.runLevel()).contains(RunLevel.STARTED);
        first.deadlinePasses();
        house.settle();
        assertThat(HubHouse.await(house.runtime.activations(10)))
                .singleElement()
                .satisfies(info -> assertThat(info.mailboxDepth()).isZero());
    }

    /** M5: a send has its answer early, so no deadline of a caller lets go of it. */
    @Test
    void aSendWhoseHandlerNeverCompletesIsLetGoAtItsDeadline() {
        orders((hub, setup) -> setup.on(Pay.class, pay -> Promise.promise().future()));
        house.deliver(ORDER, "Pay", new Pay(1), Verb.SEND, 2000).reply();
        assertThat(HubHouse.await(house.runtime.activations(10)).get(0).mailboxDepth())
                .isEqualTo(1);
        house.pass(Duration.ofSeconds(4));
        assertThat(HubHouse.await(house.runtime.activations(10)).get(0).mailboxDepth())
                .isZero();
    }

    /** M7 in its present form: an activation that ends while its messages are dispatched. */
    @Test
    void aHandlerThatEndsItsOwnHubIsAnsweredAndSoAreThoseBehindIt() {
        orders((hub, setup) -> setup.on(Pay.class, pay -> {
            hub.self().dispose("paid");
            return Future.succeededFuture(new Paid(pay.amount()));
        }));
        List<FakeDelivery> asked = new ArrayList<>();
        house.loops.get(0).context().runOnContext(nothing -> {
            for (int i = 0; i < 50; i++) {
                asked.add(house.ask(ORDER, new Pay(i)));
            }
        });
        house.settle();
        assertThat(asked).hasSize(50).allMatch(FakeDelivery::isEnded).allMatch(each -> each.surplus() == 0);
        assertThat(asked.get(0).reply(Paid.class)).isEqualTo(new Paid(0));
    }

    /** M10. */
    @Test
    void thePrincipalAndTheCorrelationIdFollowAHandlerIntoLaterCallbacks() {
        List<CallScope> seen = new CopyOnWriteArrayList<>();
        orders((hub, setup) -> setup.on(Pay.class, (pay, message) -> {
            seen.add(CallScope.current());
            return hub.vertx()
                    .executeBlocking(() -> pay.amount())
                    .compose(amount -> hub.vertx().timer(1).map(amount))
                    .onSuccess(done -> seen.add(CallScope.current()))
                    .map(done -> message.principal() + message.correlationId());
        }));
        assertThat(house.ask(ORDER, new Pay(1)).reply(String.class)).isEqualTo("alicec-Pay");
        assertThat(seen).hasSize(2).allSatisfy(scope -> {
            assertThat(scope.principal()).isEqualTo("alice");
            assertThat(scope.correlationId()).isEqualTo("c-Pay");
            assertThat(scope.traceparent()).startsWith("00-");
        });
    }

    /** M12. */
    @ParameterizedTest
    @ValueSource(strings = {"shutting-down", "not-found", "unavailable", "own-overloaded"})
    void aNestedFailureLeavesAnEnteredHandlerMarkedAsSuch(String which) {
        MeshAddress other = MeshAddress.of("stock/7");
        orders((hub, setup) -> setup.on(
                Pay.class,
                pay -> Future.failedFuture(
                        switch (which) {
                            case "shutting-down" ->
                                ShuttingDown.refusal(other, hub.self().activation(), RunLevel.DEAD, "b");
                            case "not-found" -> NotFound.noNode(other, "b");
                            case "unavailable" -> Unavailable.notSent(other, "b", "moving");
                            default -> Overloaded.at(ORDER, "a", "queue", 1, Duration.ofSeconds(1));
                        })));
        MeshException failure = house.ask(ORDER, new Pay(1)).failure(MeshException.class);
        assertThat(failure.entered()).isTrue();
        assertThat(failure.remedy()).isNotIn(Remedy.RIDE_OUT, Remedy.RETRY_LATER);
        assertThat(failure.isVerdictAbout(ORDER)).isFalse();
    }

    /** M12: what a hub says of itself is a verdict. */
    @Test
    void aHubMaySayOfItselfThatItIsNotFound() {
        orders((hub, setup) -> setup.on(Pay.class, pay -> Future.failedFuture(NotFound.noNode(ORDER, "a"))));
        NotFound failure = house.ask(ORDER, new Pay(1)).failure(NotFound.class);
        assertThat(failure.isVerdictAbout(ORDER)).isTrue();
    }

    /** M13. */
    @Test
    void anExclusiveHandlerHoldsTheNextMessageAlsoPastItsDeadline() {
        AtomicReference<Promise<Object>> running = new AtomicReference<>();
        AtomicInteger entered = new AtomicInteger();
        orders((hub, setup) -> {
            setup.on(Pay.class, pay -> {
                        entered.incrementAndGet();
                        Promise<Object> promise = Promise.promise();
                        running.set(promise);
                        return promise.future();
                    })
                    .exclusive();
            setup.on("look", MeshBody.class, body -> Future.succeededFuture(entered.get()));
        });
        FakeDelivery first = house.ask(ORDER, new Pay(1));
        FakeDelivery second = house.ask(ORDER, new Pay(2));
        FakeDelivery look = house.ask(ORDER, "look");
        house.settle();
        assertThat(entered).hasValue(1);
        first.deadlinePasses();
        first.failure(DeadlineExceeded.class);
        house.pass(Duration.ofSeconds(3));
        assertThat(entered).hasValue(1);
        running.get().complete("late");
        house.settle();
        assertThat(entered).hasValue(2);
        assertThat(look.isEnded()).isFalse();
        running.get().complete("done");
        assertThat(second.reply(String.class)).isEqualTo("done");
        assertThat(look.reply(Integer.class)).isEqualTo(2);
        assertThat(first.surplus()).isZero();
    }

    /** M13. */
    @Test
    void anExclusiveHandlerThatNeverEndsGetsItsHubDisposedAsStuck() {
        orders((hub, setup) ->
                setup.on(Pay.class, pay -> Promise.promise().future()).exclusive());
        FakeDelivery first = house.ask(ORDER, new Pay(1));
        FakeDelivery second = house.deliver(ORDER, "Pay", new Pay(2), Verb.REQUEST, 120_000);
        house.pass(Duration.ofSeconds(25));
        first.deadlinePasses();
        house.pass(Duration.ofSeconds(24));
        assertThat(second.isEnded()).isFalse();
        house.pass(Duration.ofSeconds(12));
        assertThat(second.failure(ShuttingDown.class).entered()).isFalse();
        assertThat(house.counted("hub.stuck")).isEqualTo(1);
        assertThat(HubHouse.await(house.runtime.activations(10))).isEmpty();
    }

    /** M14. */
    @Test
    void aBodyThatTheHandlerCannotTakeIsRejectedWithTheTypeName() {
        orders((hub, setup) -> {
            setup.on("message", Pay.class, pay -> Future.succeededFuture());
            setup.on(Pay.class, pay -> Future.succeededFuture(new Paid(pay.amount())));
        });
        assertThat(house.ask(ORDER, (Object) "text").failure(Rejected.class).getMessage())
                .contains("string", "Pay", "orders/42");
        assertThat(house.ask(ORDER, "message").failure(Rejected.class).getMessage())
                .contains("needs a body");
        assertThat(house.ask(ORDER, new Pay(5)).reply(Paid.class)).isEqualTo(new Paid(5));
    }

    @Test
    void aFullMailboxIsOverloadedAndNothingWasExecuted() {
        orders((hub, setup) ->
                setup.on(Pay.class, pay -> Promise.promise().future()).exclusive());
        for (int i = 0; i < HubOptions.DEFAULT_MAILBOX; i++) {
            house.ask(ORDER, new Pay(i));
        }
        Overloaded failure = house.ask(ORDER, new Pay(-1)).failure(Overloaded.class);
        assertThat(failure.getMessage()).contains("mailbox=" + HubOptions.DEFAULT_MAILBOX);
        assertThat(failure.retryAfter()).isPresent();
    }

    /** D10: a future that completes on a thread of nobody answers on the hub's loop. */
    @Test
    void aFutureOfAnotherThreadAnswersToo() {
        CompletableFuture<String> foreign = new CompletableFuture<>();
        orders((hub, setup) -> setup.on(Pay.class, pay -> Future.fromCompletionStage(foreign)));
        FakeDelivery asked = house.ask(ORDER, new Pay(1));
        house.settle();
        foreign.complete("from afar");
        assertThat(asked.reply(String.class)).isEqualTo("from afar");
    }
}
