package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientCommandsTest {

    @TempDir
    Path dir;

    private final FakeNode node = new FakeNode();
    private final Shell shell = new Shell(node.url());

    @AfterEach
    void close() {
        node.close();
    }

    private String file(String text) {
        try {
            return Files.writeString(dir.resolve("input.json"), text).toString();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private FakeNode.Request only() {
        assertThat(node.requests).hasSize(1);
        return node.requests.element();
    }

    @Test
    void aTokenGoesAlongAndIsNeverPrinted() {
        node.documents.put(
                "iso/CH", new JsonObject().put("document", new JsonObject()).put("version", 1));
        assertThat(shell.run("get", "iso/CH", "--token", "s3cret")).isZero();
        assertThat(only().header("Authorization")).isEqualTo("Bearer s3cret");
        node.requests.clear();
        assertThat(shell.run("get", "iso/CH")).isZero();
        assertThat(only().header("Authorization")).isEmpty();
        node.requests.clear();

        assertThat(shell.run("get", "iso/CH", "--token", "s3 cret")).isEqualTo(2);
        assertThat(shell.err()).contains("--token, or MESHHUB_TOKEN, must be").doesNotContain("s3 cret");
        assertThat(node.requests).as("nothing was tried").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "404, NotFound,             STOP,                3",
        "503, ShuttingDown,         RIDE_OUT,            4",
        "503, Unavailable,          RETRY_IF_IDEMPOTENT, 4",
        "429, Overloaded,           RETRY_LATER,         4",
        "504, DeadlineExceeded,     RETRY_IF_IDEMPOTENT, 5",
        "504, QueryProviderStalled, REPORT,              5",
        "409, Conflict,             REPORT,              1",
        "400, Rejected,             STOP,                1",
        "500, HandlerFailed,        REPORT,              1"
    })
    void exitCodeSaysHowItEnded(int status, String kind, String remedy, int exitCode) {
        JsonObject problem = FakeNode.problem(status, kind, remedy, "Hub iso/CH says " + kind);
        node.answerNext(status, problem);

        assertThat(shell.run("get", "iso/CH")).isEqualTo(exitCode);
        assertThat(shell.err()).isEqualToIgnoringNewLines("meshhub: Hub iso/CH says " + kind);
        assertThat(shell.out()).isEmpty();

        node.answerNext(status, problem);
        assertThat(shell.run("get", "iso/CH", "--json")).isEqualTo(exitCode);
        assertThat(new JsonObject(shell.out())).isEqualTo(problem);
    }

    @Test
    void nodeThatIsNotThereIsUnavailable() {
        node.close();

        assertThat(shell.run("get", "iso/CH")).isEqualTo(4);
        assertThat(shell.err()).contains("No node answers at " + node.url()).contains("meshhub run");
    }

    @Test
    void serverThatIsNoNodeIsNamed() {
        node.answers.add(new FakeNode.Answer(200, "<html>", ""));
        assertThat(shell.run("get", "iso/CH")).isEqualTo(1);
        assertThat(shell.err()).contains("is no JSON object");

        node.answers.add(new FakeNode.Answer(502, "<html>", ""));
        assertThat(shell.run("get", "iso/CH")).isEqualTo(1);
        assertThat(shell.err()).contains("answered HTTP 502 to GET /mesh/iso/CH");
    }

    @Test
    void wrongCommandLineIsUsageAndAsksNobody() {
        assertThat(shell.run("get")).isEqualTo(2);
        assertThat(shell.run("get", "iso//CH")).isEqualTo(2);
        assertThat(shell.err()).contains("has an empty segment at position 4");
        assertThat(shell.run("get", "iso/CH", "--nothing")).isEqualTo(2);
        assertThat(shell.run("get", "iso/CH", "--timeout", "0")).isEqualTo(2);
        assertThat(shell.run("put", "iso/CH", "--if-absent", "--if-version", "1"))
                .isEqualTo(2);
        assertThat(shell.run("put", "iso/CH", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(new Shell("ftp://x").run("get", "iso/CH")).isEqualTo(2);
        assertThat(node.requests).isEmpty();
    }

    @Test
    void addressIsEncodedBySegment() {
        node.answerNext(200, new JsonObject().put("a", 1));

        assertThat(shell.run("get", "iso/Zürich/a+b@c~d", "--timeout", "7")).isEqualTo(0);
        assertThat(only().rawUri()).isEqualTo("/mesh/iso/Z%C3%BCrich/a%2Bb%40c~d");
        assertThat(only().header("Mesh-Deadline-Ms")).isEqualTo("7000");
        assertThat(new JsonObject(shell.out())).isEqualTo(new JsonObject().put("a", 1));
    }

    @Test
    void putSendsTheDocumentAndItsExpectation() {
        String document =
                "{\"path\":\"iso/XX\",\"version\":3,\"nodeType\":\"country\",\"name\":\"X\",\"content\":{\"a\":1}}";

        assertThat(shell.run("put", "iso/XX", file(document), "--if-version", "3"))
                .isEqualTo(0);
        assertThat(only().method()).isEqualTo("PUT");
        assertThat(only().header("If-Match")).isEqualTo("\"3\"");
        assertThat(only().header("Content-Type")).isEqualTo("application/json");
        assertThat(new JsonObject(only().body()).fieldNames()).containsExactlyInAnyOrder("nodeType", "name", "content");
        assertThat(shell.out()).isEqualToIgnoringNewLines("iso/XX created, version 1");

        assertThat(shell.run("put", "iso/XX", file(document))).isEqualTo(0);
        assertThat(shell.out()).isEqualToIgnoringNewLines("iso/XX unchanged, version 1");
    }

    @Test
    void putWithATypeTakesTheContentAlone() {
        assertThat(shell.run("put", "iso/XX", file("{\"a\":1}"), "--type", "country", "--if-absent"))
                .isEqualTo(0);

        assertThat(only().header("If-None-Match")).isEqualTo("*");
        assertThat(new JsonObject(only().body()))
                .isEqualTo(new JsonObject()
                        .put("nodeType", "country")
                        .put("name", "XX")
                        .put("content", new JsonObject().put("a", 1)));
    }

    @Test
    void putOfAnotherAddressesDocumentIsRefused() {
        assertThat(shell.run("put", "iso/YY", file("{\"path\":\"iso/XX\"}"))).isEqualTo(2);
        assertThat(shell.err()).contains("'iso/XX'").contains("'iso/YY'");
    }

    @Test
    void patchNamesItsFormat() {
        node.answerNext(200, new JsonObject().put("version", 4));
        assertThat(shell.run("patch", "iso/XX", file("{\"content\":{\"a\":2}}")))
                .isEqualTo(0);
        assertThat(only().header("Content-Type")).isEqualTo("application/merge-patch+json");
        assertThat(shell.out()).isEqualToIgnoringNewLines("iso/XX updated, version 4");
        node.requests.clear();

        node.answerNext(200, new JsonObject().put("version", 5));
        assertThat(shell.run("patch", "iso/XX", file("[]"), "--json-patch", "--if-version", "4"))
                .isEqualTo(0);
        assertThat(only().header("Content-Type")).isEqualTo("application/json-patch+json");
        assertThat(only().header("If-Match")).isEqualTo("\"4\"");

        assertThat(shell.run("patch", "iso/XX", file("[]"))).isEqualTo(2);
        assertThat(shell.err()).contains("--json-patch");
    }

    @Test
    void deleteAndRecycleTakeAnEmptyAnswer() {
        node.answers.add(new FakeNode.Answer(204, "", ""));
        assertThat(shell.run("delete", "iso/XX")).isEqualTo(0);
        assertThat(shell.out()).isEqualToIgnoringNewLines("iso/XX deleted");

        node.answers.add(new FakeNode.Answer(204, "", ""));
        assertThat(shell.run("recycle", "iso/XX", "--json")).isEqualTo(0);
        assertThat(new JsonObject(shell.out()).getBoolean("recycled")).isTrue();
        assertThat(node.requests)
                .extracting(FakeNode.Request::rawUri)
                .containsExactly("/mesh/iso/XX", "/api/v1/recycle?address=iso%2FXX");
    }

    @Test
    void recycleParksOrReleasesButNotBoth() {
        node.answers.add(new FakeNode.Answer(204, "", ""));
        assertThat(shell.run("recycle", "iso/XX", "--park")).isEqualTo(0);
        assertThat(shell.out()).isEqualToIgnoringNewLines("iso/XX parked");
        node.answers.add(new FakeNode.Answer(204, "", ""));
        assertThat(shell.run("recycle", "iso/XX", "--release", "--json")).isEqualTo(0);
        assertThat(new JsonObject(shell.out()).getBoolean("released")).isTrue();
        assertThat(node.requests)
                .extracting(FakeNode.Request::rawUri)
                .containsExactly(
                        "/api/v1/recycle?address=iso%2FXX&park=true", "/api/v1/recycle?address=iso%2FXX&release=true");
        assertThat(shell.run("recycle", "iso/XX", "--park", "--release")).isEqualTo(2);
        assertThat(node.requests).hasSize(2);
    }

    @Test
    void lsFollowsThePages() {
        node.answerNext(200, page("b", "iso/a", "iso/b"));
        node.answerNext(200, page(null, "iso/c"));

        assertThat(shell.run("ls", "iso", "--scope", "descendants")).isEqualTo(0);
        assertThat(shell.out().lines()).hasSize(3).first().isEqualTo("iso/a  country  v1  Name of iso/a");
        assertThat(node.requests)
                .extracting(FakeNode.Request::rawUri)
                .containsExactly(
                        "/mesh/iso?scope=descendants&limit=1000", "/mesh/iso?scope=descendants&limit=1000&after=b");
    }

    @Test
    void lsAsJsonIsOneNodeALine() {
        node.answerNext(200, page(null, "iso/a", "iso/b"));

        assertThat(shell.run("ls", "--json")).isEqualTo(0);
        assertThat(shell.out().lines().map(line -> new JsonObject(line).getString("path")))
                .containsExactly("iso/a", "iso/b");
        assertThat(only().rawUri()).isEqualTo("/mesh?scope=children&limit=1000");
    }

    @Test
    void listingThatDoesNotAdvanceEnds() {
        node.answerNext(200, page("b", "iso/a"));
        node.answerNext(200, page("b", "iso/a"));

        assertThat(shell.run("ls", "iso")).isEqualTo(1);
    }

    private static JsonObject page(String next, String... paths) {
        JsonArray nodes = new JsonArray();
        for (String path : paths) {
            nodes.add(new JsonObject()
                    .put("path", path)
                    .put("nodeType", "country")
                    .put("name", "Name of " + path)
                    .put("version", 1));
        }
        JsonObject page = new JsonObject().put("nodes", nodes);
        return next == null ? page : page.put("next", next);
    }

    @Test
    void membersAndPingAreAligned() {
        node.answerNext(
                200,
                new JsonObject()
                        .put(
                                "nodes",
                                new JsonArray()
                                        .add(new JsonObject()
                                                .put("name", "node-1")
                                                .put("state", "UP")
                                                .put("role", "hub")
                                                .put("loops", 3)
                                                .put("incarnation", 7)
                                                .put("self", true)
                                                .put("shards", 1024))
                                        .add(new JsonObject()
                                                .put("name", "b")
                                                .put("state", "STARTING")
                                                .put("role", "hub")
                                                .put("loops", 3)
                                                .put("incarnation", 8))));
        assertThat(shell.run("members")).isEqualTo(0);
        assertThat(shell.out().lines())
                .containsExactly(
                        "NAME     STATE     ROLE  LOOPS  INCARNATION  SHARDS",
                        "node-1*  UP        hub   3      7            1024",
                        "b        STARTING  hub   3      8            -");

        node.answerNext(200, new JsonObject().put("tag", "017DA86C").put("node", "b\u001B[2J"));
        assertThat(shell.run("ping", "iso/CH")).isEqualTo(0);
        assertThat(shell.out().lines()).containsExactly("address  iso/CH", "tag      017DA86C", "node     b?[2J");
    }
}
