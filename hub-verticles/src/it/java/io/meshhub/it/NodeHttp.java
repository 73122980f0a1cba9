package io.meshhub.it;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The HTTP interface of one node, as any client sees it. */
final class NodeHttp {

    /** What a request of a test may take at most; outside the deadline of an operation. */
    static final Duration BOUND = Duration.ofSeconds(40);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param text the body
     * @param contentType its media type; empty where there is no body
     */
    record Answer(int status, String text, String contentType) {

        /** The body as a JSON object. */
        JsonObject json() {
            return new JsonObject(text);
        }

        /** The kind of failure that a problem document names; empty when this is none. */
        Optional<String> problem() {
            return contentType.startsWith("application/problem+json")
                    ? Optional.ofNullable(json().getString("kind"))
                    : Optional.empty();
        }

        /** The version of the document. */
        long version() {
            return json().getLong("version");
        }
    }

    /**
     * The state of an activation.
     *
     * @param id its 64-bit number
     * @param tag as people see it
     * @param node where it lives
     */
    record Ping(long id, String tag, String node) {

        /** The number of the activation under the epoch of its shard. */
        long counter() {
            return id & 0xffff_ffffL;
        }

        /** The epoch of its shard. */
        long epoch() {
            return id >>> 32;
        }
    }

    private final String base;

    NodeHttp(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    String url() {
        return base;
    }

    /** Sends a request; fails with an {@link IOException} when no answer came. */
    CompletableFuture<Answer> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(BOUND)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(
                        response.statusCode(),
                        response.body(),
                        response.headers().firstValue("Content-Type").orElse("")));
    }

    CompletableFuture<Answer> getAsync(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    CompletableFuture<Answer> putAsync(String path, JsonObject content, String... headers) {
        JsonObject node =
                new JsonObject().put("nodeType", "sample").put("name", "a node").put("content", content);
        return send("PUT", path, node.encode(), headers);
    }

    Answer get(String path, String... headers) {
        return getAsync(path, headers).join();
    }

    Answer put(String path, JsonObject content, String... headers) {
        return putAsync(path, content, headers).join();
    }

    Answer delete(String path) {
        return send("DELETE", path, "").join();
    }

    CompletableFuture<Answer> recycleAsync(String address) {
        return send("POST", "/api/v1/recycle?address=" + address, "");
    }

    /** The activation of the address; wakes it if it sleeps. */
    Ping ping(String address) {
        Answer answer = get("/api/v1/ping?address=" + address);
        if (answer.status() != 200) {
            throw new AssertionError("ping of " + address + " at " + base + ": " + answer);
        }
        JsonObject json = answer.json();
        return new Ping(Long.parseLong(json.getString("activation")), json.getString("tag"), json.getString("node"));
    }

    /** The status of the readiness probe; 0 while the port is closed. */
    int readiness() {
        try {
            return CLIENT.send(
                            HttpRequest.newBuilder(URI.create(base + "/health/ready"))
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
