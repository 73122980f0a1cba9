package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.access.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** O2, O5: an open node is reached from its machine only, and a guarded one says all that is wrong with its guards. */
@Timeout(120)
class SecuritySettingsTest {

    private static final String ASSIGNMENT = "/mesh/iso/_Access/countries";

    @TempDir
    Path directory;

    private static Settings<MeshHubSettings> load(String... pairs) throws SettingsException {
        List<SettingsFlag> flags = Arrays.stream(pairs)
                .map(pair -> new SettingsFlag(pair.split("=", 2)[0], "--set", pair.split("=", 2)[1]))
                .toList();
        return SettingsRules.loader().load(SettingsSources.none().withFlags(flags));
    }

    private static String refusal(String... pairs) {
        try {
            load(pairs);
            return "";
        } catch (SettingsException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String file(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String tokens() {
        return file(
                "tokens.yaml",
                "- name: otto\n  token-sha256: " + Tokens.hash("the-token-of-otto") + "\n  roles: [operator]\n"
                        + "- name: ada\n  token-sha256: " + Tokens.hash("the-token-of-ada") + "\n  roles: [admin]\n"
                        + "- name: eve\n  token-sha256: " + Tokens.hash("the-token-of-eve") + "\n  roles: []\n");
    }

    @Test
    void anOpenNodeIsReachedFromItsMachineOnly() {
        assertThat(refusal("http.host=0.0.0.0")).contains("http.host = 0.0.0.0", "where security.mode is open");
        assertThat(refusal("http.host=no-such-host.invalid")).contains("where security.mode is open");
        assertThat(refusal("http.host=localhost")).isEmpty();
        assertThat(refusal("http.host=::1")).isEmpty();
        assertThat(refusal("http.host=0.0.0.0", "security.mode=enforced", "security.tokens-file=" + tokens()))
                .isEmpty();
    }

    @Test
    void aNodeThatNobodyCouldEnterIsRefused() {
        assertThat(refusal("security.mode=enforced")).contains("security.mode", "must name who may come in");
    }

    @Test
    void allFaultsOfTheTokensAreToldAndNoneOfTheirValues() {
        String broken = file("broken.yaml", "- name: a b\n  token-sha256: clear-text\n  roles: [x]\n- 7\n");
        assertThat(refusal("security.mode=enforced", "security.tokens-file=" + broken))
                .contains("security.tokens-file", "entry 1 (line 1): name", "64 hex digits", "entry 2 (line 4)")
                .doesNotContain("clear-text");
    }

    @Test
    void theKeysOfJsonWebTokensMustFitTogether() {
        String secret = file("secret", "0123456789abcdef0123456789abcdef\n");
        String shorter = file("shorter", "hush");
        String of = "security.jwt.secret-file=" + secret;
        String issuer = "security.jwt.issuer=i";
        String audience = "security.jwt.audience=a";
        String on = "security.mode=enforced";
        assertThat(refusal(on, of, issuer, audience)).isEmpty();
        assertThat(refusal(on, of, issuer)).contains("issuer and security.jwt.audience must be set");
        assertThat(refusal(on, of, issuer, audience, "security.jwt.algorithm=RS256"))
                .contains("is none for a secret");
        assertThat(refusal(on, of, issuer, audience, "security.jwt.public-key-file=" + secret))
                .contains("exclude each other");
        assertThat(refusal(on, issuer, audience, "security.jwt.public-key-file=" + secret))
                .contains("is no public key in PEM");
        assertThat(refusal(on, issuer, audience, "security.jwt.secret-file=" + shorter))
                .contains("has 4 characters")
                .doesNotContain("hush");
        assertThat(refusal(on, issuer, audience, "security.jwt.secret-file=" + directory.resolve("absent")))
                .contains("does not exist");
        assertThat(refusal(issuer)).contains("they need security.jwt.public-key-file");
    }

    @Test
    void aNodeWithTheseSettingsAsksWhoComes() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HostedNode node = new HostedNode(load(
                "security.mode=enforced",
                "security.tokens-file=" + tokens(),
                "store.kind=memory",
                "data=" + directory,
                "http.port=" + port));
        node.start().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        try {
            assertThat(status(port, "/health/live", "")).isEqualTo(200);
            assertThat(status(port, "/api/v1/node", "")).isEqualTo(401);
            assertThat(status(port, "/api/v1/node", "Bearer another")).isEqualTo(401);
            assertThat(status(port, "/api/v1/node", "Bearer the-token-of-otto")).isEqualTo(200);
            assertThat(status(port, "/mesh/a/b", "Bearer the-token-of-otto")).isEqualTo(404);
            String editor = "{\"principal\": \"eve\", \"role\": \"editor\", \"effect\": \"allow\"}";
            assertThat(put(port, "/mesh/iso/DE", "country", "{}", "Bearer the-token-of-eve"))
                    .as("nothing says yet who may do what")
                    .isEqualTo(503);
            assertThat(put(port, ASSIGNMENT, "access-assignment", editor, "Bearer the-token-of-ada"))
                    .isEqualTo(201);
            Awaitility.await()
                    .until(() -> put(port, "/mesh/iso/DE", "country", "{}", "Bearer the-token-of-eve") == 201);
            assertThat(put(port, ASSIGNMENT + "-2", "access-assignment", editor, "Bearer the-token-of-eve"))
                    .as("an editor does not say who may do what")
                    .isEqualTo(403);
            assertThat(put(port, "/mesh/other/DE", "country", "{}", "Bearer the-token-of-eve"))
                    .as("what she may in one partition says nothing of another")
                    .isEqualTo(503);
        } finally {
            node.stop(Duration.ofSeconds(20))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private static int put(int port, String path, String type, String content, String authorization)
            throws IOException, InterruptedException {
        String node = "{\"nodeType\": \"" + type + "\", \"name\": \"x\", \"content\": " + content + "}";
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                // What cannot be established is ridden out.
                .header("Mesh-Deadline-Ms", "2000")
                .PUT(HttpRequest.BodyPublishers.ofString(node))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static int status(int port, String path, String authorization) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
