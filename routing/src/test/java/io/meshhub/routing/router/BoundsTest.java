package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** R17 and the in-flight bounds: what is too large or too much is a failure that says how much. */
class BoundsTest {

    private static final MeshOptions ONCE = MeshOptions.DEFAULT.withRideOut(false);

    private TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private void with(int maxBody, int inFlight, long inFlightBytes) {
        nodes.close();
        nodes = new TwoNodes(new RouterOptions(
                BudgetLadder.ofDefaults(),
                RideOutPolicy.ofDefaults(),
                maxBody,
                new InFlightBounds(inFlight, inFlightBytes, 100, 10_000, 100, 10_000)));
    }

    private Future<MeshReply> ask(Object body) {
        return nodes.caller.mesh.call(TwoNodes.ADDRESS, body, ONCE).answer();
    }

    /** R17. */
    @Test
    @Timeout(60)
    void bodyOfFourMegabytesIsSentAndOneByteMoreIsRejected() {
        Buffer most = Buffer.buffer(new byte[Envelope.DEFAULT_MAX_BODY_BYTES]);

        MeshReply reply = Await.value(ask(most));
        Rejected failure = Await.failure(ask(most.copy().appendByte((byte) 1)), Rejected.class);

        assertThat(reply.body().as(Buffer.class).orElseThrow().length()).isEqualTo(Envelope.DEFAULT_MAX_BODY_BYTES);
        assertThat(failure.getMessage()).contains("4194305").contains("4194304");
        assertThat(nodes.owner.activator.count()).isEqualTo(1);
        assertThat(nodes.isIdle()).isTrue();
    }

    /** R17. */
    @Test
    void replyOverTheBoundIsANamedFailure() {
        with(100, 10, 1_000);
        nodes.owner.activator.behave(
                delivery -> delivery.reply(MeshBody.of("x".repeat(101)), ActivationId.of(TwoNodes.EPOCH, 1)));

        HandlerFailed failure = Await.failure(ask("ping"), HandlerFailed.class);

        assertThat(failure.getMessage()).contains("101").contains("100");
        assertThat(nodes.isIdle()).isTrue();
    }

    /** R17. */
    @Test
    void rejectedMessageOfABurstHarmsNoOther() {
        with(100, 10, 1_000);
        Future<MeshReply> before = ask("before");
        Future<MeshReply> large = ask("x".repeat(101));
        Future<MeshReply> after = ask("after");

        Await.value(before);
        Await.failure(large, Rejected.class);
        Await.value(after);
    }

    @Test
    void moreThanTheBoundInFlightIsOverloadedWithTheObservedNumber() {
        with(100, 3, 1_000);
        nodes.owner.activator.behave(delivery -> {});
        for (int i = 0; i < 3; i++) {
            ask("ping");
        }

        Overloaded failure = Await.failure(ask("ping"), Overloaded.class);

        assertThat(failure.getMessage()).contains("inFlightTo:b=4");
        assertThat(failure.retryAfter()).contains(Duration.ofMillis(100));
        assertThat(nodes.caller.mesh.inFlight()).isEqualTo(3);
        Await.until(() -> nodes.owner.activator.count() == 3);
        nodes.owner.activator.deliveries().forEach(RecordingActivator::echo);
        Await.until(() -> nodes.caller.mesh.inFlight() == 0);
        Future<MeshReply> next = ask("ping");
        Await.until(() -> nodes.owner.activator.count() == 4);
        RecordingActivator.echo(nodes.owner.activator.deliveries().get(3));
        Await.value(next);
    }

    @Test
    void moreBytesThanTheBoundInFlightIsOverloadedWithTheObservedNumber() {
        with(100, 10, 150);
        nodes.owner.activator.behave(delivery -> {});
        ask("x".repeat(100));

        Overloaded failure = Await.failure(ask("y".repeat(51)), Overloaded.class);

        assertThat(failure.getMessage()).contains("inFlightBytesTo:b=151");
        ask("y".repeat(50));
        assertThat(nodes.caller.mesh.inFlight()).isEqualTo(2);
    }

    @Test
    void overloadOfTheLinkIsRiddenOut() {
        with(100, 1, 1_000);
        nodes.owner.activator.behave(delivery -> {});
        ask("first");
        Future<MeshReply> second = nodes.caller
                .mesh
                .call(TwoNodes.ADDRESS, "second", MeshOptions.DEFAULT)
                .answer();
        Await.until(() -> nodes.owner.activator.count() == 1);
        assertThat(second.isComplete()).isFalse();

        nodes.owner.activator.behave(RecordingActivator::echo);
        RecordingActivator.echo(nodes.owner.activator.deliveries().get(0));
        Await.until(() -> nodes.caller.mesh.inFlight() == 0);
        nodes.advance(Duration.ofMillis(100));

        assertThat(Await.value(second).body().as(String.class)).contains("second");
    }
}
