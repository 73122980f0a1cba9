package io.meshhub.hub.query;

import static io.meshhub.testkit.MeshExtension.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.query.language.QueryNode;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes of a file: which lines are nodes, what is said of the others, and what queries find of them. */
@Timeout(30)
class StaticNodesTest {

    private static final String CH =
            "{\"path\":\"iso/CH\",\"nodeType\":\"country\",\"name\":\"Switzerland\",\"content\":{\"n\":1}}";

    @TempDir
    Path directory;

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("static.jsonl"), List.of(lines));
    }

    @Test
    void aLineIsANodeBelowEveryVersionOfAStoreAndABlankOneIsNone() throws IOException {
        assertThat(StaticNodes.read(file("", CH, "  "))).singleElement().satisfies(node -> {
            assertThat(node.path()).hasToString("iso/CH");
            assertThat(node.nodeType()).isEqualTo("country");
            assertThat(node.content().getInteger("n")).isEqualTo(1);
            assertThat(node.version()).isZero();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"path":"a"                                                       | line 2: is no JSON object
                    []                                                                | line 2: is no JSON object
                    {"path":"a","nodeType":"t","name":"n"}                            | field 'content' must be an object
                    {"path":"a//b","nodeType":"t","name":"n","content":{}}            | line 2:
                    {"path":"a","nodeType":"","name":"n","content":{}}                | field 'nodeType' must be a text
                    {"path":"a","nodeType":"t","name":"n","content":{},"more":1}      | fields [more] are unknown
                    {"path":"iso/CH","nodeType":"t","name":"n","content":{}}          | 'iso/CH' is in line 1 already
                    """)
    void whatIsNoNodeIsNamedByItsLine(String line, String said) throws IOException {
        Path file = file(CH, line);

        assertThatThrownBy(() -> StaticNodes.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageContaining(said);
    }

    @Test
    void aFileThatIsNotThereIsNamedSo() {
        assertThatThrownBy(() -> StaticNodes.read(directory.resolve("none"))).hasMessage("does not exist");
    }

    @Test
    void aQueryFindsThoseThatMatchInItsOrderAndNoMoreThanIsWanted() throws Exception {
        String city = CH.replace("country", "city").replace("CH", "FR");
        List<QueryNode> nodes = StaticNodes.read(file(CH, CH.replace("CH", "DE"), city));
        RecordingCall call = new RecordingCall("nodeType:country sort:-path", 1);
        Vertx vertx = Vertx.vertx();
        StaticNodesProvider provider = new StaticNodesProvider(vertx.getOrCreateContext(), nodes);
        try {
            assertThat(provider.saysWhenStarted()).isTrue();
            provider.open(call);
            assertThat(call.next()).isEqualTo("started");
            assertThat(call.next()).isEqualTo("first 1 cut");
            assertThat(call.firstPaths()).containsExactly("iso/DE");
            assertThat(call.startedOn).startsWith("vert.x-worker-thread");
        } finally {
            await(vertx.close());
        }
    }
}
