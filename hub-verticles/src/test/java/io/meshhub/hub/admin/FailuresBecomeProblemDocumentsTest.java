package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.failure.Unauthorized;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** R1 over HTTP, and the shape of every other failure: status, type, fields, and whether to come back. */
final class FailuresBecomeProblemDocumentsTest extends EdgeFixture {

    private static final MeshAddress A = MeshAddress.of("orders/42");
    private static final FailureDetail ABOUT = FailureDetail.about(A).on("b");

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(NotFound.noNode(A, "b"), 404, "Not found", null, null),
                Arguments.of(
                        ShuttingDown.refusal(A, FakeMesh.ACTIVATION, RunLevel.DEAD, "b"),
                        503,
                        "Shutting down",
                        "1",
                        "1"),
                Arguments.of(
                        ShuttingDown.refusal(A, FakeMesh.ACTIVATION, RunLevel.DEAD, "b")
                                .asEntered(),
                        503,
                        "Shutting down",
                        "1",
                        null),
                Arguments.of(Unavailable.notSent(A, "b", "moving"), 503, "Unavailable", "1", "1"),
                Arguments.of(Unavailable.sent(A, "b", "lost"), 503, "Unavailable", "1", null),
                Arguments.of(
                        new DeadlineExceeded("late", ABOUT, DeadlineExceeded.Owner.UNKNOWN, null),
                        504,
                        "Deadline exceeded",
                        "1",
                        null),
                Arguments.of(
                        new QueryProviderStalled(
                                "stalled",
                                ABOUT,
                                List.of(new Stall("p", Duration.ofSeconds(9), Duration.ofSeconds(6), 1)),
                                Duration.ofSeconds(15)),
                        504,
                        "Query provider stalled",
                        null,
                        null),
                Arguments.of(
                        Overloaded.at(A, "b", "mailbox", 1024, Duration.ofMillis(2100)), 429, "Overloaded", "3", "3"),
                Arguments.of(
                        new StartFailed("no start", ABOUT.retryAfter(Duration.ofMillis(1)), "c", "m"),
                        500,
                        "Start failed",
                        "1",
                        "1"),
                Arguments.of(
                        HandlerFailed.of(A, "T", ABOUT, new IllegalStateException("boom")),
                        500,
                        "Handler failed",
                        null,
                        null),
                Arguments.of(Rejected.message(A, "no"), 400, "Rejected", null, null),
                Arguments.of(new Unauthorized("who", ABOUT), 401, "Unauthorized", null, null),
                Arguments.of(new Forbidden("no", ABOUT), 403, "Forbidden", null, null),
                Arguments.of(Conflict.at(A, "b", 3, 4), 409, "Conflict", null, null),
                Arguments.of(new RoutingLoop("round", ABOUT), 508, "Routing loop", null, null));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void eachFailureHasItsStatusTypeAndRetry(
            MeshException failure, int status, String title, String retryOfGet, String retryOfPost) {
        mesh.fail(failure);
        HttpResponse<Buffer> read = get("/mesh/orders/42");
        JsonObject problem = problem(read, status);
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:failure:" + failure.kind());
        assertThat(problem.getString("title")).isEqualTo(title);
        assertThat(problem.getString("detail")).isEqualTo(failure.getMessage());
        assertThat(problem.getInteger("code")).isEqualTo(failure.failureCode());
        assertThat(problem.getString("remedy")).isEqualTo(failure.remedy().name());
        assertThat(problem.getString("instance")).isEqualTo("/mesh/orders/42");
        assertThat(problem.getString("address")).isEqualTo("orders/42");
        assertThat(read.getHeader("Retry-After")).isEqualTo(retryOfGet);
        HttpResponse<Buffer> posted =
                send(request(HttpMethod.POST, "/mesh/orders/42").putHeader("Mesh-Type", "T"));
        assertThat(posted.getHeader("Retry-After")).isEqualTo(retryOfPost);
    }

    @Test
    void whatIsKnownOfTheActivationIsTold() {
        ActivationId activation = FakeMesh.ACTIVATION;
        mesh.fail(
                ShuttingDown.refusal(A, activation, RunLevel.QUIESCING, "b").withAttempts(4, Duration.ofMillis(1700)));
        JsonObject problem = problem(get("/mesh/orders/42"), 503);
        assertThat(problem.getString("tag")).isEqualTo(activation.tag());
        assertThat(problem.getString("runLevel")).isEqualTo("QUIESCING");
        assertThat(problem.getString("node")).isEqualTo("b");
        assertThat(problem.getInteger("attempts")).isEqualTo(4);
        assertThat(problem.getInteger("elapsedMs")).isEqualTo(1700);
    }

    @Test
    void aConflictCarriesTheVersionThatStands() {
        mesh.fail(Conflict.at(A, "b", 3, 4));
        assertThat(problem(get("/mesh/orders/42"), 409).getLong("currentVersion"))
                .isEqualTo(4);
    }

    @Test
    void whatAHubDoesNotHandleIs405WithTheMethodsItTakes() {
        mesh.fail(NotHandled.at(A, FakeMesh.ACTIVATION, RunLevel.STARTED, "b", "put", List.of("get", "Add", "Sub")));
        HttpResponse<Buffer> response = send(request(HttpMethod.PUT, "/mesh/orders/42"), "application/json", "{}");
        JsonObject problem = problem(response, 405);
        assertThat(response.getHeader("Allow")).isEqualTo("GET, POST");
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:failure:NotHandled");
        assertThat(problem.getString("messageType")).isEqualTo("put");
        assertThat(problem.getJsonArray("allowed"))
                .isEqualTo(new JsonArray().add("Add").add("Sub").add("get"));
    }

    @Test
    void aFaultOfTheEdgeItselfIsAProblemWithoutItsText() {
        mesh.answer = envelope -> {
            throw new IllegalStateException("secret");
        };
        assertThat(problem(get("/mesh/orders/42"), 500).encode()).doesNotContain("secret");
    }
}
