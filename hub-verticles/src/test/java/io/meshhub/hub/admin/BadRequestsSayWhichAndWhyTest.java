package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetSocket;
import io.vertx.ext.web.client.HttpRequest;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** O6: what an edge refuses is a problem document that says which and why, and reaches no hub. */
final class BadRequestsSayWhichAndWhyTest extends EdgeFixture {

    @AfterEach
    void nothingReachesTheMesh() {
        assertThat(mesh.asked).isEmpty();
    }

    private HttpRequest<Buffer> put() {
        return request(HttpMethod.PUT, "/mesh/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mesh/a",
                "/mesh",
                "/api/v1/node",
                "/api/v1/members",
                "/api/v1/ping",
                "/health/started",
                "/health/ready",
                "/health/live",
                "/metrics"
            })
    void unknownQueryParametersAreNamed(String path) {
        JsonObject problem = problem(get(path + "?zig=1&colour=red"), 400);
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:failure:Rejected");
        assertThat(problem.getString("detail")).contains("[colour, zig]");
        assertThat(problem.getJsonArray("parameters"))
                .isEqualTo(new JsonArray().add("colour").add("zig"));
        assertThat(problem.getString("instance")).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE", "POST"})
    void changesTakeNoQueryParameters(String method) {
        assertThat(problem(send(request(HttpMethod.valueOf(method), "/mesh/a?children")), 400)
                        .getString("detail"))
                .contains("[children]");
    }

    @Test
    void aParameterIsGivenOnce() {
        assertThat(problem(get("/mesh/a?scope=children&scope=subtree"), 400).getString("detail"))
                .contains("'scope' is given 2 times");
        assertThat(problem(get("/mesh/a?children&scope=subtree"), 400).getString("detail"))
                .contains("exclude each other");
        assertThat(problem(get("/mesh/a?limit=3"), 400).getString("detail")).contains("page a listing");
        assertThat(problem(get("/mesh/a?scope=sideways"), 400).getString("detail"))
                .contains("'sideways'");
        for (String limit : new String[] {"0", "1001", "x", ""}) {
            assertThat(problem(get("/mesh/a?children&limit=" + limit), 400).getString("detail"))
                    .contains("'limit' = '" + limit + "'");
        }
        problem(get("/mesh/a?children&after=a//b"), 400);
        problem(get("/mesh/a?children=%zz"), 400);
        problem(get("/api/v1/ping"), 400);
    }

    @Test
    void aBodyOverTheLimitIsRefusedByItsAnnouncedLength() {
        String body = "\"" + "x".repeat(4000) + "\"";
        JsonObject problem = problem(send(put(), "application/json", body), 413);
        assertThat(problem.getString("detail")).contains("2048 bytes").contains("4002");
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:problem:body-too-large");
    }

    @Test
    void aBodyOverTheLimitIsRefusedWhileItComes() {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        HttpClientRequest request = vertx.createHttpClient()
                .request(new RequestOptions()
                        .setMethod(HttpMethod.PUT)
                        .setHost("127.0.0.1")
                        .setPort(edge.port())
                        .setURI("/mesh/a"))
                .await();
        request.setChunked(true);
        request.response().onSuccess(response -> status.complete(response.statusCode()));
        request.write("x".repeat(3000));
        assertThat(status).succeedsWithin(java.time.Duration.ofSeconds(10)).isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{\"name\":}|1|9",
                "{\\n  \"name\": \"x\",\\n  oops}|3|4",
                "{\"a\":1} {\"b\":2}|1|9",
                "{\"a\":1,\"a\":2}|1|11",
                "{\"a\":|1|6",
            })
    void badJsonIsShownByLineAndColumn(String body, int line, int column) {
        JsonObject problem = problem(send(put(), "application/json", body.replace("\\n", "\n")), 400);
        assertThat(problem.getInteger("line")).isEqualTo(line);
        assertThat(problem.getInteger("column")).isCloseTo(column, org.assertj.core.data.Offset.offset(1));
        assertThat(problem.getString("detail")).contains("line " + line + ", column " + problem.getInteger("column"));
    }

    @Test
    void jsonThatIsNoNodeIsRefused() {
        assertThat(problem(send(put(), "application/json", "[]"), 400).getString("detail"))
                .contains("no object");
        assertThat(problem(send(put(), "application/json", ""), 400).getString("detail"))
                .contains("empty");
        problem(send(put(), "application/json", "{\"content\":{\"n\":1e999}}"), 400);
        problem(send(put().putHeader("If-Match", "\"3\""), "application/json", "{\"ifVersion\":4}"), 400);
        problem(
                send(
                        request(HttpMethod.POST, "/mesh/a").putHeader("Mesh-Type", "T"),
                        "application/json",
                        "123456789012345678901234567890"),
                400);
        Buffer latin1 = Buffer.buffer(new byte[] {(byte) 0xc3, 0x28});
        HttpRequest<Buffer> text =
                request(HttpMethod.POST, "/mesh/a").putHeader("Mesh-Type", "T").putHeader("Content-Type", "text/plain");
        assertThat(problem(text.sendBuffer(latin1).await(), 400).getString("detail"))
                .contains("UTF-8");
    }

    @Test
    void otherContentTypesAre415() {
        problem(send(put(), "application/xml", "<a/>"), 415);
        problem(send(put()), 415);
        problem(send(put(), "application/json; charset=latin1", "{}"), 415);
        problem(send(put(), "application/x-www-form-urlencoded", "a=b"), 415);
        problem(send(request(HttpMethod.POST, "/mesh/a").putHeader("Mesh-Type", "T"), "multipart/form-data", "x"), 415);
        problem(send(request(HttpMethod.POST, "/mesh/a").putHeader("Mesh-Type", "T"), "image/png", "x"), 415);
    }

    @ParameterizedTest
    @CsvSource({"If-Match,7", "If-Match,*", "If-Match,W/\"7\"", "If-Match,'\"6\", \"7\"'", "If-None-Match,\"7\""})
    void preconditionsAreOneStrongVersion(String header, String value) {
        JsonObject problem = problem(send(put().putHeader(header, value), "application/json", "{}"), 400);
        assertThat(problem.getString("detail")).contains("'" + header + "'");
    }

    @Test
    void preconditionsThatMakeNoSenseAreRefused() {
        problem(send(request(HttpMethod.DELETE, "/mesh/a").putHeader("If-None-Match", "*")), 400);
        problem(
                send(put().putHeader("If-None-Match", "*").putHeader("If-Match", "\"1\""), "application/json", "{}"),
                400);
        problem(send(request(HttpMethod.DELETE, "/mesh/a"), "application/json", "{}"), 400);
    }

    @ParameterizedTest
    @CsvSource({
        "/mesh/a//b,2",
        "/mesh//a,0",
        "/mesh/a/,2",
        "/mesh/,0",
        "/mesh/a/../b,2",
        "/mesh/a/%2e%2e/b,2",
        "/mesh/a%2Fb,1",
        "/mesh/%C3%BCx%2fb,2",
        "/mesh/a%20b,1",
        "/mesh/a%zz,1",
        "/mesh/a%C3,1",
        "/mesh/ab%,2",
        "/mesh/a%00,1",
    })
    void aMalformedAddressIsShownByItsPosition(String path, int position) {
        JsonObject problem = problem(get(path), 400);
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:failure:Rejected");
        assertThat(problem.getInteger("position")).isEqualTo(position);
        assertThat(problem.getString("address")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "Mesh-Deadline-Ms,0",
        "Mesh-Deadline-Ms,-5",
        "Mesh-Deadline-Ms,soon",
        "Mesh-Correlation-Id,a b",
        "Mesh-Correlation-Id,<script>"
    })
    void badHeadersAreNamed(String header, String value) {
        JsonObject problem = problem(send(request(HttpMethod.GET, "/mesh/a").putHeader(header, value)), 400);
        assertThat(problem.getString("detail")).contains("'" + header + "'");
    }

    @Test
    void aCorrelationIdHasABound() {
        problem(send(request(HttpMethod.GET, "/mesh/a").putHeader("Mesh-Correlation-Id", "x".repeat(129))), 400);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/nothing",
        "GET,/",
        "GET,/mesht/a",
        "GET,/health",
        "POST,/api/v1",
        "GET,/api/v1/node/x",
        "GET,/metrics",
        "GET,//mesh",
        "GET,/meshx",
        "GET,/health/live/",
        "GET,/api/v1/../v1/node"
    })
    void anUnknownRouteIsNamed(String method, String path) {
        JsonObject problem = problem(send(request(HttpMethod.valueOf(method), path)), 404);
        assertThat(problem.getString("type")).isEqualTo("urn:meshhub:problem:no-such-route");
        assertThat(problem.getString("detail")).contains("'" + path + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS,/mesh/a,'GET, HEAD, PUT, PATCH, DELETE, POST'",
        "POST,/mesh,'GET, HEAD'",
        "POST,/api/v1/node,'GET, HEAD'",
        "GET,/api/v1/recycle,POST",
        "DELETE,/health/live,'GET, HEAD'",
        "PUT,/metrics,'GET, HEAD'",
    })
    void aMethodThatIsNotServedIs405WithAllow(String method, String path, String allow) {
        var response = send(request(HttpMethod.valueOf(method), path));
        problem(response, 405);
        assertThat(response.getHeader("Allow")).isEqualTo(allow);
    }

    @Test
    void theMeshItselfIsNoAddress() {
        assertThat(problem(get("/mesh"), 400).getString("detail")).contains("?children");
    }

    @Test
    void aPageOfAnotherSiteCannotChangeAnything() {
        problem(
                send(request(HttpMethod.POST, "/api/v1/recycle?address=a").putHeader("Sec-Fetch-Site", "cross-site")),
                403);
        assertThat(mesh.asked).isEmpty();
    }

    @Test
    void aRequestThatIsNoHttpIsAProblemToo() {
        String answer = raw("GET /mesh/a HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
        assertThat(raw("GET /mesh/" + "a".repeat(5000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .contains(" 414 ", "application/problem+json");
        assertThat(raw("GET /mesh/\u00fc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("percent-encoded");
    }

    private String raw(String request) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Buffer received = Buffer.buffer();
        NetSocket socket =
                vertx.createNetClient().connect(edge.port(), "127.0.0.1").await();
        socket.handler(received::appendBuffer).closeHandler(gone -> answer.complete(received.toString()));
        socket.write(Buffer.buffer(request));
        return answer.join();
    }
}
