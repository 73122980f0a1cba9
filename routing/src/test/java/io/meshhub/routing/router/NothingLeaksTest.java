package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** M6, M9: after ten thousand requests that ended in every way nothing waits, rests or is timed any more. */
class NothingLeaksTest {

    private static final int REQUESTS = 10_000;

    private final TwoNodes nodes = new TwoNodes();
    private final AtomicInteger turn = new AtomicInteger();

    @AfterEach
    void close() {
        nodes.close();
    }

    /** Replies, failures of every remedy, and silence, in turn. */
    private void mixed(Delivery delivery) {
        MeshAddress to = delivery.envelope().to();
        ActivationId activation = RecordingActivator.activation(delivery);
        switch (turn.incrementAndGet() % 8) {
            case 0 -> delivery.fail(ShuttingDown.refusal(to, activation, RunLevel.DEAD, "b"));
            case 1 -> delivery.fail(Overloaded.at(to, "b", "mailbox", 1024, Duration.ofMillis(30)));
            case 2 -> delivery.fail(Unavailable.sent(to, "b", "lease lapsed"));
            case 3 ->
                delivery.fail(
                        HandlerFailed.of(to, "Ping", FailureDetail.about(to), new IllegalStateException("broken")));
            case 4 -> delivery.describedBy(() -> Unavailable.sent(to, "b", "silent"));
            default -> RecordingActivator.echo(delivery);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void everyRequestEndsOnceAndLeavesNothing(boolean remote) {
        nodes.owner.activator.behave(this::mixed);
        MeshRouter mesh = remote ? nodes.caller.mesh : nodes.owner.mesh;
        List<Future<MeshReply>> answers = new ArrayList<>();
        AtomicInteger ends = new AtomicInteger();
        for (int i = 0; i < REQUESTS; i++) {
            MeshOptions options = MeshOptions.DEFAULT.withIdempotent(i % 5 == 0).withRideOut(i % 7 != 0);
            MeshCall<MeshReply> call = mesh.call(MeshAddress.of("orders/" + i % 500), i, options);
            answers.add(call.answer().onComplete(done -> ends.incrementAndGet()));
            if (i % 11 == 0) {
                call.cancel();
            }
            if (i % 1_000 == 0) {
                nodes.owner.mesh.released(MeshAddress.of("orders/" + i % 500), ActivationId.of(TwoNodes.EPOCH, 1));
            }
        }

        nodes.advanceInSteps(Duration.ofMillis(500), 60);

        Await.until(() -> ends.get() == REQUESTS);
        assertThat(answers)
                .filteredOn(Future::failed)
                .allSatisfy(answer -> assertThat(answer.cause()).isInstanceOf(MeshException.class));
        assertThat(nodes.caller.mesh.inFlight()).as("in flight").isZero();
        assertThat(nodes.caller.mesh.resting() + nodes.owner.mesh.resting())
                .as("resting")
                .isZero();
        assertThat(nodes.pacer.pending()).as("timers").isZero();
        assertThat(ends).hasValue(REQUESTS);
    }
}
