package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** M1, M6, R9, R16, R18: a request ends once, and nothing of it is left. */
class OneAnswerTest {

    private static final String LOCAL = "own node";
    private static final String REMOTE = "other node";

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private MeshRouter from(String where) {
        return where.equals(LOCAL) ? nodes.owner.mesh : nodes.caller.mesh;
    }

    private MeshCall<MeshReply> ask(String where, MeshOptions options) {
        return from(where).call(TwoNodes.ADDRESS, "ping", options);
    }

    private Delivery delivered() {
        Await.until(() -> nodes.owner.activator.count() > 0);
        // It is noted before the activator does anything with it.
        nodes.settle();
        return nodes.owner.activator.deliveries().get(0);
    }

    /** M1. */
    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void requestGetsOneReplyAndItsCorrelationIdTravels(String where) {
        AtomicInteger answers = new AtomicInteger();
        Future<MeshReply> answer = ask(
                        where, MeshOptions.DEFAULT.withCorrelationId("c-1").withPrincipal("alice"))
                .answer()
                .onComplete(done -> answers.incrementAndGet());

        MeshReply reply = Await.value(answer);

        assertThat(reply.body().as(String.class)).contains("ping");
        assertThat(reply.activation()).isEqualTo(ActivationId.of(TwoNodes.EPOCH, 1));
        assertThat(reply.node()).isEqualTo("b");
        assertThat(delivered().envelope().correlationId()).isEqualTo("c-1");
        assertThat(delivered().envelope().principal()).isEqualTo("alice");
        delivered().reply(MeshBody.of("again"), reply.activation());
        delivered().fail(Unavailable.notSent(TwoNodes.ADDRESS, "b", "late"));
        nodes.settle();
        assertThat(answers).hasValue(1);
        assertThat(nodes.owner.activator.count()).isEqualTo(1);
        assertThat(nodes.isIdle()).isTrue();
    }

    /** M6. */
    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void cancelledRequestForgetsItsLateAnswer(String where) {
        nodes.owner.activator.behave(delivery -> {});
        AtomicInteger callbacks = new AtomicInteger();
        MeshCall<MeshReply> call = ask(where, MeshOptions.DEFAULT);
        Future<MeshReply> answer = call.answer().onComplete(done -> callbacks.incrementAndGet());
        Delivery delivery = delivered();

        assertThat(call.cancel()).isTrue();
        assertThat(call.cancel()).isFalse();
        Await.failure(answer, DeadlineExceeded.class);
        assertThat(nodes.caller.mesh.inFlight()).isZero();
        delivery.reply(MeshBody.of("late"), ActivationId.of(TwoNodes.EPOCH, 1));
        nodes.settle();

        assertThat(callbacks).hasValue(1);
        assertThat(nodes.isIdle()).isTrue();
    }

    /** R16: the callee speaks first, with what it knows. */
    @Test
    void calleesOwnWordComesBeforeTheCallersTimer() {
        DeadlineExceeded.Owner busy = new DeadlineExceeded.Owner(7, "Import", Duration.ofSeconds(20));
        nodes.owner.activator.behave(delivery -> delivery.describedBy(() -> new DeadlineExceeded(
                "busy", FailureDetail.about(TwoNodes.ADDRESS).on("b"), busy, null)));
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT.withDeadline(Duration.ofSeconds(10)))
                .answer();
        delivered();

        nodes.advance(Duration.ofMillis(9_750));

        DeadlineExceeded failure = Await.failure(answer, DeadlineExceeded.class);
        assertThat(failure.owner()).isEqualTo(busy);
        assertThat(failure.node()).contains("b");
        nodes.settle();
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void descriptionThatThrowsDoesNotSwallowTheAnswer(String where) {
        nodes.owner.activator.behave(delivery -> delivery.describedBy(() -> {
            throw new IllegalStateException("broken description");
        }));
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT).answer();
        delivered();

        nodes.advance(Duration.ofSeconds(25));

        Await.failure(answer, DeadlineExceeded.class);
    }

    /** M5, the router's part: an activator that never answers leaves nothing behind. */
    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void silenceEndsWithDeadlineExceeded(String where) {
        nodes.owner.activator.behave(delivery -> {});
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT).answer();
        Delivery delivery = delivered();

        nodes.advance(Duration.ofSeconds(25));

        Await.failure(answer, DeadlineExceeded.class);
        nodes.settle();
        assertThat(delivery.isEnded()).isTrue();
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void activatorThatThrowsIsAnAnswerAndNotASilence(String where) {
        nodes.owner.activator.behave(delivery -> {
            throw new IllegalStateException("broken host");
        });

        HandlerFailed failure = Await.failure(ask(where, MeshOptions.DEFAULT).answer(), HandlerFailed.class);

        assertThat(failure.causeMessage()).isEqualTo("broken host");
        assertThat(failure.entered()).isTrue();
    }

    /** R9. */
    @Test
    void whatMayHaveBeenExecutedIsSentAgainOnlyWhenIdempotent() {
        nodes.owner.activator.behave(
                delivery -> delivery.fail(Unavailable.sent(TwoNodes.ADDRESS, "b", "lease lapsed")));

        Await.failure(ask(REMOTE, MeshOptions.DEFAULT).answer(), Unavailable.class);
        assertThat(nodes.owner.activator.count()).isEqualTo(1);

        nodes.owner.activator.behaveInTurn(java.util.List.of(
                delivery -> delivery.fail(Unavailable.sent(TwoNodes.ADDRESS, "b", "lease lapsed")),
                RecordingActivator::echo));
        Await.value(ask(REMOTE, MeshOptions.DEFAULT.withIdempotent(true)).answer());
        assertThat(nodes.owner.activator.count()).isEqualTo(3);
    }

    /** R18. */
    @Test
    void answerOfAnEpochThatWasClaimedAwayIsNotTaken() {
        Unavailable failure = Await.failure(answerAfter(ShardRow.Via.CLAIM, 1), Unavailable.class);

        assertThat(failure.sent()).isTrue();
        assertThat(nodes.caller.mesh.inFlight()).isZero();
    }

    /** R18. */
    @Test
    void answerOfAnEpochThatWasReleasedIsTaken() {
        assertThat(Await.value(answerAfter(ShardRow.Via.RELEASE, 1)).body().as(String.class))
                .contains("done");
    }

    /** R18: what a superseded activation knows is no knowledge. */
    @Test
    void verdictOfAnEpochThatWasClaimedAwayIsNotTaken() {
        nodes.owner.activator.behave(delivery -> {});
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT).answer();
        Delivery delivery = delivered();
        nodes.caller.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM));
        delivery.fail(NotFound.noNode(TwoNodes.ADDRESS, "b"));

        assertThat(Await.failure(answer, Unavailable.class).sent()).isTrue();
    }

    /** R18: of the epochs in between nothing is known. */
    @Test
    void answerOlderThanTheEpochBeforeIsNotTaken() {
        assertThat(Await.failure(answerAfter(ShardRow.Via.RELEASE, 2), Unavailable.class)
                        .sent())
                .isTrue();
    }

    private Future<MeshReply> answerAfter(ShardRow.Via via, int epochs) {
        nodes.owner.activator.behave(delivery -> {});
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT).answer();
        Delivery delivery = delivered();
        nodes.caller.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH + epochs, via));
        delivery.reply(MeshBody.of("done"), RecordingActivator.activation(delivery));
        return answer;
    }
}
