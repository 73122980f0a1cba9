package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.ActivationTag;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.ShuttingDown;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R20, M2, R6 at {@code mesh.route}: peers without our codecs are served in plain forms, and believed in nothing. */
class PlainPeerTest {

    private record Total(int sum) {}

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private static DeliveryOptions headers(String... pairs) {
        DeliveryOptions options = new DeliveryOptions().addHeader(EnvelopeHeaders.TO, TwoNodes.ADDRESS.toString());
        for (int i = 0; i < pairs.length; i += 2) {
            options.addHeader(pairs[i], pairs[i + 1]);
        }
        return options;
    }

    private Future<Message<Object>> request(Object body, DeliveryOptions options) {
        return nodes.vertx.eventBus().request(RouteRelay.ADDRESS, body, options);
    }

    private ReplyException failure(Object body, DeliveryOptions options) {
        Future<?> answer = request(body, options);
        Await.ended(answer);
        assertThat(answer.cause()).isInstanceOf(ReplyException.class);
        return (ReplyException) answer.cause();
    }

    private Envelope arrived() {
        Await.until(() -> nodes.owner.activator.count() > 0);
        return nodes.owner.activator.deliveries().get(0).envelope();
    }

    @Test
    void messageWithHeadersIsRelayedAndAnsweredPlainly() {
        nodes.owner.activator.behave(
                delivery -> delivery.reply(MeshBody.of(new Total(3)), ActivationId.of(TwoNodes.EPOCH, 1)));

        Message<Object> reply = Await.value(request(
                new JsonObject().put("a", 1),
                headers(EnvelopeHeaders.TYPE, "Sum", EnvelopeHeaders.CORRELATION_ID, "c-9")));

        assertThat(reply.body()).isEqualTo(new JsonObject().put("sum", 3));
        assertThat(arrived().type()).isEqualTo("Sum");
        assertThat(arrived().correlationId()).isEqualTo("c-9");
        assertThat(arrived().hops()).isEqualTo(1);
    }

    @Test
    void messageAsOneJsonObjectIsRelayed() {
        JsonObject message = new JsonObject()
                .put(EnvelopeHeaders.TO, TwoNodes.ADDRESS.toString())
                .put(EnvelopeHeaders.TYPE, "Sum")
                .put("body", new JsonObject().put("a", 1));

        Message<Object> reply = Await.value(request(message, new DeliveryOptions()));

        assertThat(reply.body()).isEqualTo(new JsonObject().put("a", 1));
        assertThat(arrived().type()).isEqualTo("Sum");
    }

    /** R20. */
    @Test
    void failureIsACodeAndATextFromWhichAddressLevelAndTagCanBeRead() {
        ActivationId activation = ActivationId.of(TwoNodes.EPOCH, 1);
        nodes.owner.activator.behave(
                delivery -> delivery.fail(ShuttingDown.refusal(TwoNodes.ADDRESS, activation, RunLevel.DEAD, "b")
                        .asEntered()));

        ReplyException failure = failure("ping", headers());

        assertThat(failure).isExactlyInstanceOf(ReplyException.class);
        assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
        assertThat(failure.failureCode()).isEqualTo(ShuttingDown.CODE_ENTERED);
        assertThat(failure.getMessage()).contains("orders/42").contains("runLevel=DEAD");
        assertThat(ActivationTag.matches(
                        ActivationTag.parse(failure.getMessage()).orElseThrow(), activation))
                .isTrue();
    }

    /** The relaying node rides for its peer. */
    @Test
    void refusalIsRiddenOutForThePeer() {
        nodes.owner.activator.behaveInTurn(List.of(
                delivery -> delivery.fail(
                        ShuttingDown.refusal(TwoNodes.ADDRESS, ActivationId.of(TwoNodes.EPOCH, 1), RunLevel.DEAD, "b")),
                RecordingActivator::echo));

        assertThat(Await.value(request("ping", headers())).body()).isEqualTo("ping");
        assertThat(nodes.owner.activator.count()).isEqualTo(2);
    }

