package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sample file of the project, and what a mesh that took it in holds. */
final class SampleFile {

    /** How many lines it has, each a node of its own. */
    static final int LINES = 6043;

    /** The partitions of its paths. */
    static final List<String> PARTITIONS = List.of("iso", "currency", "language");

    private SampleFile() {}

    /** Where it lies: tests run in the directory of their module. */
    static Path path() {
        Path sample = Path.of("..", "conf", "samples", "iso.jsonl");
        return Files.exists(sample) ? sample : Path.of("conf", "samples", "iso.jsonl");
    }

    /** Its lines, moved below a partition of their own. */
    static List<String> lines(String partition) {
        try {
            return Files.readAllLines(path()).stream()
                    .map(line -> line.replace("{\"path\":\"", "{\"path\":\"" + partition + "/"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path that a line names. */
    static String pathOf(String line) {
        return new JsonObject(line).getString("path");
    }

    /** All nodes below a partition, read page by page. */
    static List<JsonObject> below(String partition, NodeHttp node) {
        List<JsonObject> found = new ArrayList<>();
        String after = "";
        do {
            NodeHttp.Answer answer = node.get("/mesh/" + partition + "?scope=descendants&limit=1000" + after);
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            answer.json().getJsonArray("nodes").forEach(each -> found.add((JsonObject) each));
            // What an import says of itself is no node of its file.
            found.removeIf(each -> each.getString("path").contains("/_Activity/"));
            String next = answer.json().getString("next");
            after = next == null ? "" : "&after=" + next;
        } while (!after.isEmpty());
        return found;
    }
}
