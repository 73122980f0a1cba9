package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventType;

/** The kit, at tests that leave something behind: each fails, and is told what and where. */
class TestsThatLeaveSomethingFailTest {

    private static final MeshAddress LEAKY = MeshAddress.of("leaky/1");
    private static final Duration GRACE = Duration.ofMillis(300);

    /** A hub that forgets things where the end of a hub does not find them, or does not end. */
    static final class Leaky extends HubVerticle {

        @Override
        protected void configure(HubSetup setup) {
            setup.on("quiet", MeshBody.class, body -> {
                // All of these belong to the hub, and end with it.
                vertx.setPeriodic(60_000, id -> hub());
                vertx.eventBus().consumer("of-the-hub", message -> hub());
                return hub().deploy(new Forgotten(), new io.vertx.core.DeploymentOptions())
                        .mapEmpty();
            });
            setup.on("never", MeshBody.class, body -> Promise.promise().future());
            setup.on("clings", MeshBody.class, body -> Future.succeededFuture());
            setup.onDispose(() -> hub().address().toString().endsWith("clinging")
                    ? Promise.promise().future()
                    : Future.succeededFuture());
        }
    }

    static final class Forgotten extends VerticleBase {}

    /** Run by the kit of JUnit only; not found as tests of their own, since they are neither top-level nor nested. */
    static class Leavers {

        @RegisterExtension
        final MeshExtension mesh = MeshExtension.single()
                .hub("leaky", Leaky::new)
                .manualTime()
                .grace(GRACE)
                .build();

        private Future<Void> ask(MeshAddress to, String type) {
            return mesh.mesh()
                    .request(to, null, Void.class, MeshOptions.DEFAULT.withType(type))
                    .mapEmpty();
        }

        @Test
        void nothing() {
            MeshExtension.await(ask(LEAKY, "quiet"));
            mesh.owner(LEAKY).hangNext(1);
            ask(LEAKY, "quiet");
            mesh.owner("leaky/2").park();
        }

        @Test
        void timer() {
            mesh.node().vertx().setPeriodic(60_000, id -> {});
        }

        @Test
        void consumer() {
            mesh.node().vertx().eventBus().consumer("news", message -> {});
        }

        @Test
        void verticle() {
            MeshExtension.await(mesh.node().vertx().deployVerticle(new Forgotten()));
        }

        @Test
        void call() {
            ask(LEAKY, "never");
        }

        @Test
        void message() {
            mesh.mesh().notify(LEAKY, null, MeshOptions.DEFAULT.withType("never"));
            mesh.time().advance(Duration.ZERO);
        }

        @Test
        void busRequest() {
            mesh.node().vertx().eventBus().localConsumer("deaf", message -> {}).unregister();
            // What a consumer has not taken when it goes is answered at once.
            Promise<Void> taken = Promise.promise();
            var consumer = mesh.node().vertx().eventBus().localConsumer("deaf", message -> taken.complete());
            mesh.node().vertx().eventBus().request("deaf", "hello");
            MeshExtension.await(taken.future());
            MeshExtension.await(consumer.unregister());
        }

        @Test
        void hub() {
            MeshExtension.await(ask(MeshAddress.of("leaky/clinging"), "clings"));
        }

        @Test
        void stop() {
            mesh.node().onStop(() -> Promise.promise().future());
        }

        @Test
        void aFailureOfItsOwn() {
            mesh.node().vertx().eventBus().consumer("news", message -> {});
            throw new IllegalStateException("its own");
        }
    }

    private static List<Throwable> failures(String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Leavers.class, method))
                .execute()
                .testEvents()
                .filter(event -> event.getType() == EventType.FINISHED)
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .toList();
    }

    @Test
    void aTestThatLeavesNothingPasses() {
        assertThat(failures("nothing")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "timer, periodic timer of Vert.x whose handler is in io.meshhub.testkit.TestsThatLeaveSomethingFailTest$Leavers",
        "consumer, consumer of event-bus address 'news'",
        "verticle, verticle java:io.meshhub.testkit.TestsThatLeaveSomethingFailTest$Forgotten that is still deployed",
        "call, request to leaky/1 without an answer",
        "message, 1 messages in progress or waiting at hub leaky/1",
        "busRequest, request on the event bus without an answer",
        "hub, hub leaky/clinging that does not end",
        "stop, a stop that was cut: what runs at the stop did not end within",
    })
    void aTestThatLeavesSomethingFailsAndIsToldWhat(String method, String left) {
        assertThat(failures(method))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("left behind by the test")
                        .hasMessageContaining(left)
                        .hasMessageContaining("node=node-1"));
    }

    @Test
    void whatATestLeavesDoesNotHideWhyItFailed() {
        assertThat(failures("aFailureOfItsOwn")).singleElement().satisfies(failure -> {
            assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage("its own");
            assertThat(failure.getSuppressed())
                    .singleElement()
                    .satisfies(left -> assertThat(left).hasMessageContaining("'news'"));
        });
    }
}
