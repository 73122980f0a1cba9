package io.meshhub.hub.launcher.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meshhub.hub.activity.Activities;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A node's HTTP interface in memory: documents that can be put and read, and answers that a test chooses. */
final class FakeNode implements AutoCloseable {

    /** A request as it came. */
    record Request(String method, String rawUri, Map<String, List<String>> headers, String body) {

        String header(String name) {
            List<String> values = headers.get(name);
            return values == null ? "" : String.join(",", values);
        }
    }

    /** An answer that a test chose. */
    record Answer(int status, String body, String retryAfter) {}

    final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    final Map<String, JsonObject> documents = new ConcurrentHashMap<>();

    /** Answers what an activity is told; a mesh that lets everybody begin. */
    volatile Function<Request, Answer> activities = request -> activity("STARTED", "RUNNING");

    final AtomicInteger mostInFlight = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    FakeNode() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The next request is answered like this, whatever it is. */
    void answerNext(int status, JsonObject body) {
        answers.add(new Answer(status, body.encode(), ""));
    }

    static JsonObject problem(int status, String kind, String remedy, String detail) {
        return new JsonObject()
                .put("status", status)
                .put("title", kind)
                .put("kind", kind)
                .put("code", status * 10)
                .put("remedy", remedy)
                .put("detail", detail);
    }

    /** The answer of an activity of somebody else. */
    static Answer activity(String answer, String status) {
        JsonObject activity = new JsonObject()
                .put("answer", answer)
                .put("requestedStatus", "RUN")
                .put("actualStatus", status)
                .put("run", 3)
                .put("worker", "another")
                .put("total", 10)
                .put("done", 7);
        return new Answer(200, activity.encode(), "");
    }

    /** What activities were told, by message type. */
    List<JsonObject> told(String type) {
        return requests.stream()
                .filter(request -> request.header("Mesh-Type").equals(type))
                .map(request -> new JsonObject(request.body()))
                .toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body);
            requests.add(request);
            // An import tells its activity of it in between, which is no line.
            boolean activity = request.header("Mesh-Type").startsWith(Activities.TYPES);
            Answer chosen = activity ? activities.apply(request) : answers.poll();
            Answer answer =
                    chosen == null ? answer(request, exchange.getRequestURI().getRawPath()) : chosen;
            if (!answer.retryAfter().isEmpty()) {
                exchange.getResponseHeaders().add("Retry-After", answer.retryAfter());
            }
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            inFlight.decrementAndGet();
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer answer(Request request, String rawPath) {
        if (!rawPath.startsWith("/mesh/")) {
            return new Answer(
                    200, new JsonObject().put("nodes", new JsonArray()).encode(), "");
        }
        String path = URLDecoder.decode(rawPath.substring(6).replace("+", "%2B"), StandardCharsets.UTF_8);
        JsonObject there = documents.get(path);
        if (request.method().equals("PUT")) {
            return put(path, there, new JsonObject(Buffer.buffer(request.body())));
        }
        if (there == null) {
            return new Answer(
                    404,
                    problem(404, "NotFound", "STOP", "No node '" + path + "' exists")
                            .encode(),
                    "");
        }
        return new Answer(200, there.encode(), "");
    }

    private Answer put(String path, JsonObject there, JsonObject document) {
        boolean same = there != null && there.getJsonObject("document").equals(document);
        int version = there == null ? 1 : there.getInteger("version") + (same ? 0 : 1);
        documents.put(path, new JsonObject().put("document", document).put("version", version));
        JsonObject reply = new JsonObject()
                .put("version", version)
                .put("created", there == null)
                .put("changed", !same);
        return new Answer(there == null ? 201 : 200, reply.encode(), "");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
