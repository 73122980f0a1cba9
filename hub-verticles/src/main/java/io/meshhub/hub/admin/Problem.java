package io.meshhub.hub.admin;

import io.meshhub.query.language.QuerySyntaxException;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An error as HTTP tells it: a problem document of RFC 9457.
 *
 * <p>A failure of the mesh has the type {@code urn:meshhub:failure:<kind>}; what only an HTTP edge can find wrong has
 * {@code urn:meshhub:problem:<name>}. It can be thrown, carries no stack trace, and is immutable.
 */
final class Problem extends RuntimeException {

    static final String MEDIA_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(Problem.class);
    private static final String FAILURE = "urn:meshhub:failure:";
    private static final String EDGE = "urn:meshhub:problem:";

    // Where a failure says that a retry makes sense and not when: one second is the least that the header can say.
    private static final Duration LEAST_RETRY = Duration.ofSeconds(1);

    private final int status;
    private final JsonObject document;
    private final @Nullable String allow;
    private final @Nullable MeshException failure;

    private Problem(int status, JsonObject document, @Nullable String allow, @Nullable MeshException failure) {
        super(document.getString("detail"), null, false, false);
        this.status = status;
        this.document = document;
        this.allow = allow;
        this.failure = failure;
    }

    /** Only an edge can find this wrong. */
    private static Problem edge(int status, String name, String title, String detail, @Nullable String allow) {
        JsonObject document = new JsonObject()
                .put("type", EDGE + name)
                .put("title", title)
                .put("status", status)
                .put("detail", detail)
                .put("code", status * 10)
                .put("remedy", Remedy.STOP.name());
        return new Problem(status, document, allow, null);
    }

    static Problem noRoute(String path) {
        return edge(404, "no-such-route", "No such route", "Nothing is served at '" + path + "'", null);
    }

    static Problem method(String method, String path, Collection<String> allowed) {
        String allow = String.join(", ", allowed);
        return edge(
                405,
                "method-not-allowed",
                "Method not allowed",
                "'" + path + "' does not take " + method + "; it takes " + allow,
                allow);
    }

    static Problem mediaType(@Nullable String given, String taken) {
        String what = given == null ? "A body without a content type" : "A body of content type '" + given + "'";
        return edge(415, "unsupported-media-type", "Unsupported media type", what + " is not taken; " + taken, null);
    }

    static Problem tooLarge(long limit, @Nullable String announced) {
        String size = announced == null ? "" : " (Content-Length is " + announced + ")";
        return edge(
                413,
                "body-too-large",
                "Body too large",
                "The body is larger than the limit of " + limit + " bytes" + size + "; nothing was executed",
                null);
    }

    static Problem crossSite(String method, String path) {
        return edge(
                403,
                "cross-site",
                "Cross-site request refused",
                method + " of '" + path + "' was refused: a page of another site made it",
                null);
    }

    static Problem noStore() {
        return edge(
                501, "no-store", "Nothing to list", "This node has no store, so it cannot list what is stored", null);
    }

    static Problem noEvents() {
        return edge(501, "no-events", "Nothing to follow", "This node serves no events", null);
    }

    static Problem noQueries() {
        return edge(501, "no-queries", "Nothing to ask", "This node takes no queries", null);
    }

    static Problem tooManyStreams(int open) {
        return edge(
                503,
                "too-many-streams",
                "Too many streams",
                open + " event streams are open at this node, which is as many as it serves; nothing was executed",
                null);
    }

    static Problem tooManyStreamsOfOne(int open) {
        return edge(
                429,
                "too-many-streams",
                "Too many streams",
                "This client has " + open + " event streams open at this node, which is as many as one may have;"
                        + " nothing was executed",
                null);
    }

    static Problem unreadable(int status, String why) {
        return edge(status, "unreadable-request", "Unreadable request", "The request cannot be read: " + why, null);
    }

    /** Headers, parameters or body that an edge refuses, without an address. */
    static Problem rejected(String detail) {
        return of(new Rejected(detail, FailureDetail.NONE, -1));
    }

