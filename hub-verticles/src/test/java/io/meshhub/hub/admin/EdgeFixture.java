package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.router.SingleNode;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Runs a real edge on a free port, in front of a fake mesh and a fake store. */
abstract class EdgeFixture {

    final FakeMesh mesh = new FakeMesh();
    final FakeStore store = new FakeStore();
    Vertx vertx;
    SingleNode membership;
    HttpEdge edge;
    WebClient client;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        NodeInfo self = new NodeInfo("a", "a-1", NodeInfo.State.STARTING, 1, "hub", Set.of("node"), "fake", "test");
        membership = SingleNode.start(self, FenceStore.NONE, 1).await();
        edge = configure(HttpEdge.builder(vertx, mesh, membership)
                        .options(HttpOptions.ofDefaults().withPort(0).withMaxBodyBytes(2048))
                        .store(store))
                .build()
                .start()
                .await();
        client = WebClient.create(vertx);
    }

    HttpEdge.Builder configure(HttpEdge.Builder builder) {
        return builder;
    }

    @AfterEach
    void stop() {
        edge.close().await();
        vertx.close().await();
    }

    HttpRequest<Buffer> request(HttpMethod method, String uri) {
        return client.request(method, edge.port(), "127.0.0.1", uri);
    }

    HttpResponse<Buffer> get(String uri) {
        return send(request(HttpMethod.GET, uri));
    }

    static HttpResponse<Buffer> send(HttpRequest<Buffer> request) {
        return request.send().await();
    }

    static HttpResponse<Buffer> send(HttpRequest<Buffer> request, String mediaType, String body) {
        return request.putHeader("Content-Type", mediaType)
                .sendBuffer(Buffer.buffer(body))
                .await();
    }

    /** Checks what every problem has in common, and gives its document. */
    static JsonObject problem(HttpResponse<Buffer> response, int status) {
        assertThat(response.statusCode()).as(response.bodyAsString()).isEqualTo(status);
        assertThat(response.getHeader("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
        JsonObject document = response.bodyAsJsonObject();
        assertThat(document.getInteger("status")).isEqualTo(status);
        assertThat(document.getString("type")).startsWith("urn:meshhub:");
        assertThat(document.getString("title")).isNotBlank();
        assertThat(document.getString("detail")).isNotBlank();
        assertThat(document.getString("instance")).startsWith("/");
        assertThat(document.getInteger("code") / 10)
                .isEqualTo(
                        document.getString("type").contains(":failure:") ? status : document.getInteger("code") / 10);
        assertThat(document.getString("correlationId")).isEqualTo(response.getHeader("Mesh-Correlation-Id"));
        return document;
    }
}