    /** M2. */
    @Test
    void forgedPrincipalAndSenderHaveNoEffect() {
        Await.value(request("ping", headers(EnvelopeHeaders.PRINCIPAL, "admin", EnvelopeHeaders.FROM, "orders/1")));
        Await.value(request(
                new JsonObject()
                        .put(EnvelopeHeaders.TO, TwoNodes.ADDRESS.toString())
                        .put(EnvelopeHeaders.PRINCIPAL, "admin")
                        .put(EnvelopeHeaders.FROM, "not // an address"),
                new DeliveryOptions()));
        Await.value(request("ping", headers(EnvelopeHeaders.FROM, "not // an address")));

        assertThat(nodes.owner.activator.deliveries()).hasSize(3).allSatisfy(delivery -> {
            assertThat(delivery.envelope().principal()).isNull();
            assertThat(delivery.envelope().from()).isNull();
        });
    }

    /** M2. */
    @Test
    void typesOfTheMeshItselfAreRefused() {
        assertThat(failure("ping", headers(EnvelopeHeaders.TYPE, MeshRouter.RECYCLE))
                        .failureCode())
                .isEqualTo(Rejected.CODE);
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void moreThanEightHopsAreALoop() {
        Await.value(request("ping", headers(EnvelopeHeaders.HOPS, "7")));
        assertThat(arrived().hops()).isEqualTo(8);

        assertThat(failure("ping", headers(EnvelopeHeaders.HOPS, "8")).failureCode())
                .isEqualTo(RoutingLoop.CODE);
        assertThat(failure("ping", headers(EnvelopeHeaders.HOPS, "99999999999")).failureCode())
                .isEqualTo(RoutingLoop.CODE);
    }

    @Test
    void malformedMessagesAreRejected() {
        assertThat(failure("ping", new DeliveryOptions()).failureCode()).isEqualTo(Rejected.CODE);
        assertThat(failure("ping", new DeliveryOptions().addHeader(EnvelopeHeaders.TO, "a//b"))
                        .failureCode())
                .isEqualTo(Rejected.CODE);
        assertThat(failure("ping", headers(EnvelopeHeaders.DEADLINE_MS, "soon")).failureCode())
                .isEqualTo(Rejected.CODE);
        assertThat(failure("ping", headers(EnvelopeHeaders.IGNORABLE, "true")).failureCode())
                .isEqualTo(Rejected.CODE);
    }

    @Test
    void deadlineOfThePeerBoundsTheRequest() {
        nodes.owner.activator.behave(delivery -> {});
        Future<?> answer = request("ping", headers(EnvelopeHeaders.DEADLINE_MS, "2000"));
        arrived();

        nodes.advanceInSteps(Duration.ofMillis(100), 20);

        Await.ended(answer);
        assertThat(((ReplyException) answer.cause()).failureCode()).isEqualTo(5040);
        assertThat(nodes.isIdle()).isTrue();
    }

    /** R6. */
    @Test
    void ignorableMessageIsToldAndNeverAnswered() {
        nodes.owner.lease.set(false);

        nodes.vertx.eventBus().send(RouteRelay.ADDRESS, "ping", headers(EnvelopeHeaders.IGNORABLE, "true"));

        Await.until(() -> nodes.owner.metrics.count("mesh.notify.dropped") == 1);
        assertThat(nodes.isIdle()).isTrue();
    }

    /** R6. */
    @Test
    void failureThatNobodyWaitsForIsCountedOnly() {
        nodes.vertx.eventBus().send(RouteRelay.ADDRESS, "ping", headers(EnvelopeHeaders.TYPE, MeshRouter.PING));

        Await.until(() ->
                nodes.caller.metrics.count("mesh.route.lost") + nodes.owner.metrics.count("mesh.route.lost") == 1);
    }

    @Test
    void replyThatHasNoPlainFormIsANamedFailure() {
        nodes.owner.activator.behave(delivery ->
                delivery.reply(MeshBody.of(new SendAndNotifyTest.Unwritable()), ActivationId.of(TwoNodes.EPOCH, 1)));

        assertThat(failure("ping", headers()).failureCode()).isEqualTo(HandlerFailed.CODE);
    }
}
