package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** N4 and N5: what an interrupted or partly bad import leaves behind, of two processes of the jar. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ImportSurvivesKillIT {

    private static final Logger LOG = LoggerFactory.getLogger(ImportSurvivesKillIT.class);
    private static final int FIRST_PART = 2000;
    private static final int SURELY_IN = 1000;

    @TempDir
    private static Path home;

    private TwoProcesses nodes;

    @BeforeAll
    @Timeout(120)
    void start() {
        nodes = TwoProcesses.start(home);
    }

    @AfterAll
    void end() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** N5 */
    @Test
    void importThatWasKilledIsCompletedByARerunWithoutDuplicates() throws IOException {
        List<String> lines = SampleFile.lines("killed");
        NodeHttp a = nodes.a().http();
        try (Meshhub first = Meshhub.start(List.of("import", "-", "--url", a.url()))) {
            first.write(lines.subList(0, FIRST_PART));
            awaitLine(lines, a);
            assertThat(first.isAlive()).isTrue();
            first.kill();
        }
        int there = SampleFile.below("killed", a).size();
        assertThat(there).isBetween(1, FIRST_PART);

        Meshhub.Ended rerun = Meshhub.at(a, "import", file("killed", lines), "--json");

        LOG.info("{} nodes were in when the import was killed; the rerun: {}", there, rerun.out());
        assertThat(rerun.code()).as(rerun.toString()).isZero();
        assertThat(rerun.json().getInteger("created")).isEqualTo(SampleFile.LINES - there);
        assertThat(rerun.json().getInteger("unchanged")).isEqualTo(there);
        assertWhole("killed");
    }

    /** N3 and N5: the activity of a killed importer falls silent; the next import of the file takes over and ends it. */
    @Test
    void importOfTheSameFileTakesOverFromAKilledOne() throws IOException {
        List<String> lines = SampleFile.lines("taken");
        String file = file("taken", lines);
        NodeHttp a = nodes.a().http();
        try (Meshhub first = Meshhub.start(List.of("import", file, "--in-flight", "1", "--url", a.url()))) {
            awaitLine(lines, a);
            assertThat(first.isAlive()).isTrue();
            first.kill();
        }
        int there = SampleFile.below("taken", a).size();
        assertThat(there).isBetween(1, SampleFile.LINES - 1);

        // Through the other node: who is in the way is the same everywhere.
        Meshhub.Ended second = Meshhub.at(nodes.b().http(), "import", file, "--json");

        LOG.info("{} nodes were in when the import was killed; who took over: {}", there, second.out());
        assertThat(second.code()).as(second.toString()).isZero();
        assertThat(second.err())
                .anySatisfy(line -> assertThat(line).contains("runs already"))
                .anySatisfy(line -> assertThat(line).contains("takes over (run 2)"));
        assertThat(second.json().getInteger("created")).isEqualTo(SampleFile.LINES - there);
        assertThat(second.json().getInteger("unchanged")).isEqualTo(there);
        assertWhole("taken");
        JsonArray activities =
                a.get("/mesh/taken/_Activity?scope=children").json().getJsonArray("nodes");
        assertThat(activities).hasSize(1);
        String path = activities.getJsonObject(0).getString("path");
        JsonObject activity = a.get("/mesh/" + path).json().getJsonObject("content");
        assertThat(activity.getString("actualStatus")).isEqualTo("SUCCEEDED");
        assertThat(activity.getInteger("run")).isEqualTo(2);
        assertThat(activity.getInteger("done")).isEqualTo(SampleFile.LINES);
    }

    /** N5: the import rides out the loss of a node, or says that it could not; a rerun completes it. */
    @Test
    void importRidesOutTheLossOfANodeOrSaysSoAndARerunCompletesIt() throws IOException {
        List<String> lines = SampleFile.lines("ridden");
        NodeHttp a = nodes.a().http();
        Meshhub.Ended first;
        try (Meshhub importing = Meshhub.start(List.of("import", "-", "--json", "--url", a.url()))) {
            importing.write(lines.subList(0, FIRST_PART));
            awaitLine(lines, a);
            nodes.b().jvm().kill();
            importing.write(lines.subList(FIRST_PART, lines.size()));
            importing.endInput();
            first = importing.await();
        }
        LOG.info("Import during which a node was killed: exit code {}, {}", first.code(), first.out());
        int failed = first.json().getInteger("failed");
        assertThat(first.code()).as(first.toString()).isEqualTo(failed == 0 ? 0 : 1);
        assertThat(first.err().stream().filter(line -> line.startsWith("line ")))
                .hasSize(failed);

        Meshhub.Ended rerun = Meshhub.at(a, "import", file("ridden", lines), "--json");

        assertThat(rerun.code()).as(rerun.toString()).isZero();
        assertThat(rerun.json().getInteger("created")).isLessThanOrEqualTo(failed);
        assertWhole("ridden");
        nodes.restart(nodes.b());
        assertWhole("ridden");
    }

    /** N4 */
    @Test
    void badLinesAreNamedAndTheGoodOnesAreIn() throws IOException {
        List<String> lines = List.of(
                "{\"path\":\"partly/1\",\"nodeType\":\"t\",\"name\":\"one\",\"content\":{}}",
                "{\"path\":\"partly/2\",",
                "{\"path\":\"partly/3\",\"nodeType\":\"t\",\"content\":{}}",
                "{\"path\":\"partly//4\",\"nodeType\":\"t\",\"name\":\"four\",\"content\":{}}",
                "",
                "{\"path\":\"partly/6\",\"nodeType\":\"t\",\"name\":\"six\",\"content\":{}}");
        NodeHttp b = nodes.b().http();

        Meshhub.Ended ended = Meshhub.at(b, "import", file("partly", lines), "--json");

        assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
        assertThat(ended.json().getInteger("created")).isEqualTo(2);
        assertThat(ended.json().getInteger("failed")).isEqualTo(3);
        JsonArray bad = ended.json().getJsonArray("bad");
        assertThat(bad.stream().map(each -> ((JsonObject) each).getInteger("line")))
                .containsExactly(2, 3, 4);
        assertThat(ended.err())
                .anySatisfy(
                        line -> assertThat(line).startsWith("line 2, column ").contains("is no JSON"))
                .anySatisfy(line -> assertThat(line).isEqualTo("line 3: field 'name' must be a text that is not empty"))
                .anySatisfy(line -> assertThat(line).startsWith("line 4").contains("partly//4"));
        assertThat(SampleFile.below("partly", nodes.a().http()).stream().map(node -> node.getString("path")))
                .containsExactly("partly/1", "partly/6");
    }

    private static void awaitLine(List<String> lines, NodeHttp node) {
        String path = "/mesh/" + SampleFile.pathOf(lines.get(SURELY_IN));
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(60))
                .until(() -> node.get(path).status() == 200);
    }

    private static String file(String name, List<String> lines) throws IOException {
        return Files.write(home.resolve(name + ".jsonl"), lines).toString();
    }

    private void assertWhole(String partition) {
        assertThat(SampleFile.below(partition, nodes.a().http()))
                .hasSize(SampleFile.LINES)
                .allSatisfy(node -> assertThat(node.getLong("version")).isEqualTo(1))
                .extracting(node -> node.getString("path"))
                .doesNotHaveDuplicates();
    }
}
