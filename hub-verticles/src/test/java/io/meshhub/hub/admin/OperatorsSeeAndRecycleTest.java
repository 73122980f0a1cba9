package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What operators ask of a node; O3: a port that is in use is one line. */
final class OperatorsSeeAndRecycleTest extends EdgeFixture {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Override
    HttpEdge.Builder configure(HttpEdge.Builder builder) {
        return builder.registry(registry).hubs(() -> new JsonObject().put("live", 3));
    }

    @Test
    void aNodeTellsOfItselfAndOfItsMembers() {
        JsonObject node = get("/api/v1/node").bodyAsJsonObject();
        assertThat(node.getString("name")).isEqualTo("a");
        assertThat(node.getString("state")).isEqualTo("UP");
        assertThat(node.getJsonObject("hubs").getInteger("live")).isEqualTo(3);
        JsonObject members = get("/api/v1/members").bodyAsJsonObject();
        assertThat(members.getJsonArray("nodes").getJsonObject(0).getString("incarnation"))
                .isEqualTo("a-1");
    }

    @Test
    void anAddressIsPingedThroughTheMesh() {
        JsonObject pong = new JsonObject()
                .put("tag", "017DA86C")
                .put("runLevel", "STARTED")
                .put("mailboxDepth", 0);
        mesh.reply(pong);
        assertThat(get("/api/v1/ping?address=orders/42").bodyAsJsonObject()).isEqualTo(pong);
        assertThat(mesh.last().type()).isEqualTo("mesh.ping");
        assertThat(mesh.last().to()).hasToString("orders/42");
        assertThat(problem(get("/api/v1/ping?address=orders//42"), 400).getInteger("position"))
                .isEqualTo(7);
    }

    @Test
    void anAddressIsRecycled() {
        assertThat(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42"))
                        .statusCode())
                .isEqualTo(204);
        assertThat(mesh.last().to()).hasToString("orders/42");
        assertThat(mesh.last().type()).isEqualTo("mesh.recycle");
        assertThat(mesh.last().body().isNull()).isTrue();
        mesh.fail(Unavailable.notSent(MeshAddress.of("orders/42"), "b", "moving"));
        problem(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42")), 503);
    }

    @Test
    void anAddressIsParkedAndReleased() {
        for (String order : List.of("park", "release")) {
            assertThat(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42&" + order + "=true"))
                            .statusCode())
                    .isEqualTo(204);
            assertThat(mesh.last().type()).isEqualTo("mesh.recycle");
            assertThat(mesh.last().body().as(JsonObject.class)).contains(new JsonObject().put(order, true));
        }
        problem(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42&park=true&release=true")), 400);
        problem(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42&park=yes")), 400);
        assertThat(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42&park=false"))
                        .statusCode())
                .isEqualTo(204);
        assertThat(mesh.last().body().isNull()).as("a recycle, not a park").isTrue();
        mesh.fail(Rejected.message(MeshAddress.of("orders/42"), "hub.allow-park = false"));
        assertThat(problem(send(request(HttpMethod.POST, "/api/v1/recycle?address=orders/42&park=true")), 400)
                        .getString("detail"))
                .contains("hub.allow-park");
    }

    @Test
    void metricsAreShownInPrometheusText() {
        MicrometerMetrics metrics = new MicrometerMetrics(registry);
        AtomicLong live = new AtomicLong(5);
        metrics.count("hub.messages");
        metrics.count("hub.messages");
        metrics.count("hub.refused", "kind", "Overloaded");
        metrics.time("hub.start", Duration.ofMillis(250));
        metrics.gauge("hub.live", () -> 1);
        metrics.gauge("hub.live", live::get);
        HttpResponse<Buffer> response = get("/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.getHeader("Content-Type")).startsWith("text/plain; version=0.0.4");
        assertThat(response.bodyAsString())
                .contains("hub_messages_total 2.0")
                .contains("hub_refused_total{kind=\"Overloaded\"} 1.0")
                .contains("hub_start_seconds_sum 0.25")
                .contains("hub_live 5.0");
    }

    @Test
    void aPortInUseIsOneLine() {
        HttpEdge second = HttpEdge.builder(vertx, mesh, membership)
                .options(HttpOptions.ofDefaults().withPort(edge.port()))
                .build();
        assertThatThrownBy(() -> second.start().await())
                .hasMessageStartingWith("HTTP port " + edge.port() + " on 127.0.0.1 cannot be opened: ");
    }
}
