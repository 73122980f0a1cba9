package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.Seams;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.testkit.MeshExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What callers hear of a node whose lease lapses: whether a handler was entered, exactly. */
class AnswersUnderALeaseTest {

    private static final MeshAddress ORDER = MeshAddress.of("orders/42");

    private final AtomicBoolean held = new AtomicBoolean(true);
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger disposals = new AtomicInteger();
    private final Queue<Promise<Object>> running = new ConcurrentLinkedQueue<>();

    @RegisterExtension
    final MeshExtension mesh = MeshExtension.single()
            .hub(
                    "orders",
                    () -> new TestHub((self, setup) -> {
                        setup.on("slow", Object.class, body -> {
                            entered.incrementAndGet();
                            Promise<Object> promise = Promise.promise();
                            running.add(promise);
                            return promise.future();
                        });
                        setup.on("who", Object.class, body -> {
                            entered.incrementAndGet();
                            return Future.succeededFuture(
                                    self.self().activation().value());
                        });
                        setup.onDispose(() -> {
                            disposals.incrementAndGet();
                            return Future.succeededFuture();
                        });
                    }))
            .configure(builder -> builder.seams = new Seams(
                    UnaryOperator.identity(),
                    lease -> nanos -> held.get() && lease.heldAt(nanos),
                    UnaryOperator.identity(),
                    UnaryOperator.identity()))
            .build();

    private Future<Long> who(MeshOptions options) {
        return mesh.mesh().request(ORDER, "x", Long.class, options.withType("who"));
    }

    @Test
    void anAnswerWhoseLeaseLapsedMeanwhileIsNotGiven() {
        Future<String> asked = mesh.mesh().request(ORDER, "x", String.class, MeshOptions.DEFAULT.withType("slow"));
        Awaitility.await().until(() -> !running.isEmpty());
        held.set(false);
        running.remove().complete("too late");

        assertThat(MeshExtension.awaitFailure(asked)).isInstanceOfSatisfying(Unavailable.class, failure -> {
            assertThat(failure.sent()).as("its handler was entered").isTrue();
            assertThat(failure).hasMessageContaining("lost its lease");
        });
        assertThat(entered).as("and never again").hasValue(1);
    }

    /** What a handler found there may be another's by now: its "not found" is no more knowledge than its reply. */
    @Test
    void aVerdictOfAHandlerWhoseLeaseLapsedMeanwhileIsNotGiven() {
        Future<String> asked = mesh.mesh().request(ORDER, "x", String.class, MeshOptions.DEFAULT.withType("slow"));
        Awaitility.await().until(() -> !running.isEmpty());
        held.set(false);
        running.remove().fail(NotFound.noNode(ORDER, "a"));

        assertThat(MeshExtension.awaitFailure(asked))
                .isInstanceOfSatisfying(
                        Unavailable.class, failure -> assertThat(failure.sent()).isTrue());
    }

    /** A9 */
    @Test
    void whoAsksDuringALapseRidesItOutAndFindsTheSameActivation() {
        Long before = MeshExtension.await(who(MeshOptions.DEFAULT));
        held.set(false);
        assertThat(MeshExtension.awaitFailure(who(MeshOptions.DEFAULT.withRideOut(false))))
                .isInstanceOfSatisfying(
                        Unavailable.class, failure -> assertThat(failure.sent()).isFalse());
        assertThat(entered).hasValue(1);
        Future<Long> rider = who(MeshOptions.DEFAULT);
        held.set(true);
        assertThat(MeshExtension.await(rider)).isEqualTo(before);
        assertThat(disposals).hasValue(0);
    }
}
