package io.meshhub.hub.admin;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** M2, M10 and S10 from the edge on: who came is who asks, wherever it leads. */
@Timeout(60)
class CallersKeepTheirPrincipalTest {

    @TempDir
    static Path directory;

    private static EnforcedNode node;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        node = new EnforcedNode(directory);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private HttpRequest.Builder request(String uri, String role) {
        return HttpRequest.newBuilder(URI.create(node.url() + uri))
                .header("Authorization", "Bearer " + EnforcedNode.token(role))
                .header("Mesh-Principal", "mallory admin");
    }

    private HttpResponse<String> post(String uri, String role, String type) throws IOException, InterruptedException {
        return http.send(
                request(uri, role)
                        .header("Mesh-Type", type)
                        .header("Mesh-Correlation-Id", "job-7")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void m10TheCallersPrincipalAndCorrelationIdAreThoseOfWhatIsSentFromALaterCallback() throws Exception {
        assertThat(post("/mesh/echo/1", "editor", "who").body()).isEqualTo("editor editor job-7");
        assertThat(post("/mesh/echo/1", "editor", "relay").body()).isEqualTo("editor editor job-7");
    }

    @Test
    void m2ARefusalSaysTheRuleAndWhoHasNoTokenNeverReachesAHub() throws Exception {
        HttpResponse<String> refused = post("/mesh/echo/1", "viewer", "who");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("none of its roles [viewer] has execute");
        assertThat(http.send(
                                HttpRequest.newBuilder(URI.create(node.url() + "/mesh/echo/1"))
                                        .header("Mesh-Principal", "mallory admin")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void m2ANotificationOfNobodyIsDroppedAndCountedLikeOneThatIsForbidden() {
        int unauthorized = node.counted("hub.ignored[reason, unauthorized]");
        int forbidden = node.counted("hub.ignored[reason, forbidden]");
        node.hub.mesh().notify(EnforcedNode.ECHO, null, EnforcedNode.as(null, "who"));
        node.hub.mesh().notify(EnforcedNode.ECHO, null, EnforcedNode.as("ann viewer", "who"));
        Awaitility.await()
                .until(() -> node.counted("hub.ignored[reason, unauthorized]") == unauthorized + 1
                        && node.counted("hub.ignored[reason, forbidden]") == forbidden + 1);
    }

    @Test
    void s10ManyEventStreamsOfTwoPrincipalsAreTwoSubscriptions() throws Exception {
        node.put("streams/a");
        int before = node.counted("sync.subscribes");
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            HttpResponse<InputStream> response = http.send(
                    request("/mesh/streams/a", i % 2 == 0 ? "viewer" : "editor")
                            .header("Accept", "text/event-stream")
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
            assertThat(lines.readLine()).isNotNull();
            open.add(response.body());
        }
        assertThat(node.counted("sync.subscribes") - before).isEqualTo(2);
        for (InputStream stream : open) {
            stream.close();
        }
    }

    @Test
    void anEmbeddersOwnRequestNeedsAPrincipalToo() {
        assertThat(await(node.hub
                        .mesh()
                        .request(EnforcedNode.ECHO, null, String.class, EnforcedNode.as("batch editor", "who"))))
                .startsWith("batch editor");
        assertThat(node.hub
                        .mesh()
                        .request(MeshAddress.of("echo/3"), null, String.class, EnforcedNode.as(null, "who"))
                        .transform(ended -> Future.succeededFuture(ended.failed()))
                        .await())
                .isTrue();
    }
}
