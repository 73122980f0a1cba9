package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes of the jar find the cantons of the sample, and an embedder's third process provides one more: a query of
 * either has all of them, or names who did not answer, and says nothing of the others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CantonsAreNeverInPartIT {

    private static final String QUERY = "nodeType:subdivision path:iso/CH scope:children sort:name";
    private static final int CANTONS = 26;
    private static final int STALLED = 5;

    @TempDir
    private static Path home;

    private TwoProcesses nodes;
    private ChildJvm third;

    @BeforeAll
    @Timeout(180)
    void start() {
        nodes = TwoProcesses.start(home);
        Meshhub.Ended imported =
                Meshhub.at(nodes.a().http(), "import", SampleFile.path().toString(), "--json");
        assertThat(imported.code()).as(imported.toString()).isZero();
        ProcessNode.Setup setup = nodes.setupA();
        third = ChildJvm.start(
                "c",
                ProviderNode.class,
                "c",
                setup.cluster(),
                Integer.toString(FreePorts.of(1).get(0)),
                "127.0.0.1:" + setup.hazelcastPort());
        third.awaitLine("UP c", ProcessNode.START);
    }

    @AfterAll
    void end() {
        if (third != null) {
            third.close();
        }
        if (nodes != null) {
            nodes.close();
        }
    }

    // At the same time: a process that stands still for long is no member any more, and not waited for.
    private Stream<Meshhub.Ended> fromBoth(String... more) {
        return Stream.of(nodes.a(), nodes.b())
                .parallel()
                .map(node -> Meshhub.at(
                        node.http(),
                        Stream.concat(Stream.of("query", QUERY), Stream.of(more))
                                .toArray(String[]::new)));
    }

    private void signal(String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(third.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void awaitAll(int cantons) {
        await().atMost(ProcessNode.START)
                .untilAsserted(() -> assertThat(fromBoth()).allSatisfy(ended -> {
                    assertThat(ended.code()).as(ended.toString()).isZero();
                    assertThat(ended.out()).hasSize(cantons);
                }));
    }

    @Test
    void aFrozenProviderIsNamedWithExit5AndWithoutARowAndAllAreThereAgainAfterItsThawAndItsEnd() throws Exception {
        awaitAll(CANTONS + 1);
        assertThat(fromBoth().map(ended -> ended.out().get(0)))
                .allSatisfy(line -> assertThat(line).startsWith(ProviderNode.CANTON.toString()));

        signal("STOP");
        List<Meshhub.Ended> stalled;
        try {
            stalled = fromBoth("--json", "--timeout", "4").toList();
        } finally {
            signal("CONT");
        }

        assertThat(stalled).allSatisfy(ended -> {
            assertThat(ended.code()).as(ended.toString()).isEqualTo(STALLED);
            assertThat(ended.json().getString("kind")).isEqualTo("QueryProviderStalled");
            assertThat(ended.toString()).doesNotContain("iso/CH/");
            assertThat(ended.json().getJsonArray("providers"))
                    .singleElement()
                    .satisfies(provider -> assertThat(((JsonObject) provider).getString("name"))
                            .isEqualTo(ProviderNode.PROVIDER + "@c"));
        });
        awaitAll(CANTONS + 1);

        third.kill();
        awaitAll(CANTONS);
    }
}
