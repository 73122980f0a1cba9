package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.Tokens;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** P1: operators learn the rule that decides, and who did not answer, over HTTP and by command; nobody else does. */
@Timeout(120)
class AccessIsExplainedTest {

    private static final String ASSIGNMENT = "access-assignment";

    @TempDir
    Path directory;

    /** The partitions about which one provider of the node says nothing. */
    private final Set<String> silentAbout = ConcurrentHashMap.newKeySet();

    private final int port = FreePorts.of(1).get(0);
    private HostedNode node;

    /** Has nothing, and does not even say so about some. */
    private final class Inventory implements QueryProvider {
        @Override
        public String name() {
            return "inventory";
        }

        @Override
        public String source() {
            return Query.NODES;
        }

        @Override
        public Opened open(ProviderCall call) {
            MeshAddress path = call.query().path();
            if (path == null || !silentAbout.contains(path.partition())) {
                call.first(List.of(), false);
            }
            return Opened.NONE;
        }
    }

    private void start() throws Exception {
        StringBuilder tokens = new StringBuilder();
        Map.of("ada", "admin", "otto", "operator", "eve", "viewer")
                .forEach((name, role) -> tokens.append("- {name: ")
                        .append(name)
                        .append(", token-sha256: ")
                        .append(Tokens.hash("the-token-of-" + name))
                        .append(", roles: [")
                        .append(role)
                        .append("]}\n"));
        Path file = Files.writeString(directory.resolve("tokens.yaml"), tokens);
        List<SettingsFlag> flags = List.of(
                        "security.mode=enforced",
                        "security.tokens-file=" + file,
                        "store.kind=memory",
                        "data=" + directory,
                        "budget.operation-timeout=8s",
                        "http.port=" + port)
                .stream()
                .map(pair -> new SettingsFlag(pair.split("=", 2)[0], "--set", pair.split("=", 2)[1]))
                .toList();
        Settings<MeshHubSettings> settings =
                SettingsRules.loader().load(SettingsSources.none().withFlags(flags));
        node = new HostedNode(
                settings, MeshHub.builder().beforeUp(started -> started.query().register(new Inventory())));
        node.start().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        node.stop(Duration.ofSeconds(20))
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String name)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        request.header("Authorization", "Bearer the-token-of-" + name)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private void put(String path, String type, JsonObject content) throws IOException, InterruptedException {
        JsonObject document =
                new JsonObject().put("nodeType", type).put("name", "rule").put("content", content);
        HttpResponse<String> response = send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mesh/" + path))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(document.encode())),
                "ada");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    private HttpResponse<String> ask(String asking, String query) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/access/explain?" + query)),
                asking);
    }

    private JsonObject explained(String query) throws IOException, InterruptedException {
        HttpResponse<String> response = ask("ada", query);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new JsonObject(response.body());
    }

    private Console command(int code, String... arguments) {
        Console console = new Console(new FakeMeshNode(), Map.of());
        List<String> all = new ArrayList<>(List.of("access", "explain"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--url", "http://127.0.0.1:" + port, "--token", "the-token-of-ada"));
        assertThat(console.run(all.toArray(String[]::new)))
                .as(console.out.toString() + console.err)
                .isEqualTo(code);
        return console;
    }

    @Test
    void anOperatorLearnsTheRuleThatDecidesAndWhoDidNotAnswer() throws Exception {
        silentAbout.add("stuck");
        start();
        JsonObject editor =
                new JsonObject().put("principal", "ann").put("role", "editor").put("effect", "allow");
        put("acme/_Access/ann", ASSIGNMENT, editor);
        put("acme/secret/_Access/ann", ASSIGNMENT, editor.copy().put("effect", "deny"));
        put(
                "_Mesh/_Access/op",
                ASSIGNMENT,
                editor.copy().put("principal", "otto").put("role", "operator"));

        JsonObject granted = explained("principal=ann&permission=update&address=acme/x");
        assertThat(granted.getString("decision")).isEqualTo("granted");
        assertThat(granted.getString("reason")).contains("acme/_Access/ann");
        assertThat(granted.getJsonArray("steps")).isNotEmpty();

        JsonObject denied = explained("principal=ann&permission=update&address=acme/secret/x");
        assertThat(denied.getString("decision")).isEqualTo("denied");
        assertThat(denied.getString("reason")).contains("acme/secret/_Access/ann");

        JsonObject undetermined = explained("principal=ann&permission=update&address=stuck/x");
        assertThat(undetermined.getString("decision")).isEqualTo("undetermined");
        assertThat(undetermined.getJsonArray("providers")).containsExactly("inventory");

        JsonObject byCredentials = explained("principal=ann&roles=viewer%20admin&permission=update&address=stuck/x");
        assertThat(byCredentials.getString("decision")).isEqualTo("granted");
        assertThat(byCredentials.getJsonArray("roles")).containsExactly("admin", "viewer");

        assertThat(command(0, "ann", "update", "acme/x").out.toString())
                .contains("granted", "acme/_Access/ann, version 1");
        assertThat(command(1, "ann", "update", "acme/secret/x").out.toString())
                .contains("denied", "acme/secret/_Access/ann");
        assertThat(command(4, "ann", "UPDATE", "stuck/x").out.toString()).contains("undetermined", "inventory");
        assertThat(command(0, "ann", "update", "stuck/x", "--role", "admin").out.toString())
                .contains("granted", "role 'admin' of the caller's credentials");
        JsonObject printed = new JsonObject(
                command(4, "ann", "update", "stuck/x", "--json").out.toString());
        assertThat(printed.getJsonArray("providers")).containsExactly("inventory");

        assertThat(ask("otto", "principal=ann&permission=update&address=acme/x").statusCode())
                .isEqualTo(200);
        HttpResponse<String> toAViewer = ask("eve", "principal=ann&permission=update&address=stuck/x");
        assertThat(toAViewer.statusCode()).isEqualTo(403);
        assertThat(toAViewer.body()).contains("lacks permission 'operate'").doesNotContain("inventory");
    }

    @Test
    void whoIsNotKnownToOperateTheNodeIsToldACorrelationIdAndNoProvider() throws Exception {
        silentAbout.add("_control");
        start();

        HttpResponse<String> refused = ask("otto", "principal=ann&permission=read&address=acme/x");

        assertThat(refused.statusCode()).isEqualTo(503);
        JsonObject problem = new JsonObject(refused.body());
        assertThat(problem.getString("detail"))
                .contains("could not be established", problem.getString("correlationId"));
        assertThat(refused.body()).doesNotContain("inventory");
        // The configuration needs no read.
        JsonObject known = explained("principal=ann&permission=read&address=acme/x");
        assertThat(known.getString("decision")).isEqualTo("undetermined");
        assertThat(known.getJsonArray("providers")).containsExactly("inventory");
    }

    @Test
    void whatIsAskedWrongIsNamed() throws Exception {
        start();
        assertThat(ask("ada", "permission=read&address=acme/x").body()).contains("'principal' is missing");
        assertThat(ask("ada", "principal=ann&permission=fly&address=acme/x").body())
                .contains("'permission' = 'fly' must be one of read, create");
        assertThat(ask("ada", "principal=mesh:node-1&permission=read&address=acme/x")
                        .body())
                .contains("must not begin with 'mesh:'");
        assertThat(ask("ada", "principal=ann&permission=read&address=acme//x").statusCode())
                .isEqualTo(400);
        assertThat(command(2, "ann", "fly", "acme/x").err.toString()).contains("must be one of read, create");
    }
}
