package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** M11, R6: a send ends when it was accepted; a notification never comes back to its sender. */
class SendAndNotifyTest {

    private static final String LOCAL = "own node";
    private static final String REMOTE = "other node";
    private static final String DROPPED = "mesh.notify.dropped";

    private final TwoNodes nodes = new TwoNodes();

    /** A body that nothing can write. */
    static final class Unwritable {
        private final Object foreign = new Object();

        public Object getForeign() {
            return foreign;
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private MeshRouter from(String where) {
        return where.equals(LOCAL) ? nodes.owner.mesh : nodes.caller.mesh;
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void sendCompletesOnAcceptanceAndNotOnTheReply(String where) {
        nodes.owner.activator.behave(delivery -> {});
        Future<Void> sent = from(where).send(TwoNodes.ADDRESS, "ping");
        Await.until(() -> nodes.owner.activator.count() == 1);
        nodes.settle();
        assertThat(sent.isComplete()).isFalse();

        nodes.owner.activator.deliveries().get(0).accepted(ActivationId.of(TwoNodes.EPOCH, 1));

        Await.value(sent);
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void sendRidesOutRefusals(String where) {
        nodes.owner.activator.behaveInTurn(List.of(
                delivery -> delivery.fail(ShuttingDown.refusal(
                        TwoNodes.ADDRESS, ActivationId.of(TwoNodes.EPOCH, 1), RunLevel.QUIESCING, "b")),
                RecordingActivator::echo));

        Await.value(from(where).send(TwoNodes.ADDRESS, "ping"));

        assertThat(nodes.owner.activator.count()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void notificationIsDeliveredOnceWithoutAnAnswer(String where) {
        from(where).notify(TwoNodes.ADDRESS, "ping");

        Await.until(() -> nodes.owner.activator.count() == 1);
        nodes.settle();
        assertThat(nodes.owner.activator.deliveries().get(0).envelope().verb()).isEqualTo(Verb.NOTIFY);
        assertThat(nodes.wire.entries(Frame.Answer.class)).isEmpty();
        assertThat(nodes.owner.metrics.count(DROPPED)).isZero();
    }

    /** R6. */
    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void refusedNotificationIsCountedAndNotAnswered(String where) {
        nodes.owner.lease.set(false);

        from(where).notify(TwoNodes.ADDRESS, "ping");

        Await.until(() -> nodes.owner.metrics.count(DROPPED) == 1);
        nodes.settle();
        assertThat(nodes.wire.entries(Frame.Answer.class)).isEmpty();
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void notificationThatCannotBeSentIsCountedAndDoesNotThrow() {
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        JsonObject foreign = new JsonObject().put("thread", Thread.currentThread());

        assertThatCode(() -> {
                    nodes.caller.mesh.notify(TwoNodes.ADDRESS, "no owner");
                    nodes.caller.shards.setAll(nodes.owner.incarnation(), TwoNodes.EPOCH);
                    nodes.caller.mesh.notify(TwoNodes.ADDRESS, new Unwritable());
                    nodes.caller.mesh.notify(TwoNodes.ADDRESS, foreign);
                    nodes.caller.mesh.notify(TwoNodes.ADDRESS, new byte[Envelope.DEFAULT_MAX_BODY_BYTES + 1]);
                })
                .doesNotThrowAnyException();

        assertThat(nodes.caller.metrics.count(DROPPED)).isEqualTo(4);
        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void notificationToALostNodeIsCounted() {
        nodes.caller.membership.drop(nodes.owner.info);

        nodes.caller.mesh.notify(TwoNodes.ADDRESS, "ping");

        assertThat(nodes.caller.metrics.count(DROPPED)).isEqualTo(1);
    }

    @Test
    void bodyThatCannotBeTakenIsAFailureAndNotAnException() {
        JsonObject foreign = new JsonObject().put("thread", Thread.currentThread());

        Await.failure(nodes.caller.mesh.request(TwoNodes.ADDRESS, foreign, String.class), Rejected.class);
        Await.failure(nodes.caller.mesh.send(TwoNodes.ADDRESS, foreign), Rejected.class);
        Await.failure(nodes.caller.mesh.request(TwoNodes.ADDRESS, new Unwritable(), String.class), Rejected.class);
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void ignorableMessageThatWaitsForAnAnswerIsRejected() {
        Envelope ignorable =
                new Envelope(TwoNodes.ADDRESS, "Ping", MeshBody.NULL, Verb.NOTIFY, null, 1_000, 0, null, null, null, 0);

        Await.failure(nodes.caller.mesh.call(ignorable, MeshOptions.DEFAULT).answer(), Rejected.class);

        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void replyThatIsNotWhatWasAskedForIsAFailure() {
        Await.failure(nodes.caller.mesh.request(TwoNodes.ADDRESS, "text", Integer.class), Rejected.class);
    }
}
