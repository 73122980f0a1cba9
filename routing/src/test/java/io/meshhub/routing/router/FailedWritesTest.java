package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller is told of a message whose frame could not be written: never that it was not executed, unless nothing left. */
@Timeout(60)
class FailedWritesTest {

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                // The fake membership takes this for a cluster that could not be asked.
                Arguments.of(new UnsupportedOperationException("the registry did not answer"), false),
                Arguments.of(new ConnectException("refused"), false),
                Arguments.of(new IOException("broken pipe"), true),
                Arguments.of(new ClosedChannelException(), true),
                Arguments.of(new VertxException("connection was closed"), true),
                Arguments.of(new IllegalStateException("anything else"), true));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void outcomeIsUnknownUnlessNothingCanHaveLeft(Exception failure, boolean sent) {
        PeerLink link = new PeerLink(
                nodes.owner.info, "a", nodes.caller.parts, (loop, entries) -> Future.failedFuture(failure));
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Envelope envelope = new Envelope(
                TwoNodes.ADDRESS, "t", MeshBody.of("x"), Verb.REQUEST, null, 1000, 0, null, null, null, TwoNodes.EPOCH);

        link.ask(envelope, 0, outcome::set);
        Await.until(() -> outcome.get() != null);

        assertThat(outcome.get())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .isInstanceOfSatisfying(
                                        Unavailable.class,
                                        unavailable ->
                                                assertThat(unavailable.sent()).isEqualTo(sent)));
        assertThat(link.inFlight()).isZero();
    }
}
