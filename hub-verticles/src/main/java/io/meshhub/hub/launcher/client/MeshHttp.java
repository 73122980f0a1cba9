package io.meshhub.hub.launcher.client;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A node's HTTP interface. Every call ends with the JSON of its answer or a {@link CallFailure}, inside its time-out.
 */
final class MeshHttp {

    /** The bound of a connection attempt: 5 s. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** By how much the node's own answer to a deadline may be late: 2 s. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final String AUTHORIZATION = "Authorization";

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    private final String base;
    private final Duration timeout;
    private final Optional<String> token;

    /**
     * Where calls go.
     *
     * @param base without a slash at its end
     * @param timeout of one call
     * @param token says who calls, where the node wants to know
     */
    MeshHttp(String base, Duration timeout, Optional<String> token) {
        this.base = base;
        this.timeout = timeout;
        this.token = token;
    }

    /** The path of an address at the gateway. */
    static String path(MeshAddress address) {
        return "/mesh/" + address.segments().stream().map(MeshHttp::encode).collect(Collectors.joining("/"));
    }

    /** A query from names and values, with its question mark; empty for none. */
    static String query(List<Map.Entry<String, String>> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream()
                        .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append(String.format("%%%02X", b & 0xff));
            }
        }
        return encoded.toString();
    }

    /** A call whose answer is waited for. */
    JsonObject call(String method, String path, Map<String, String> headers, byte[] body) throws CallFailure {
        try {
            return start(method, path, headers, body).get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CallFailure.unanswered("Interrupted before the answer; the outcome is unknown", ExitCodes.FAILED);
        }
    }

    JsonObject call(String method, String path) throws CallFailure {
        return call(method, path, Map.of(), new byte[0]);
    }

    /** Starts a call; it fails with a {@link CallFailure}, perhaps wrapped, for {@link #failure} to unwrap. */
    CompletableFuture<JsonObject> start(String method, String path, Map<String, String> headers, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(timeout.plus(GRACE))
                .header("Mesh-Deadline-Ms", Long.toString(timeout.toMillis()))
                .header("Accept", "application/json, application/problem+json")
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        token.ifPresent(known -> request.header(AUTHORIZATION, "Bearer " + known));
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .handle((response, failure) -> {
                    try {
                        if (failure != null) {
                            throw failure(failure);
                        }
                        return answer(response);
                    } catch (CallFailure e) {
                        throw new CompletionException(e);
                    }
                });
    }

    /**
     * Reads the lines of an answer as they come, for as long as it goes on.
     *
     * @param silence after so long without a line at most, be it a comment, the connection is taken for dead
     * @param each takes a line; whether more are wanted
     */
    void lines(String path, Map<String, String> headers, Duration silence, Predicate<String> each) throws CallFailure {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(timeout.plus(GRACE))
                .header("Mesh-Deadline-Ms", Long.toString(timeout.toMillis()));
        headers.forEach(request::header);
        token.ifPresent(known -> request.header(AUTHORIZATION, "Bearer " + known));
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw refused(response, new String(body.readAllBytes(), StandardCharsets.UTF_8));
                }
                read(body, silence, each);
            }
        } catch (IOException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CallFailure.unanswered("Interrupted", ExitCodes.FAILED);
        }
    }

    private static void read(InputStream body, Duration silence, Predicate<String> each) throws IOException {
        // A connection whose other end is gone without a word says nothing, and a read has no bound of its own.
        ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "watch-silence");
            thread.setDaemon(true);
            return thread;
        });
        AtomicBoolean heard = new AtomicBoolean(true);
        long look = silence.toMillis() / 2;
        ScheduledFuture<?> looks = watchdog.scheduleAtFixedRate(
                () -> {
                    if (!heard.getAndSet(false)) {
                        close(body);
                    }
                },
                look,
                look,
                TimeUnit.MILLISECONDS);
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            String line = lines.readLine();
            while (line != null && each.test(line)) {
                heard.set(true);
                line = lines.readLine();
            }
        } finally {
            looks.cancel(false);
            watchdog.shutdown();
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // Whoever reads it learns the same.
        }
    }

    private CallFailure refused(HttpResponse<?> response, String body) {
        JsonObject problem;
        try {
            problem = new JsonObject(body);
        } catch (DecodeException e) {
            problem = new JsonObject();
        }
        return refusal(response, problem);
    }

    private JsonObject answer(HttpResponse<byte[]> response) throws CallFailure {
        int status = response.statusCode();
        boolean good = status >= 200 && status < 300;
        JsonObject json;
        try {
            json = response.body().length == 0 ? new JsonObject() : new JsonObject(Buffer.buffer(response.body()));
        } catch (DecodeException | ClassCastException e) {
            if (good) {
                throw CallFailure.unreadable("The answer of " + base + " is no JSON object: is that a MeshHub node?");
            }
            json = new JsonObject();
        }
        if (good) {
            return json;
        }
        throw refusal(response, json);
    }

    private CallFailure refusal(HttpResponse<?> response, JsonObject json) {
        int status = response.statusCode();
        if (!json.containsKey("status")) {
            json.put("status", status).put("title", "HTTP " + status);
            json.put(
                    "detail",
                    "The server at " + base + " answered HTTP " + status + " to "
                            + response.request().method() + " "
                            + response.request().uri().getRawPath());
        }
        return CallFailure.answered(status, json, retryAfter(response));
    }

    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("\\d{1,6}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    /** The failure of a call, whatever it is wrapped in. */
    CallFailure failure(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof CallFailure failure) {
            return failure;
        }
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            return CallFailure.unreachable("No node answers at " + base
                    + ": start one with 'meshhub run', or name another with --url or MESHHUB_URL");
        }
        if (cause instanceof HttpTimeoutException) {
            return CallFailure.unanswered(
                    "No answer from " + base + " within " + timeout.toSeconds() + " s; the outcome is unknown",
                    ExitCodes.STALLED);
        }
        if (cause instanceof IOException) {
            return CallFailure.unanswered(
                    "The connection to " + base + " ended before an answer (" + cause.getMessage()
                            + "); the outcome is unknown",
                    ExitCodes.UNAVAILABLE);
        }
        return CallFailure.unreadable("The call to " + base + " failed: " + cause);
    }
}
