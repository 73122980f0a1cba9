package io.meshhub.hub.admin;

import io.meshhub.routing.failure.Rejected;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which path and method is served by whom, and the one place where errors leave. */
final class Routes {

    /** The key under which a route names the methods that it takes. */
    static final String METHODS = "methods";

    private final Router router;
    private final int maxBodyBytes;

    Routes(Vertx vertx, int maxBodyBytes) {
        this.router = Router.router(vertx);
        this.maxBodyBytes = maxBodyBytes;
    }

    Router router(HttpEdge.Builder b) {
        router.route().failureHandler(this::fail);
        // A path that the router itself cannot read matches no route, not even the one above.
        router.errorHandler(400, ctx -> Answers.problem(ctx, unreadablePath(ctx.request())));
        router.route().handler(this::begin);
        // Probes have no token, and tell nothing but how the node is.
        get("/health/started", b.health(b.started)::answer);
        get("/health/ready", b.health(b.ready)::answer);
        get("/health/live", b.health(b.live)::answer);
        Callers callers = new Callers(b.access, b.namesProviders);
        router.route().handler(callers::identify);
        MeshCalls calls = new MeshCalls(b.mesh);
        OpenStreams open = new OpenStreams(b.options.eventStreams(), b.options.eventStreamsOfOne());
        Duration operation = b.mesh.budgets().operation();
        Listings listings = new Listings(b.store, b.mesh.node(), callers);
        gateway(new Gateway(calls, listings, new EventStreams(b.sync, open, operation)));
        get("/query", new Queries(b.queries, operation, callers, open)::get);
        AdminApi api = new AdminApi(calls, b.membership, b.hubs);
        get("/api/v1/node", callers.operating(api::node));
        get("/api/v1/members", callers.operating(api::members));
        get("/api/v1/ping", api::ping);
        get("/api/v1/access/explain", callers.operating(new Explanations(callers)::get));
        serve("/api/v1/recycle", Map.of(HttpMethod.POST, api::recycle));
        get("/metrics", callers.operating(new Metrics(b.vertx, b.registry)::scrape));
        router.route().handler(Routes::noRoute);
        return router;
    }

    private void gateway(Gateway gateway) {
        get(MeshPath.ROOT, gateway::root);
        Map<HttpMethod, Handler<RoutingContext>> methods = reads(gateway::get);
        methods.put(HttpMethod.PUT, gateway::put);
        methods.put(HttpMethod.PATCH, gateway::patch);
        methods.put(HttpMethod.DELETE, gateway::delete);
        methods.put(HttpMethod.POST, gateway::post);
        router.route(MeshPath.PREFIX + "*").handler(Routes::refuseForms);
        router.route(MeshPath.PREFIX + "*").handler(BodyHandler.create(false).setBodyLimit(maxBodyBytes));
        serve(MeshPath.PREFIX + "*", methods);
    }

    private void get(String path, Handler<RoutingContext> handler) {
        serve(path, reads(handler));
    }

    private static Map<HttpMethod, Handler<RoutingContext>> reads(Handler<RoutingContext> handler) {
        Map<HttpMethod, Handler<RoutingContext>> methods = new LinkedHashMap<>();
        methods.put(HttpMethod.GET, handler);
        methods.put(HttpMethod.HEAD, handler);
        return methods;
    }

    private void serve(String path, Map<HttpMethod, Handler<RoutingContext>> methods) {
        List<String> allowed = new ArrayList<>();
        methods.keySet().forEach(method -> allowed.add(method.name()));
        router.route(path).putMetadata(METHODS, List.copyOf(allowed)).handler(ctx -> {
            requireExact(path, String.valueOf(ctx.request().path()));
            Handler<RoutingContext> handler = methods.get(ctx.request().method());
            if (handler == null) {
                throw Problem.method(
                        ctx.request().method().name(),
                        String.valueOf(ctx.request().path()),
                        allowed);
            }
            handler.handle(ctx);
        });
    }

    // The router matches a normalized path; what is served is only what was asked for literally.
    private static void requireExact(String path, String asked) {
        if (!path.endsWith("*") && !asked.equals(path)) {
            if (asked.startsWith(MeshPath.PREFIX)) {
                MeshPath.address(asked);
            }
            throw Problem.noRoute(asked);
        }
    }

    private void begin(RoutingContext ctx) {
        Answers.secure(ctx.response());
        EdgeHeaders.begin(ctx);
        refuseOtherSites(ctx.request());
        ctx.next();
    }

    // A browser says so itself when another site's page makes it send; a port on this machine is within its reach.
    private static void refuseOtherSites(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        boolean own = site == null || site.equals("same-origin") || site.equals("none");
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        if (!own && !reads) {
            throw Problem.crossSite(request.method().name(), String.valueOf(request.path()));
        }
    }

    private static void refuseForms(RoutingContext ctx) {
        String media = MediaTypes.of(ctx.request());
        if (MediaTypes.isForm(media)) {
            throw Problem.mediaType(media, "forms are not");
        }
        ctx.next();
    }

    private static void noRoute(RoutingContext ctx) {
        throw Problem.noRoute(String.valueOf(ctx.request().path()));
    }

    private void fail(RoutingContext ctx) {
        Throwable cause = ctx.failure();
        Problem problem;
        if (ctx.statusCode() == 413) {
            problem = Problem.tooLarge(maxBodyBytes, ctx.request().getHeader(HttpHeaders.CONTENT_LENGTH));
        } else if (cause == null) {
            problem = Problem.unreadable(ctx.statusCode(), "status " + ctx.statusCode());
        } else {
            problem = Problem.of(cause);
        }
        Answers.problem(ctx, problem);
    }

    private static Problem unreadablePath(HttpServerRequest request) {
        String path = String.valueOf(request.path());
        try {
            return path.startsWith(MeshPath.PREFIX)
                    ? Problem.unreadable(400, "its address '" + MeshPath.address(path) + "' cannot be routed")
                    : Problem.unreadable(400, "its path '" + path + "' is not percent-encoded UTF-8");
        } catch (Rejected fault) {
            return Problem.of(fault);
        }
    }
}
