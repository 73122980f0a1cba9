package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code meshhub watch}: a line for each change and each state, over as many connections as it takes. */
@Timeout(30)
class WatchCommandTest {

    private static final String LIVE = event("state", "", "{\"state\":\"LIVE\"}");

    private final FakeNode node = new FakeNode();
    private final Shell shell = new Shell(node.url());

    @AfterEach
    void close() {
        node.close();
    }

    private static String event(String kind, String id, String data) {
        return "event: " + kind + "\n" + (id.isEmpty() ? "" : "id: " + id + "\n") + "data: " + data + "\n\n";
    }

    private void streams(String... events) {
        node.answers.add(new FakeNode.Answer(200, String.join("", events), ""));
    }

    private List<String> lines() {
        return shell.out().lines().toList();
    }

    @Test
    void changesAndStatesAreALineEach() {
        streams(
                event("value", "3-0a0b0c0d", "{\"n\":1}"),
                LIVE,
                ":\n\n",
                event(
                        "state",
                        "",
                        "{\"state\":\"RIDING_OUT\",\"axis\":\"TIME\",\"reask\":2,\"observed\":1,\"allowed\":16,\"inMs\":500,"
                                + "\"why\":\"Hub iso/CH is shutting down\"}"),
                LIVE,
                event("patch", "4-0a0b0c0e", "[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]"));

        assertThat(shell.run("watch", "iso/CH", "--changes", "2")).isZero();
        assertThat(lines())
                .containsExactly(
                        "value  version 3  {\"n\":1}",
                        "live",
                        "riding out  Hub iso/CH is shutting down; re-ask 1 of 16 in 500 ms",
                        "live",
                        "changed  version 4  {\"n\":2}");
        assertThat(node.requests.peek().header("Accept")).contains("text/event-stream");
    }

    @Test
    void aConnectionThatEndsIsMadeAgainFromWhereItEnded() {
        streams(event("value", "3-0a0b0c0d", "{\"n\":1}"), LIVE);
        streams(LIVE, event("patch", "4-0a0b0c0e", "[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]"));

        assertThat(shell.run("watch", "iso/CH", "--changes", "2")).isZero();
        assertThat(lines())
                .containsExactly(
                        "value  version 3  {\"n\":1}",
                        "live",
                        "reconnecting  the node ended the stream; next try in 1000 ms",
                        "live",
                        "changed  version 4  {\"n\":2}");
        assertThat(node.requests)
                .extracting(request -> request.header("Last-event-id"))
                .containsExactly("", "3-0a0b0c0d");
    }

    @Test
    void aFinalStateEndsItAndAFailedOneSaysSoByItsExitCode() {
        streams(
                event("value", "1-00000000", "5"),
                event("state", "", "{\"state\":\"ENDED\",\"reason\":\"COMPLETED\"}"));
        assertThat(shell.run("watch", "iso/CH")).isZero();
        assertThat(lines()).endsWith("ended  COMPLETED");

        streams(event(
                "state",
                "",
                "{\"state\":\"ENDED\",\"reason\":\"NOT_FOUND\",\"failure\":{\"status\":404,\"title\":\"Not found\"}}"));
        assertThat(shell.run("watch", "iso/CH")).isEqualTo(ExitCodes.NOT_FOUND);
    }

    @Test
    void whatIsRefusedEndsItWithTheProblem() {
        node.answerNext(404, FakeNode.problem(404, "NotFound", "STOP", "No node 'iso/XX' exists"));

        assertThat(shell.run("watch", "iso/XX")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(shell.err()).contains("No node 'iso/XX' exists");
        assertThat(node.requests).hasSize(1);
    }

    @Test
    void aNodeThatWasNeverThereIsAMistakeAndNotWaitedFor() {
        node.close();

        assertThat(shell.run("watch", "iso/CH")).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(shell.err()).contains("No node answers at");
    }

    @Test
    void jsonIsAnObjectForEachEvent() {
        streams(event("value", "3-0a0b0c0d", "{\"n\":1}"));

        assertThat(shell.run("watch", "iso/CH", "--json", "--changes", "1", "--view", "/content"))
                .isZero();
        assertThat(new JsonObject(lines().get(0)))
                .isEqualTo(new JsonObject()
                        .put("event", "value")
                        .put("id", "3-0a0b0c0d")
                        .put("data", new JsonObject().put("n", 1)));
        assertThat(node.requests.peek().rawUri()).isEqualTo("/mesh/iso/CH?view=%2Fcontent");
    }
}
