package io.meshhub.hub.admin;

import io.meshhub.routing.MeshBody;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what a request is answered with. */
final class Answers {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String BYTES = "application/octet-stream";

    private Answers() {}

    /** What every answer says, unless its route says otherwise: not to be kept, and of the type that it claims. */
    static void secure(HttpServerResponse response) {
        response.putHeader("X-Content-Type-Options", "nosniff").putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    static void json(RoutingContext ctx, int status, JsonObject body) {
        send(ctx, status, JSON, body.toBuffer());
    }

    static void send(RoutingContext ctx, int status, String mediaType, Buffer body) {
        HttpServerResponse response = ctx.response();
        if (isOver(response)) {
            return;
        }
        report(
                ctx,
                response.setStatusCode(status)
                        .putHeader(HttpHeaders.CONTENT_TYPE, mediaType)
                        .end(body));
    }

    static void empty(RoutingContext ctx, int status) {
        HttpServerResponse response = ctx.response();
        if (!isOver(response)) {
            report(ctx, response.setStatusCode(status).end());
        }
    }

    /** The body of a reply, by its kind. */
    static void reply(RoutingContext ctx, int status, MeshBody body) {
        switch (body.kind()) {
            case NULL -> empty(ctx, 204);
            case STRING -> send(ctx, status, TEXT, Buffer.buffer(body.encode()));
            case BUFFER -> send(ctx, status, BYTES, Buffer.buffer(body.encode()));
            case OBJECT, ARRAY, RECORD -> send(ctx, status, JSON, Buffer.buffer(body.encode()));
            case INTEGER, DECIMAL, BOOLEAN -> send(ctx, status, JSON, Json.encodeToBuffer(body.toPlain()));
        }
    }

    static void problem(RoutingContext ctx, Problem problem) {
        HttpServerResponse response = ctx.response();
        if (isOver(response)) {
            return;
        }
        problem(ctx.request(), problem, EdgeHeaders.correlationId(ctx));
    }

    /** Also for requests that no router has seen. */
    static void problem(HttpServerRequest request, Problem problem, String correlationId) {
        HttpServerResponse response = request.response();
        long retryAfter = problem.retryAfterSeconds(request.method());
        if (retryAfter > 0) {
            response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter));
        }
        if (problem.status() == 401) {
            boolean given = request.getHeader(HttpHeaders.AUTHORIZATION) != null;
            response.putHeader("WWW-Authenticate", given ? "Bearer error=\"invalid_token\"" : "Bearer");
        }
        String allow = problem.allow();
        if (allow != null) {
            response.putHeader(HttpHeaders.ALLOW, allow);
        }
        if (problem.status() == 413) {
            // What is left of the body would otherwise be read to its end, only to be thrown away.
            response.putHeader(HttpHeaders.CONNECTION, "close");
        }
        secure(response);
        response.putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .putHeader(EdgeHeaders.CORRELATION_ID, correlationId)
                .setStatusCode(problem.status())
                .end(problem.document()
                        .copy()
                        .put("instance", String.valueOf(request.path()))
                        .put("correlationId", correlationId)
                        .toBuffer())
                .onFailure(cause ->
                        LOG.debug("Problem {} was not taken by its client: {}", problem.status(), cause.toString()));
    }

    private static boolean isOver(HttpServerResponse response) {
        return response.ended() || response.closed();
    }

    private static void report(RoutingContext ctx, Future<Void> written) {
        written.onFailure(cause -> LOG.debug(
                "The answer to {} {} was not taken by its client: {}",
                ctx.request().method(),
                ctx.request().path(),
                cause.toString()));
    }
}
