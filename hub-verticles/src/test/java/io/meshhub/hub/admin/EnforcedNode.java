package io.meshhub.hub.admin;

import static io.meshhub.testkit.MeshExtension.await;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.access.AccessControl;
import io.meshhub.hub.access.JwtOptions;
import io.meshhub.hub.access.Principal;
import io.meshhub.hub.access.RoleDecider;
import io.meshhub.hub.access.Tokens;
import io.meshhub.hub.access.TokensFile;
import io.meshhub.hub.activity.Activities;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.query.NodeProviders;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.MeshMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A whole node with security enforced: hubs, store, queries, HTTP, and callers of each kind. */
final class EnforcedNode implements AutoCloseable {

    static final String SECRET = "a secret that only this test and its node know";
    static final MeshAddress ECHO = MeshAddress.of("echo/1");
    static final MeshAddress OTHER = MeshAddress.of("echo/2");

    final Map<String, Integer> counts = new ConcurrentHashMap<>();
    final MeshHub hub;
    final HttpEdge edge;

    EnforcedNode(Path directory) {
        AtomicReference<AccessControl> control = new AtomicReference<>();
        Counting metrics = new Counting();
        AccessControl.Parts parts = new AccessControl.Parts(
                "node-1",
                tokens(directory),
                Optional.of(new JwtOptions(SECRET, "HS256", "the-issuer", "meshhub", Duration.ZERO, "roles")),
                new RoleDecider(),
                BudgetLadder.ofDefaults().permission(),
                metrics);
        hub = await(MeshHub.builder()
                .metrics(metrics)
                .options(HubOptions.ofDefaults().withPrincipalRequired(true))
                .hub("echo", Echo::new)
                .store(
                        vertx -> Future.succeededFuture(new InMemoryNodeStore()),
                        (store, own) -> own.catalog(new StoreCatalog(store))
                                .hub(NodeHubs.type(store))
                                .hub(Activities.type(store)))
                .gates((vertx, pacer) -> {
                    control.set(parts.open(vertx, pacer));
                    return control.get();
                })
                .beforeUp(started -> NodeProviders.addTo(started, List.of()))
                .start());
        HttpEdge.Builder builder = HttpEdge.builder(hub.vertx(), hub.mesh(), hub.membership())
                .options(HttpOptions.ofDefaults().withPort(0))
                .sync(hub.sync())
                .queries(hub.query())
                .registry(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                .access(control.get());
        hub.store().ifPresent(builder::store);
        edge = await(builder.build().start());
    }

    /** Tells on whose behalf it was asked, itself or through another of its kind and from a later callback. */
    private final class Echo extends HubVerticle {
        @Override
        protected void configure(HubSetup setup) {
            setup.on(
                    "who",
                    MeshBody.class,
                    (body, message) -> Future.succeededFuture(message.principal() + " " + message.correlationId()));
            setup.on("relay", MeshBody.class, body -> {
                Promise<String> promise = Promise.promise();
                Vertx.currentContext()
                        .owner()
                        .setTimer(
                                1,
                                fired -> hub.mesh()
                                        .request(OTHER, null, String.class, MeshOptions.DEFAULT.withType("who"))
                                        .onComplete(promise));
                return promise.future();
            });
        }
    }

    private final class Counting implements MeshMetrics {
        @Override
        public void count(String name, String... tags) {
            counts.merge(tags.length == 0 ? name : name + Arrays.toString(tags), 1, Integer::sum);
        }

        @Override
        public void time(String name, Duration duration, String... tags) {}

        @Override
        public void gauge(String name, LongSupplier value, String... tags) {}
    }

    int counted(String name) {
        return counts.getOrDefault(name, 0);
    }

    private static Tokens tokens(Path directory) {
        JsonArray tokens = new JsonArray();
        for (String role : List.of("viewer", "editor", "operator", "admin")) {
            tokens.add(new JsonObject()
                    .put("name", role)
                    .put("token-sha256", Tokens.hash(token(role)))
                    .put("roles", new JsonArray().add(role)));
        }
        try {
            return TokensFile.read(Files.writeString(directory.resolve("tokens.json"), tokens.encodePrettily()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The token that the file knows for that role. */
    static String token(String role) {
        return "the-token-of-" + role;
    }

    /** A JSON Web Token for that role that ends then. */
    String jwt(String role, Instant end) {
        JWTAuth issuer = JWTAuth.create(
                hub.vertx(),
                new JWTAuthOptions()
                        .addPubSecKey(
                                new PubSecKeyOptions().setAlgorithm("HS256").setBuffer(SECRET)));
        JsonObject claims = new JsonObject()
                .put("sub", "jwt-" + role)
                .put("iss", "the-issuer")
                .put("aud", "meshhub")
                .put("exp", end.getEpochSecond())
                .put("roles", new JsonArray().add(role));
        return issuer.generateToken(claims, new JWTOptions().setAlgorithm("HS256"));
    }

    /** Puts a node, as the node itself. */
    void put(String path) {
        JsonObject node = new JsonObject()
                .put("nodeType", "thing")
                .put("name", path)
                .put("content", new JsonObject().put("n", 1));
        await(hub.mesh().request(MeshAddress.of(path), node, Object.class, asNode("put")));
    }

    static MeshOptions asNode(String type) {
        return as(Principal.node("node-1").text(), type);
    }

    static MeshOptions as(@Nullable String principal, String type) {
        return MeshOptions.DEFAULT.withType(type).withPrincipal(principal);
    }

    String url() {
        return "http://127.0.0.1:" + edge.port();
    }

    @Override
    public void close() {
        await(edge.close());
        await(hub.stop());
    }
}
