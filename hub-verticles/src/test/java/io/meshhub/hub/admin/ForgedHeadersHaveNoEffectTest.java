package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.Verb;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpRequest;
import org.junit.jupiter.api.Test;

/** M2: of a client's headers only deadline, correlation id and trace context travel. */
final class ForgedHeadersHaveNoEffectTest extends EdgeFixture {

    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void aForgedPrincipalOrSystemHeaderIsNotTaken() {
        HttpRequest<Buffer> request = request(HttpMethod.POST, "/mesh/orders/42")
                .putHeader("mesh-type", "Add")
                .putHeader("mesh-principal", "admin")
                .putHeader("MESH-PRINCIPAL", "root")
                .putHeader("mesh-from", "orders/1")
                .putHeader("mesh-hops", "7")
                .putHeader("mesh-to", "orders/43")
                .putHeader("mesh-ignorable", "true")
                .putHeader("mesh-epoch", "99");
        send(
                request,
                "application/json",
                new JsonObject().put("mesh-principal", "admin").encode());
        Envelope sent = mesh.last();
        assertThat(sent.principal()).isNull();
        assertThat(sent.from()).isNull();
        assertThat(sent.hops()).isZero();
        assertThat(sent.epoch()).isZero();
        assertThat(sent.to()).hasToString("orders/42");
        assertThat(sent.verb()).isEqualTo(Verb.REQUEST);
        assertThat(sent.type()).isEqualTo("Add");
        assertThat(mesh.options.get(0).principal()).isEmpty();
        assertThat(mesh.options.get(0).from()).isEmpty();
    }

    @Test
    void deadlineCorrelationAndTraceAreTaken() {
        var response = send(request(HttpMethod.GET, "/mesh/orders/42")
                .putHeader("Mesh-Deadline-Ms", "1500")
                .putHeader("Mesh-Correlation-Id", "job-7/3")
                .putHeader("traceparent", TRACE));
        assertThat(mesh.last().deadlineMs()).isEqualTo(1500);
        assertThat(mesh.last().correlationId()).isEqualTo("job-7/3");
        assertThat(mesh.last().traceparent()).isEqualTo(TRACE);
        assertThat(mesh.options.get(0).deadline()).hasValue(java.time.Duration.ofMillis(1500));
        assertThat(response.getHeader("Mesh-Correlation-Id")).isEqualTo("job-7/3");
    }

    @Test
    void theDeadlineIsBoundedByTheOperationAndTheIdIsMade() {
        var response = send(request(HttpMethod.GET, "/mesh/orders/42")
                .putHeader("Mesh-Deadline-Ms", "99999999")
                .putHeader("traceparent", "garbage"));
        assertThat(mesh.last().deadlineMs()).isEqualTo(30_000);
        assertThat(mesh.last().traceparent()).isNull();
        assertThat(mesh.last().correlationId())
                .matches("[0-9a-f]{32}")
                .isEqualTo(response.getHeader("Mesh-Correlation-Id"));
        get("/mesh/orders/42");
        assertThat(mesh.asked.get(1).deadlineMs()).isEqualTo(30_000);
        assertThat(mesh.asked.get(1).correlationId())
                .isNotEqualTo(mesh.asked.get(0).correlationId());
    }
}
