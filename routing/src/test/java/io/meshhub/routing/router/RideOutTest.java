package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R11: refusals are ridden out at once, then at a pace or on news, and the deadline alone bounds it. */
class RideOutTest {

    private static final String LOCAL = "own node";
    private static final String REMOTE = "other node";
    private static final Duration PACE = Duration.ofMillis(500);
    private static final ActivationId REFUSING = ActivationId.of(TwoNodes.EPOCH, 1);

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private static void refuse(Delivery delivery) {
        delivery.fail(ShuttingDown.refusal(TwoNodes.ADDRESS, REFUSING, RunLevel.DEAD, "b"));
    }

    private MeshRouter from(String where) {
        return where.equals(LOCAL) ? nodes.owner.mesh : nodes.caller.mesh;
    }

    private Future<MeshReply> ask(String where, MeshOptions options) {
        return from(where).call(TwoNodes.ADDRESS, "ping", options).answer();
    }

    private int asked() {
        nodes.settle();
        return nodes.owner.activator.count();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void asksAgainAtOnceAndThenOncePerPace(String where) {
        nodes.owner.activator.behave(RideOutTest::refuse);
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT);

        assertThat(asked()).as("the first ask and one at once").isEqualTo(2);
        nodes.advance(PACE.minusNanos(1));
        assertThat(asked()).isEqualTo(2);
        nodes.advance(Duration.ofNanos(1));
        assertThat(asked()).isEqualTo(3);
        nodes.owner.activator.behave(RecordingActivator::echo);
        nodes.advance(PACE);

        Await.value(answer);
        assertThat(asked()).isEqualTo(4);
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void restingAtTheDeadlineTheCallerGetsTheLastRefusalItself(String where) {
        nodes.owner.activator.behave(RideOutTest::refuse);
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT.withDeadline(Duration.ofSeconds(2)));

        nodes.advanceInSteps(PACE, 4);

        ShuttingDown refusal = Await.failure(answer, ShuttingDown.class);
        assertThat(refusal.activation()).contains(REFUSING);
        assertThat(refusal.attempts()).isEqualTo(asked()).isEqualTo(5);
        assertThat(refusal.elapsed()).contains(Duration.ofSeconds(2));
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void askingAtTheDeadlineTheCallerGetsDeadlineExceededThatCarriesTheRefusal(String where) {
        nodes.owner.activator.behaveInTurn(List.of(RideOutTest::refuse, RideOutTest::refuse, delivery -> {}));
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT.withDeadline(Duration.ofSeconds(2)));

        nodes.advanceInSteps(PACE, 4);

        DeadlineExceeded late = Await.failure(answer, DeadlineExceeded.class);
        assertThat(late.lastRefusal().orElseThrow()).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(late.attempts()).isEqualTo(asked()).isEqualTo(3);
        assertThat(late.elapsed()).isPresent();
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void withoutRideOutTheFirstRefusalComesBack(String where) {
        nodes.owner.activator.behave(RideOutTest::refuse);

        Await.failure(ask(where, MeshOptions.DEFAULT.withRideOut(false)), ShuttingDown.class);

        assertThat(asked()).isEqualTo(1);
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void releaseOfTheAddressWakesTheRestAtOnce(String where) {
        nodes.owner.activator.behave(RideOutTest::refuse);
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT);
        assertThat(asked()).isEqualTo(2);

        nodes.owner.activator.behave(RecordingActivator::echo);
        nodes.owner.mesh.released(TwoNodes.ADDRESS, REFUSING);

        Await.value(answer);
        assertThat(asked()).isEqualTo(3);
        assertThat(nodes.wire.entries(Frame.Released.class)).hasSize(where.equals(REMOTE) ? 1 : 0);
    }

    /** The word of the release and the refusal come on two ways; either may be first. */
    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void releaseThatOvertakesARefusalIsNotLost(String where) {
        nodes.owner.activator.behaveInTurn(List.of(RideOutTest::refuse, delivery -> {}, RecordingActivator::echo));
        Future<MeshReply> answer = ask(where, MeshOptions.DEFAULT);
        assertThat(asked()).isEqualTo(2);

        nodes.owner.mesh.released(TwoNodes.ADDRESS, REFUSING);
        nodes.settle();
        refuse(nodes.owner.activator.deliveries().get(1));

        Await.value(answer);
        assertThat(asked()).isEqualTo(3);
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void manyRefusedMessagesOfOneNodeAreToldOfTheReleaseOnce() {
        nodes.owner.activator.behave(RideOutTest::refuse);
        List<Future<MeshReply>> answers = java.util.stream.IntStream.range(0, 20)
                .mapToObj(i -> ask(REMOTE, MeshOptions.DEFAULT))
                .toList();
        assertThat(asked()).isEqualTo(40);

        nodes.owner.activator.behave(RecordingActivator::echo);
        nodes.owner.mesh.released(TwoNodes.ADDRESS, REFUSING);
        nodes.owner.mesh.released(TwoNodes.ADDRESS, REFUSING);

        answers.forEach(Await::value);
        assertThat(nodes.wire.entries(Frame.Released.class)).hasSize(1);
    }

    @Test
    void releaseOfAnotherAddressWakesNobody() {
        nodes.owner.activator.behave(RideOutTest::refuse);
        ask(REMOTE, MeshOptions.DEFAULT);
        assertThat(asked()).isEqualTo(2);

        nodes.caller.mesh.released(io.meshhub.routing.MeshAddress.of("orders/43"), REFUSING);

        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void newerRowOfTheShardWakesTheRestAtOnce() {
        nodes.owner.activator.behave(RideOutTest::refuse);
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT);
        assertThat(asked()).isEqualTo(2);

        nodes.both(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.RELEASE));

        assertThat(Await.value(answer).node()).isEqualTo("a");
        assertThat(asked()).isEqualTo(2);
        assertThat(nodes.caller.activator.count()).isEqualTo(1);
    }

    @Test
    void overloadIsAskedAgainAfterTheTimeThatItNamed() {
        MeshException full = Overloaded.at(TwoNodes.ADDRESS, "b", "mailbox", 1024, Duration.ofMillis(70));
        nodes.owner.activator.behaveInTurn(List.of(delivery -> delivery.fail(full), RecordingActivator::echo));
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT);

        assertThat(asked()).isEqualTo(1);
        nodes.advance(Duration.ofMillis(69));
        assertThat(asked()).isEqualTo(1);
        nodes.advance(Duration.ofMillis(1));

        Await.value(answer);
        assertThat(asked()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void cancelDuringARestLeavesNothing(String where) {
        nodes.owner.activator.behave(RideOutTest::refuse);
        var call = from(where).call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT);
        assertThat(asked()).isEqualTo(2);

        assertThat(call.cancel()).isTrue();

        assertThat(nodes.isIdle()).isTrue();
        nodes.owner.mesh.released(TwoNodes.ADDRESS, REFUSING);
        nodes.advance(Duration.ofSeconds(30));
        assertThat(asked()).isEqualTo(2);
    }
}
