package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.directory.DirectoryHub;
import io.meshhub.hub.access.directory.IdentityDirectory;
import io.meshhub.query.ProviderCall;
import io.meshhub.query.QueryProvider;
import io.meshhub.query.language.Query;
import io.meshhub.routing.EnvelopeHeaders;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.EntryGate;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** P5, P6 on a whole node: the directory says whose a token is, is asked at its address, and is never read as "nobody". */
@Timeout(120)
class TokensLeadToPrincipalsTest {

    private static final String SECRET = "a secret that only this test and its node know";
    private static final MeshAddress DIRECTORY = MeshAddress.of(DirectoryHub.ADDRESS);

    @TempDir
    Path directory;

    private final int port = FreePorts.of(1).get(0);
    private final Inventory inventory = new Inventory();
    private HostedNode node;
    private MeshHub hub;

    /** Has nothing; while it is silent it does not even say so about the directory. */
    private static final class Inventory implements QueryProvider {
        final List<ProviderCall> silenced = new CopyOnWriteArrayList<>();
        volatile boolean silent;

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
            if (silent && path != null && path.toString().equals(IdentityDirectory.ADDRESS)) {
                silenced.add(call);
            } else {
                call.first(List.of(), false);
            }
            return Opened.NONE;
        }
    }

    private void start() throws Exception {
        Path secret = Files.writeString(directory.resolve("jwt.secret"), SECRET);
        List<SettingsFlag> flags = List.of(
                        "security.mode=enforced",
                        "security.jwt.secret-file=" + secret,
                        "security.jwt.issuer=the-issuer",
                        "security.jwt.audience=meshhub",
                        "security.jwt.principal=email",
                        "store.kind=memory",
                        "data=" + directory,
                        "budget.operation-timeout=8s",
                        "http.port=" + port)
                .stream()
                .map(pair -> new SettingsFlag(pair.split("=", 2)[0], "--set", pair.split("=", 2)[1]))
                .toList();
        Settings<MeshHubSettings> settings =
                SettingsRules.loader().load(SettingsSources.none().withFlags(flags));
        node = new HostedNode(settings, MeshHub.builder().beforeUp(started -> {
            hub = started;
            return started.query().register(inventory);
        }));
        end(node.start());
        put(
                "_control/_Identity/ann-1",
                "access-identity",
                new JsonObject().put("principal", "ann").put("emails", new JsonArray().add("ann@example.org")));
    }

    @AfterEach
    void stop() throws Exception {
        end(node.stop(Duration.ofSeconds(20)));
    }

    private static <T> T end(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private void put(String path, String type, JsonObject content) throws Exception {
        JsonObject document =
                new JsonObject().put("nodeType", type).put("name", "x").put("content", content);
        end(hub.mesh()
                .request(
                        MeshAddress.of(path),
                        document,
                        Object.class,
                        asTheNode().withType("put")));
    }

    private MeshOptions asTheNode() {
        return MeshOptions.DEFAULT.withPrincipal(
                Principal.node(hub.mesh().node()).text());
    }

    private String token(String email, String role) {
        JWTAuth issuer = JWTAuth.create(
                hub.vertx(),
                new JWTAuthOptions()
                        .addPubSecKey(
                                new PubSecKeyOptions().setAlgorithm("HS256").setBuffer(SECRET)));
        JsonObject claims = new JsonObject()
                .put("sub", "0815")
                .put("iss", "the-issuer")
                .put("aud", "meshhub")
                .put("exp", Instant.now().plusSeconds(600).getEpochSecond())
                .put("email", email)
                .put("email_verified", true)
                .put("roles", new JsonArray().add(role));
        return issuer.generateToken(claims, new JWTOptions().setAlgorithm("HS256"));
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private Future<JsonObject> find(JsonObject key) {
        return hub.mesh().request(DIRECTORY, key, JsonObject.class, asTheNode().withType(DirectoryHub.FIND));
    }

    @Test
    void anAddressLeadsToAPrincipalWhoseRulesCountAndAStrangerIsUnauthorized() throws Exception {
        start();
        put(
                "acme/_Access/ann",
                "access-assignment",
                new JsonObject().put("principal", "ann").put("role", "viewer").put("effect", "allow"));
        put("acme/x", "thing", new JsonObject());

        assertThat(get("/mesh/acme/x", token("ANN@example.org", "none")).statusCode())
                .as("a rule names ann, and no token does")
                .isEqualTo(200);
        HttpResponse<String> stranger = get("/mesh/acme/x", token("eve@example.org", "admin"));
        assertThat(stranger.statusCode()).as("whatever roles the token has").isEqualTo(401);
        assertThat(stranger.body()).contains("knows nobody of this token").doesNotContain("eve@");
    }

    @Test
    void whileTheDirectoryStallsNobodyIsAStrangerAndItsNextSnapshotLetsThemIn() throws Exception {
        inventory.silent = true;
        start();
        String ann = token("ann@example.org", "admin");

        HttpResponse<String> open = get("/api/v1/node", ann);
        assertThat(open.statusCode()).as(open.body()).isEqualTo(503);
        assertThat(new JsonObject(open.body()).getString("detail"))
                .contains("could not be established", new JsonObject(open.body()).getString("correlationId"));
        assertThat(open.body()).doesNotContain("inventory");
        assertThat(inventory.silenced).isNotEmpty();

        inventory.silent = false;
        assertThat(get("/api/v1/node", ann).statusCode())
                .as("whoever waits opens it anew")
                .isEqualTo(200);
    }

    @Test
    void itIsAskedAtItsAddressAndTellsThreeAnswersApart() throws Exception {
        inventory.silent = true;
        start();
        try {
            end(find(new JsonObject().put("id", "ann-1")));
            throw new AssertionError("it answered");
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("could not be established")
                    .hasMessageNotContaining("inventory");
        }
        inventory.silent = false;
        assertThat(end(find(new JsonObject().put("id", "ann-1"))))
                .isEqualTo(new JsonObject().put("outcome", "found").put("principal", "ann"));
        assertThat(end(find(new JsonObject().put("email", "ann@example.org"))).getString("principal"))
                .isEqualTo("ann");
        assertThat(end(find(new JsonObject().put("id", "bob-1"))))
                .isEqualTo(new JsonObject().put("outcome", "unknown"));
        try {
            end(find(new JsonObject().put("id", "ann-1").put("email", "ann@example.org")));
            throw new AssertionError("it answered");
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(Rejected.class);
        }
        DeliveryOptions plain = new DeliveryOptions()
                .addHeader(EnvelopeHeaders.TO, DirectoryHub.ADDRESS)
                .addHeader(EnvelopeHeaders.TYPE, DirectoryHub.FIND)
                .addHeader(EntryGate.AUTHORIZATION, "Bearer " + token("ann@example.org", "operator"));
        JsonObject id = new JsonObject().put("id", "ann-1");
        assertThat(end(hub.vertx().eventBus().<JsonObject>request("mesh.route", id, plain))
                        .body()
                        .getString("principal"))
                .isEqualTo("ann");
    }
}