    /** What the failure says, over HTTP. */
    static Problem of(MeshException failure) {
        JsonObject fields = FailureJson.write(failure);
        JsonObject document = new JsonObject()
                .put("type", FAILURE + failure.kind())
                .put("title", title(failure.kind()))
                .put("status", failure.httpStatus())
                .put("detail", failure.getMessage());
        String allow = null;
        if (failure instanceof NotHandled e) {
            // A field "type" of the failure would stand where the problem has its own.
            fields.put("messageType", fields.remove("type"));
            allow = GatewayMethods.allowedFor(e.allowed());
        }
        fields.remove("message");
        return new Problem(failure.httpStatus(), document.mergeIn(fields), allow, failure);
    }

    /** The text is no query: what is wrong, and where. */
    static Problem query(QuerySyntaxException fault) {
        return of(new Rejected(String.valueOf(fault.getMessage()), FailureDetail.NONE, fault.position()));
    }

    /**
     * A query had no answer of somebody in time.
     *
     * @param open whether the client may know who that was; otherwise only its correlation id leads to the name, in the log
     */
    static Problem stalled(QueryProviderStalled failure, boolean open) {
        long budget = failure.rung().toMillis();
        Problem told = of(failure);
        JsonObject document = told.document.copy().put("budget", budget);
        document.remove("stalls");
        document.remove("providers");
        document.remove("rungMs");
        if (open) {
            JsonArray providers = new JsonArray();
            failure.stalls()
                    .forEach(stall -> providers.add(new JsonObject()
                            .put("name", stall.provider())
                            .put("waitedMs", stall.waited().toMillis())
                            .put("ownMs", stall.own().toMillis())
                            .put("heard", stall.heard())));
            document.put("providers", providers);
        } else {
            document.remove("node");
            document.put(
                    "detail",
                    "The result could not be established within " + budget
                            + " ms; whoever runs this node finds why under the correlation id");
        }
        return new Problem(told.status, document, null, failure);
    }

    /**
     * The failure for a client that may not know of whom or what it tells: its status, and what is to be done.
     *
     * @param detail in place of its own text
     */
    static Problem withheld(MeshException failure, String detail) {
        Problem told = of(failure);
        JsonObject document = new JsonObject();
        for (String field : List.of("type", "title", "status", "kind", "code", "remedy", "retryAfterMs")) {
            if (told.document.containsKey(field)) {
                document.put(field, told.document.getValue(field));
            }
        }
        return new Problem(told.status, document.put("detail", detail), told.allow, failure);
    }

    /** What any throwable means at this edge; what nobody foresaw is logged, and told without its text. */
    static Problem of(Throwable thrown) {
        if (thrown instanceof Problem problem) {
            return problem;
        }
        if (thrown instanceof MeshException failure) {
            return of(failure);
        }
        if (thrown instanceof StoreException) {
            LOG.warn("The store could not be asked for an HTTP request: {}", thrown.getMessage());
            return of(new Unavailable("The store could not be asked; nothing was executed", FailureDetail.NONE, false));
        }
        if (thrown instanceof HttpException http) {
            return unreadable(http.getStatusCode(), String.valueOf(http.getPayload()));
        }
        LOG.error("An HTTP request failed in the edge itself", thrown);
        return edge(500, "internal", "Internal error", "The edge failed to handle the request; its log says why", null);
    }

    /** The same with one more field. */
    Problem with(String field, Object value) {
        return new Problem(status, document.copy().put(field, value), allow, failure);
    }

    int status() {
        return status;
    }

    JsonObject document() {
        return document;
    }

    /** What the {@code Allow} header says; null without one. */
    @Nullable
    String allow() {
        return allow;
    }

    /** The seconds of a {@code Retry-After} header, rounded up; 0 where a retry makes no sense. */
    long retryAfterSeconds(HttpMethod method) {
        if (failure == null) {
            return 0;
        }
        boolean safe = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        boolean sensible =
                switch (failure.remedy()) {
                    case RIDE_OUT, RETRY_LATER -> true;
                    case RETRY_IF_IDEMPOTENT -> safe;
                    case STOP, REPORT -> failure.retryAfter().isPresent();
                };
        if (!sensible) {
            return 0;
        }
        long millis = failure.retryAfter().orElse(LEAST_RETRY).toMillis();
        return Math.max(LEAST_RETRY.toSeconds(), (millis + 999) / 1000);
    }

    // "NotFound" becomes "Not found".
    private static String title(String kind) {
        String words = kind.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
