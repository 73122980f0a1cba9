package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Q2 and Q13 over two processes: a query does not wait for a provider in a process that stands still, and names it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class FrozenProviderIsNamedIT {

    private static final String QUERY = "from:activations path:share scope:children sort:name";
    private static final int STALLED = 5;

    @TempDir
    private static Path home;

    private TwoProcesses nodes;

    @BeforeAll
    @Timeout(180)
    void start() {
        nodes = TwoProcesses.start(home);
    }

    @AfterAll
    void end() {
        if (nodes != null) {
            nodes.close();
        }
    }

    private static void signal(String signal, ProcessNode node) {
        try {
            assertThat(new ProcessBuilder(
                                    "kill",
                                    "-" + signal,
                                    Long.toString(node.jvm().pid()))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Meshhub.Ended ask() {
        return Meshhub.at(nodes.a().http(), "query", QUERY, "--json", "--timeout", "8");
    }

    private List<String> awaitBoth() {
        return await().atMost(ProcessNode.START)
                .until(
                        () -> {
                            Meshhub.Ended ended = ask();
                            return ended.code() == 0 ? ended.out() : List.<String>of();
                        },
                        lines -> lines.stream().anyMatch(line -> line.contains("\"node\":\"a\""))
                                && lines.stream().anyMatch(line -> line.contains("\"node\":\"b\"")));
    }

    @Test
    void aQueryEndsWithTheNameOfTheProviderWhoseProcessIsFrozenAndIsAnsweredAgainAfterTheThaw() {
        List<String> before = awaitBoth();
        assertThat(before).hasSizeGreaterThanOrEqualTo(64);

        signal("STOP", nodes.b());
        Meshhub.Ended stalled;
        try {
            stalled = ask();
        } finally {
            signal("CONT", nodes.b());
        }

        assertThat(stalled.code()).as(stalled.toString()).isEqualTo(STALLED);
        assertThat(stalled.json().getString("kind")).isEqualTo("QueryProviderStalled");
        assertThat(stalled.json().getJsonArray("providers"))
                .singleElement()
                .satisfies(provider ->
                        assertThat(((JsonObject) provider).getString("name")).isEqualTo("activations@b"));
        assertThat(awaitBoth()).hasSizeGreaterThanOrEqualTo(64);
    }
}
