package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code meshhub query}: a table, lines of JSON, or a line for each change; and how it ends. */
@Timeout(30)
class QueryCommandTest {

    private final FakeNode node = new FakeNode();
    private final Shell shell = new Shell(node.url());

    @AfterEach
    void close() {
        node.close();
    }

    private static JsonObject found(String path, String name) {
        return new JsonObject()
                .put("path", path)
                .put("nodeType", "canton")
                .put("name", name)
                .put("version", 1)
                .put("content", new JsonObject());
    }

    private static JsonObject nodes(JsonObject... found) {
        JsonArray nodes = new JsonArray();
        for (JsonObject each : found) {
            nodes.add(each);
        }
        return new JsonObject().put("nodes", nodes);
    }

    private static String event(String kind, JsonObject data) {
        return "event: " + kind + "\ndata: " + data.encode() + "\n\n";
    }

    private void streams(String... events) {
        node.answers.add(new FakeNode.Answer(200, String.join("", events), ""));
    }

    private static JsonObject stall() {
        return FakeNode.problem(
                504, "QueryProviderStalled", "REPORT", "Query 'x' ended after 5.0 s: no first result of 'store'");
    }

    @Test
    void aTableOfPathTypeAndName() {
        node.answerNext(200, nodes(found("iso/CH/ZH", "Zürich"), found("iso/CH/AI", "Appenzell\u001b[31m")));

        assertThat(shell.run("query", "nodeType:canton", "path:iso/CH scope:children"))
                .isZero();
        assertThat(shell.out().lines())
                .containsExactly("iso/CH/ZH  canton  Zürich", "iso/CH/AI  canton  Appenzell?[31m");
        assertThat(node.requests.peek().rawUri())
                .isEqualTo("/query?q=nodeType%3Acanton%20path%3Aiso%2FCH%20scope%3Achildren");
    }

    @Test
    void jsonIsANodeALine() {
        node.answerNext(200, nodes(found("iso/CH/ZH", "Zürich"), found("iso/CH/BE", "Bern")));

        assertThat(shell.run("query", "nodeType:canton", "--json")).isZero();
        assertThat(shell.out().lines())
                .containsExactly(
                        found("iso/CH/ZH", "Zürich").encode(),
                        found("iso/CH/BE", "Bern").encode());
    }

    @Test
    void nothingFoundIsSaidAndNoFailure() {
        node.answerNext(200, nodes());

        assertThat(shell.run("query", "")).isZero();
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains("Nothing is found");
    }

    @Test
    void aBadQueryIsShownWithItsFault() {
        node.answerNext(
                400,
                FakeNode.problem(400, "Rejected", "STOP", "'nowhere' at position 15; a scope is self or children")
                        .put("position", 15));

        assertThat(shell.run("query", "path:iso", "scope:nowhere")).isEqualTo(ExitCodes.USAGE);
        assertThat(shell.err().lines())
                .containsExactly(
                        "meshhub: 'nowhere' at position 15; a scope is self or children",
                        "  path:iso scope:nowhere",
                        "                 ^");
    }

    @Test
    void aStallEndsItWithFiveAndItsName() {
        node.answerNext(504, stall());
        assertThat(shell.run("query", "x")).isEqualTo(ExitCodes.STALLED);
        assertThat(shell.err()).contains("no first result of 'store'");

        node.answerNext(504, stall());
        assertThat(shell.run("query", "x", "--watch")).isEqualTo(ExitCodes.STALLED);
        assertThat(shell.err()).contains("no first result of 'store'");
    }

    @Test
    void otherRefusalsEndItAsTheyDoElsewhere() {
        node.answerNext(503, FakeNode.problem(503, "Unavailable", "RIDE_OUT", "The store answers no query"));
        assertThat(shell.run("query", "x")).isEqualTo(ExitCodes.UNAVAILABLE);
        node.close();
        assertThat(shell.run("query", "x")).isEqualTo(ExitCodes.UNAVAILABLE);
    }

    @Test
    void watchingIsALineForEachChangeUntilTheEnd() {
        streams(
                event("initial", nodes(found("iso/CH/ZH", "Zürich"))),
                ":\n\n",
                event("added", nodes(found("iso/CH/BE", "Bern"))),
                event("updated", nodes(found("iso/CH/BE", "Berne"))),
                event("removed", new JsonObject().put("paths", new JsonArray().add("iso/CH/ZH"))),
                event("reset", nodes(found("iso/CH/BE", "Berne")).put("gone", new JsonArray().add("static"))),
                event("end", stall()));

        assertThat(shell.run("query", "nodeType:canton", "--watch")).isEqualTo(ExitCodes.STALLED);
        assertThat(shell.out().lines())
                .containsExactly(
                        "found  iso/CH/ZH  canton  Zürich",
                        "added  iso/CH/BE  canton  Bern",
                        "updated  iso/CH/BE  canton  Berne",
                        "removed  iso/CH/ZH",
                        "reset  1 nodes, without static",
                        "found  iso/CH/BE  canton  Berne",
                        "end  QueryProviderStalled");
        assertThat(node.requests.peek().header("Accept")).contains("text/event-stream");
    }

    @Test
    void aStreamThatEndsWithoutAWordIsNoGoodEnd() {
        streams(event("initial", nodes()));

        assertThat(shell.run("query", "x", "--watch", "--json")).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(new JsonObject(shell.out().lines().findFirst().orElseThrow()).getString("event"))
                .isEqualTo("initial");
    }
}
