package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.hub.launcher.SlowNode;
import io.meshhub.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** O1: what a node that was told to end still answers, with which code its process ends, and what it says. */
@Timeout(120)
class SignalsEndTheProcessIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private ChildJvm jvm;
    private NodeHttp http;

    private Path go() {
        return home.resolve("go");
    }

    private void start(String... settings) {
        List<Integer> ports = FreePorts.of(2);
        List<String> arguments = new ArrayList<>(List.of(go().toString()));
        arguments.addAll(new ProcessNode.Setup(
                        "a",
                        "it-" + UUID.randomUUID(),
                        home.resolve("data"),
                        home.resolve("store"),
                        ports.get(0),
                        ports.get(1),
                        List.of(ports.get(1)))
                .arguments());
        Stream.of(settings).forEach(setting -> arguments.addAll(List.of("--set", setting)));
        jvm = ChildJvm.start("a", SlowNode.class, arguments.toArray(String[]::new));
        http = new NodeHttp(ports.get(0));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(http.readiness())
                        .as(String.join("\n", jvm.lines()))
                        .isEqualTo(200));
    }

    private CompletableFuture<NodeHttp.Answer> post(String type) {
        return http.send("POST", "/mesh/slow/1", "{}", "Mesh-Type", type);
    }

    @AfterEach
    void end() {
        if (jvm != null) {
            jvm.close();
        }
    }

    @Test
    void readinessFallsFirstAndWhatIsUnderWayIsAnswered() throws IOException {
        start("hub.quiesce=6s", "hub.disposal-watchdog=7s");
        CompletableFuture<NodeHttp.Answer> held = post("hold");
        jvm.awaitLine("HELD", PATIENCE);

        jvm.terminate();
        await().atMost(PATIENCE).until(() -> http.readiness() == 503);
        assertThat(held).as("it is still under way").isNotDone();
        assertThat(http.get("/health/live").status()).isEqualTo(200);
        assertThat(http.get("/health/ready").text()).contains("\"state\":\"LEAVING\"");
        NodeHttp.Answer refused = http.send(
                        "POST", "/mesh/slow/2", "{}", "Mesh-Type", "quick", "Mesh-Deadline-Ms", "300")
                .join();
        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(refused.problem()).as("nothing new is taken").contains("Unavailable");
        Files.createFile(go());

        NodeHttp.Answer answer = held.join();
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(jvm.awaitExit(PATIENCE)).as(String.join("\n", jvm.lines())).isZero();
        assertThat(jvm.lines()).noneMatch(line -> line.contains("was cut"));
    }

    @Test
    void whatDoesNotEndIsNamedAndTheExitCodeIsOne() {
        start("hub.quiesce=100ms", "hub.disposal-watchdog=500ms", "hub.blocked-after=200ms", "shutdown.drain=4s");
        assertThat(post("block")).isNotDone();
        jvm.awaitLine("BLOCKED", PATIENCE);

        jvm.terminate();
        assertThat(jvm.awaitExit(PATIENCE)).as(String.join("\n", jvm.lines())).isEqualTo(1);
        assertThat(jvm.find("meshhub: Node a was cut after "))
                .get()
                .asString()
                .contains("since the drain ended; cut: ")
                .contains("hub slow/1 in its handler of 'block'");
    }

    @Test
    void aSecondSignalCutsAtOnceAndSaysWhatWasUnderWay() {
        start("hub.quiesce=6s", "hub.disposal-watchdog=7s");
        assertThat(post("hold")).isNotDone();
        jvm.awaitLine("HELD", PATIENCE);

        jvm.terminate();
        await().atMost(PATIENCE).until(() -> http.readiness() == 503);
        jvm.terminate();
        assertThat(jvm.awaitExit(PATIENCE)).as(String.join("\n", jvm.lines())).isEqualTo(1);
        assertThat(jvm.find("meshhub: Node a was cut after "))
                .get()
                .asString()
                .contains("since a second signal came (SIGTERM); cut: ")
                .containsPattern("announcing that the node leaves|handing over the shards|disposing the hubs")
                .contains("1 hub at ");
    }
}
