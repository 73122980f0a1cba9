package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
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
    private static final int ADDRESSES = 64;

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

    // A shard that moves ends its activations: they are woken again until all are found.
    private void awaitAllOfBoth() {
        List<String> addresses =
                IntStream.range(0, ADDRESSES).mapToObj(i -> "share/" + i).toList();
        await().atMost(ProcessNode.START).untilAsserted(() -> {
            TwoProcesses.pings(addresses, nodes.a().http());
            Meshhub.Ended ended = ask();
            assertThat(ended.code()).as(ended.toString()).isZero();
            assertThat(ended.out())
                    .hasSize(ADDRESSES)
                    .anyMatch(line -> line.contains("\"node\":\"a\""))
                    .anyMatch(line -> line.contains("\"node\":\"b\""));
        });
    }

    @Test
    void aQueryEndsWithTheNameOfTheProviderWhoseProcessIsFrozenAndIsAnsweredAgainAfterTheThaw() {
        awaitAllOfBoth();

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
        awaitAllOfBoth();
    }
}
