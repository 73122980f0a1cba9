package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.activity.Activities;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** N4, N5: an import names what is bad, loses nothing else, and completes when it is run again. */
@Timeout(60)
class ImportCommandTest {

    @TempDir
    Path dir;

    private final FakeNode node = new FakeNode();
    private final Shell shell = new Shell(node.url());

    @AfterEach
    void close() {
        node.close();
    }

    private static String line(String path, int value) {
        return "{\"path\":\"" + path + "\",\"nodeType\":\"t\",\"name\":\"n\",\"content\":{\"v\":" + value + "}}";
    }

    private static String lines(int count) {
        return IntStream.range(0, count).mapToObj(i -> line("a/" + i, i)).collect(Collectors.joining("\n", "", "\n"));
    }

    private String file(byte[] bytes) {
        try {
            return Files.write(dir.resolve("nodes.jsonl"), bytes).toString();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String file(String text) {
        return file(text.getBytes(StandardCharsets.UTF_8));
    }

    /** N4 */
    @Test
    void badLinesAreNamedAndTheGoodOnesAreIn() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("\uFEFF" + line("a/1", 1) + "\r\n").getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"path\":\"a/2\",,}\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes("{\"path\":\"a/3\",\"nodeType\":\"t\",\"name\":\"\",\"contnet\":{}}\n"
                .getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(new byte[] {(byte) 0xC3, (byte) 0x28, '\n'});
        bytes.writeBytes("\n[1]\n".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes((line("a//b", 1) + "\n").getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes((line("a/4", 1) + " {}\n").getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(line("a/5", 5).getBytes(StandardCharsets.UTF_8));

        assertThat(shell.run("import", file(bytes.toByteArray()))).isEqualTo(1);

        assertThat(node.documents.keySet()).containsExactlyInAnyOrder("a/1", "a/5");
        assertThat(shell.err().lines())
                .hasSize(6)
                .anyMatch(text -> text.startsWith("line 2, column 15: is no JSON: "))
                .anyMatch(text -> text.startsWith("line 3: field 'contnet' is unknown; field 'name' must be"))
                .contains("line 4: is not UTF-8", "line 6, column 1: is no JSON object")
                .anyMatch(text -> text.startsWith("line 7: Address 'a//b' has an empty segment at position 2"))
                .anyMatch(text -> text.startsWith("line 8"));
        assertThat(shell.out()).contains("Imported 9 lines").contains("2 created, 0 updated, 0 unchanged, 6 failed");
    }

    @Test
    void refusedLineIsNamedAndTheOthersAreIn() {
        node.answerNext(400, FakeNode.problem(400, "Rejected", "STOP", "Content is too large"));

        assertThat(shell.run("import", file(lines(5)), "--in-flight", "1", "--json"))
                .isEqualTo(1);

        assertThat(shell.err()).isEqualToIgnoringNewLines("line 1: a/0: Content is too large");
        assertThat(node.documents).hasSize(4);
        JsonObject summary = new JsonObject(shell.out());
        assertThat(summary.getInteger("created")).isEqualTo(4);
        assertThat(summary.getJsonArray("bad").getJsonObject(0).getInteger("line"))
                .isEqualTo(1);
    }

    /** N5 */
    @Test
    void secondRunChangesNothing() {
        String file = file(lines(200));

        assertThat(shell.run("import", file)).isEqualTo(0);
        assertThat(shell.out()).contains("200 created, 0 updated, 0 unchanged, 0 failed");
        assertThat(shell.run("import", file)).isEqualTo(0);
        assertThat(shell.out()).contains("0 created, 0 updated, 200 unchanged, 0 failed");
        assertThat(node.documents)
                .hasSize(200)
                .allSatisfy((path, document) ->
                        assertThat(document.getInteger("version")).isEqualTo(1));
    }

    /** N5: what an interrupted run has put is there; a rerun adds the rest and nothing twice. */
    @Test
    void rerunCompletesAnInterruptedImport() {
        assertThat(shell.run("import", file(lines(70)))).isEqualTo(0);

        assertThat(shell.run("import", file(lines(200)))).isEqualTo(0);
        assertThat(shell.out()).contains("130 created, 0 updated, 70 unchanged, 0 failed");
        assertThat(node.documents).hasSize(200);
    }

    @Test
    void refusalThatPassesIsRiddenOut() {
        String recycling = FakeNode.problem(503, "ShuttingDown", "RIDE_OUT", "Hub a/0 is shutting down")
                .encode();
        node.answers.add(new FakeNode.Answer(503, recycling, "0"));
        node.answers.add(new FakeNode.Answer(
                429, FakeNode.problem(429, "Overloaded", "RETRY_LATER", "full").encode(), "0"));

        assertThat(shell.run("import", file(lines(1)), "--json")).isEqualTo(0);
        JsonObject summary = new JsonObject(shell.out());
        assertThat(summary.getInteger("retries")).isEqualTo(2);
        assertThat(summary.getInteger("created")).isEqualTo(1);
    }

    @Test
    void refusalThatLastsFailsItsLineOnly() {
        String recycling = FakeNode.problem(503, "ShuttingDown", "RIDE_OUT", "Hub a/0 is shutting down")
                .encode();
        node.answers.add(new FakeNode.Answer(503, recycling, "60"));

        assertThat(shell.run("import", file(lines(3)), "--in-flight", "1", "--ride-out", "1"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("line 1: a/0: Hub a/0 is shutting down");
        assertThat(node.documents).hasSize(2);
    }

    @Test
    void nodeThatIsGoneEndsTheImportInsteadOfFailingEveryLineSlowly() {
        node.close();

        assertThat(shell.run("import", file(lines(5000)), "--ride-out", "0")).isEqualTo(4);
        assertThat(shell.err()).contains("gave up after line ").contains("Run the same import again");
        assertThat(shell.err().lines().count()).isLessThan(200);
    }

    @Test
    void noMoreThanTheWindowIsInFlight() {
        assertThat(shell.run("import", file(lines(300)), "--in-flight", "3")).isEqualTo(0);
        assertThat(node.mostInFlight).hasValueLessThanOrEqualTo(3);
        assertThat(node.documents).hasSize(300);
    }

    @Test
    void lastLineOfAPathWins() {
        String text = IntStream.range(0, 200).mapToObj(i -> line("a/same", i)).collect(Collectors.joining("\n"));

        assertThat(shell.run("import", file(text))).isEqualTo(0);
        assertThat(node.documents.get("a/same").getInteger("version")).isEqualTo(200);
        assertThat(node.documents
                        .get("a/same")
                        .getJsonObject("document")
                        .getJsonObject("content")
                        .getInteger("v"))
                .isEqualTo(199);
    }

    @Test
    void fileThatIsNotThereIsUsage() {
        assertThat(shell.run("import", dir.resolve("none").toString())).isEqualTo(2);
        assertThat(node.requests).isEmpty();
    }

    /** N3 */
    @Test
    void importTellsItsActivityWhatBeganAndHowItEnded() {
        assertThat(shell.run("import", file(lines(5)))).isEqualTo(0);

        String path = node.requests.element().rawUri();
        assertThat(path).matches("/mesh/a/_Activity/import-[0-9a-f]{12}");
        assertThat(node.told(Activities.BEGIN)).hasSize(1);
        assertThat(node.told(Activities.BEGIN).get(0).getInteger("total")).isEqualTo(5);
        assertThat(node.told(Activities.END)).hasSize(1);
        JsonObject end = node.told(Activities.END).get(0);
        assertThat(end.getString("outcome")).isEqualTo("SUCCEEDED");
        assertThat(end.getInteger("created")).isEqualTo(5);
        assertThat(end.getString("worker"))
                .isEqualTo(node.told(Activities.BEGIN).get(0).getString("worker"));
    }

    @Test
    void fingerprintIsOfTheBytesAndPartitionOfTheFirstNode() {
        assertThat(shell.run("import", file("[]\n" + line("b/1", 1)))).isEqualTo(1);
        assertThat(shell.run("import", file("[]\n" + line("b/1", 2)))).isEqualTo(1);
        assertThat(shell.run("import", file("[]\n" + line("b/1", 1)))).isEqualTo(1);

        assertThat(node.told(Activities.END))
                .extracting(end -> end.getString("outcome"))
                .containsOnly("FAILED");
        assertThat(node.requests.stream()
                        .filter(request -> request.header("Mesh-Type").equals(Activities.BEGIN))
                        .map(FakeNode.Request::rawUri)
                        .distinct())
                .hasSize(2)
                .allMatch(path -> path.startsWith("/mesh/b/_Activity/import-"));
    }

    /** N3 */
    @Test
    void secondImportWaitsForTheEndOfTheFirstAndExitsAsThatOneEnded() {
        Queue<FakeNode.Answer> begins = new ConcurrentLinkedQueue<>(
                List.of(FakeNode.activity("JOINED", "RUNNING"), FakeNode.activity("ENDED", "FAILED")));
        node.activities = request -> begins.remove();

        assertThat(shell.run("import", file(lines(5)))).isEqualTo(1);

        assertThat(node.documents).isEmpty();
        assertThat(node.told(Activities.BEGIN))
                .extracting(begin -> begin.getInteger("joined"))
                .containsExactly(0, 3);
        assertThat(shell.err()).contains("runs already: run 3 of another is RUNNING, 7 of 10 lines");
        assertThat(shell.out()).contains("Imported by another one").contains("FAILED");
    }

    @Test
    void importThatIsTakenOverEnds() {
        stoppedBy(new FakeNode.Answer(
                409,
                FakeNode.problem(409, "Conflict", "REPORT", "is not of this worker any more")
                        .encode(),
                ""));

        assertThat(shell.err()).contains("gave up after line ").contains("is not of this worker any more");
        assertThat(node.told(Activities.END)).isEmpty();
    }

    @Test
    void importWhoseEndIsAskedForEndsAndSaysSo() {
        FakeNode.Answer running = FakeNode.activity("TOLD", "RUNNING");
        stoppedBy(new FakeNode.Answer(200, running.body().replace("\"RUN\"", "\"CANCEL\""), ""));

        assertThat(shell.err()).contains("Somebody asked for the end of a/_Activity/import-");
        assertThat(node.told(Activities.END))
                .extracting(end -> end.getString("outcome"))
                .containsExactly("CANCELLED");
    }

    // A line that is refused all the time keeps the import busy until it is told to stop.
    private void stoppedBy(FakeNode.Answer progress) {
        node.activities = request -> request.header("Mesh-Type").equals(Activities.PROGRESS)
                ? progress
                : FakeNode.activity("STARTED", "RUNNING");
        String refusal = FakeNode.problem(503, "ShuttingDown", "RIDE_OUT", "Hub is shutting down")
                .encode();
        for (int i = 0; i < 100; i++) {
            node.answers.add(new FakeNode.Answer(503, refusal, "1"));
        }

        assertThat(shell.run("import", file(lines(5)), "--in-flight", "1")).isEqualTo(1);

        assertThat(node.documents).isEmpty();
        assertThat(node.answers).isNotEmpty();
    }

    @Test
    void meshWithoutActivitiesIsImportedIntoAllTheSame() {
        node.activities = request -> new FakeNode.Answer(
                404, FakeNode.problem(404, "NotFound", "STOP", "No node exists").encode(), "");

        assertThat(shell.run("import", file(lines(5)))).isEqualTo(0);

        assertThat(node.documents).hasSize(5);
        assertThat(shell.err()).contains("This mesh keeps no activities");
        assertThat(node.told(Activities.END)).isEmpty();
    }
}
