package io.meshhub.hub.admin;

import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.hub.access.AccessControl;
import io.meshhub.query.QueryFanIn;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.sync.SyncClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.Status;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of a node: {@code /mesh/<address>}, {@code /query}, {@code /health}, {@code /metrics} and {@code
 * /api/v1}.
 *
 * <p>It holds no state of its own and can be started once.
 */
public final class HttpEdge {

    private static final Logger LOG = LoggerFactory.getLogger(HttpEdge.class);

    private static final Duration PROBE_BOUND = Duration.ofSeconds(2);

    private final HttpOptions options;
    private final HttpServer server;
    private final Router router;

    private HttpEdge(Builder b) {
        this.options = b.options;
        Duration operation = b.mesh.budgets().operation();
        int idleSeconds = Math.toIntExact(idle(operation).toSeconds());
        HttpServerOptions serverOptions = new HttpServerOptions()
                .setHost(options.host())
                .setPort(options.port())
                .setIdleTimeout(idleSeconds);
        this.router = new Routes(b.vertx, options.maxBodyBytes()).router(b);
        this.server =
                b.vertx.createHttpServer(serverOptions).requestHandler(router).invalidRequestHandler(HttpEdge::invalid);
    }

    /**
     * After how long without a byte a connection is closed, in whole seconds: it is idle while its request is waited for, so
     * this lies outside the operation's bound.
     */
    static Duration idle(Duration operation) {
        return Duration.ofSeconds(operation.multipliedBy(2).toSeconds() + 1);
    }

    /** An edge with what it cannot do without. */
    public static Builder builder(Vertx vertx, Mesh mesh, Membership membership) {
        return new Builder(vertx, mesh, membership);
    }

    /**
     * Opens the port.
     *
     * @return this edge; fails with one line that names host and port when it cannot be opened
     */
    public Future<HttpEdge> start() {
        return server.listen()
                .map(listening -> {
                    LOG.info("HTTP listens on {}:{}", options.host(), listening.actualPort());
                    return this;
                })
                .recover(cause -> Future.failedFuture(new IllegalStateException(
                        "HTTP port " + options.port() + " on " + options.host() + " cannot be opened: "
                                + cause.getMessage(),
                        cause)));
    }

    /** The port that is open; only after the start. */
    public int port() {
        return server.actualPort();
    }

    /** What is served. */
    List<Route> routes() {
        return router.getRoutes();
    }

    /** Takes no more connections, and waits that long at most for requests under way. */
    public Future<Void> shutdown(Duration bound) {
        return server.shutdown(bound);
    }

    /** Closes the port and every connection. */
    public Future<Void> close() {
        return server.close();
    }

    private static void invalid(HttpServerRequest request) {
        Throwable cause =
                request.decoderResult() == null ? null : request.decoderResult().cause();
        String name = cause == null ? "" : cause.getClass().getSimpleName();
        int status =
                switch (name) {
                    case "TooLongHttpLineException" -> 414;
                    case "TooLongHttpHeaderException" -> 431;
                    default -> 400;
                };
        String why = cause == null ? "malformed" : String.valueOf(cause.getMessage());
        Answers.problem(request, Problem.unreadable(status, why), EdgeHeaders.newId());
        request.connection().close().onFailure(e -> LOG.debug("Closing a broken connection failed: {}", e.toString()));
    }

    /** Gathers what an edge works with. */
    public static final class Builder {

        final Vertx vertx;
        final Mesh mesh;
        final Membership membership;
        final Map<String, Supplier<Future<Status>>> started = new LinkedHashMap<>();
        final Map<String, Supplier<Future<Status>>> ready = new LinkedHashMap<>();
        final Map<String, Supplier<Future<Status>>> live = new LinkedHashMap<>();
        HttpOptions options = HttpOptions.ofDefaults();

        @Nullable
        NodeStore store;

        @Nullable
        PrometheusMeterRegistry registry;

        Supplier<JsonObject> hubs = JsonObject::new;
        Supplier<Optional<SyncClient>> sync = Optional::empty;
        Optional<QueryFanIn> queries = Optional.empty();
        Optional<AccessControl> access = Optional.empty();
        boolean namesProviders = true;

        private Builder(Vertx vertx, Mesh mesh, Membership membership) {
            this.vertx = vertx;
            this.mesh = mesh;
            this.membership = membership;
            started.put("node", () -> node(membership.self().state() != NodeInfo.State.STARTING));
            ready.put("node", () -> node(membership.self().state() == NodeInfo.State.UP));
            // That this is answered at all is what it says: the loop of this edge makes progress.
            live.put("loop", () -> Future.succeededFuture(Status.OK()));
        }

        private Future<Status> node(boolean ok) {
            JsonObject state =
                    new JsonObject().put("state", membership.self().state().name());
            return Future.succeededFuture(ok ? Status.OK(state) : Status.KO(state));
        }

        /** Where it listens, and how large a body it takes. */
        public Builder options(HttpOptions newOptions) {
            options = newOptions;
            return this;
        }

        /** What listings are read from; readiness then also asks whether it answers. */
        public Builder store(NodeStore newStore) {
            store = newStore;
            MeshAddress probe = MeshAddress.of("_Health");
            return ready("store", () -> newStore.read(probe).map(any -> Status.OK()));
        }

        /** How the node stands: whether it may serve, and whom of its peers it hears. Readiness depends on both. */
        public Builder standing(Supplier<NodeStanding> standing) {
            ready("peers", () -> StandingChecks.peers(standing.get()));
            return ready("lease", () -> StandingChecks.lease(standing.get()));
        }

        /** What {@code /metrics} shows. */
        public Builder registry(PrometheusMeterRegistry newRegistry) {
            registry = newRegistry;
            return this;
        }

        /** With what addresses are followed for clients that ask for events. */
        public Builder sync(SyncClient client) {
            sync = () -> Optional.of(client);
            return this;
        }

        /** Whom queries are asked of. */
        public Builder queries(QueryFanIn fanIn) {
            queries = Optional.of(fanIn);
            return this;
        }

        /** Has every request but probes say who makes it, by these gates; without them security is open. */
        public Builder access(AccessControl control) {
            access = Optional.of(control);
            return this;
        }

        /** Whether every client may know the names of query providers where security is open. */
        public Builder namesProviders(boolean names) {
            namesProviders = names;
            return this;
        }

        /** What {@code /api/v1/node} says of the hubs of this node; called on an event loop. */
        public Builder hubs(Supplier<JsonObject> newHubs) {
            hubs = newHubs;
            return this;
        }

        /** One more check of {@code /health/started}. */
        public Builder started(String name, Supplier<Future<Status>> check) {
            started.put(name, check);
            return this;
        }

        /** One more check of {@code /health/ready}. */
        public Builder ready(String name, Supplier<Future<Status>> check) {
            ready.put(name, check);
            return this;
        }

        /** One more check of {@code /health/live}; it must depend on this process alone. */
        public Builder live(String name, Supplier<Future<Status>> check) {
            live.put(name, check);
            return this;
        }

        /** An edge that is not started yet. */
        public HttpEdge build() {
            return new HttpEdge(this);
        }

        HealthRoutes health(Map<String, Supplier<Future<Status>>> checks) {
            HealthRoutes routes = new HealthRoutes(
                    vertx, BudgetLadder.inner(PROBE_BOUND, mesh.budgets().operation()));
            checks.forEach(routes::add);
            return routes;
        }
    }
}
