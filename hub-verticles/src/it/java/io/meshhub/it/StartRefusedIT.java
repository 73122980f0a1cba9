package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a process of the jar from starting is one clear line, and leaves nothing behind; what the commands exit with. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
class StartRefusedIT {

    @TempDir
    private static Path home;

    private ProcessNode.Setup setup;
    private ProcessNode node;

    @BeforeAll
    @Timeout(90)
    void start() {
        List<Integer> ports = FreePorts.of(2);
        setup = new ProcessNode.Setup(
                "a",
                "it-" + UUID.randomUUID(),
                home.resolve("one"),
                home.resolve("shared"),
                ports.get(0),
                ports.get(1),
                List.of(ports.get(1)));
        node = ProcessNode.start(setup);
        TwoProcesses.put("here", 3, node.http());
    }

    @AfterAll
    void end() {
        if (node != null) {
            node.close();
        }
    }

    /** Another node of the cluster, with data and ports of its own. */
    private ProcessNode.Setup another() {
        List<Integer> ports = FreePorts.of(2);
        return setup.named("b").at(home.resolve("other")).on(ports.get(0), ports.get(1));
    }

    /** O3 */
    @Test
    void portInUseIsOneLineAndNothingIsLeftBehind() throws IOException {
        ProcessNode.Setup another = another();
        try (ServerSocket taken = new ServerSocket(another.httpPort(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();
            assertThat(refusal(another))
                    .startsWith("http.port = " + another.httpPort() + " (from flag --http-port) cannot be taken on ");
        }
        ProcessNode.Setup sameMember = another().on(another.httpPort(), setup.hazelcastPort());
        assertThat(refusal(sameMember))
                .startsWith("cluster.hazelcast.port = " + setup.hazelcastPort()
                        + " (from flag --hazelcast-port) cannot be taken on ");
        assertOnlyMember();
        // Its ports and its data are free again.
        try (ProcessNode started = ProcessNode.start(another)) {
            assertThat(started.http().get("/mesh/here/1").status()).isEqualTo(200);
            started.jvm().terminate();
            assertThat(started.jvm().awaitExit(ProcessNode.START))
                    .as(started.output())
                    .isZero();
        }
        assertOnlyMember();
    }

    /** O3 */
    @Test
    void dataOfARunningNodeIsOneLineWithItsProcess() {
        List<Integer> ports = FreePorts.of(2);

        assertThat(refusal(setup.on(ports.get(0), ports.get(1))))
                .isEqualTo("Data directory '" + setup.home().resolve("a") + "' is in use by process "
                        + node.jvm().pid()
                        + ": end that process, or name another node (--node) or directory (--data)");
        assertOnlyMember();
    }

    /** A11 */
    @Test
    void nodeWithAnotherStoreIsRefused() {
        assertThat(refusal(another().storedIn(home.resolve("another-store"))))
                .contains("Node 'b' cannot join role 'hub': its store is '")
                .contains("that of node 'a' is '");
        assertOnlyMember();
    }

    /** A11 */
    @Test
    void secondNodeOfTheSameNameIsRefused() {
        assertThat(refusal(another().named("a"))).contains("Node 'a' cannot join: its name is taken by a live member");
        assertOnlyMember();
    }

    /** O2 */
    @Test
    void allProblemsOfTheSettingsAreToldAtOnce() {
        Meshhub.Ended ended = Meshhub.run(
                "run",
                "--data",
                home.resolve("never").toString(),
                "--http-port",
                "99999",
                "--join",
                "magic",
                "--set",
                "hub.mailbx=3",
                "--set",
                "hub.idle-timeout=5");

        assertThat(ended.code()).as(ended.toString()).isEqualTo(78);
        assertThat(ended.err().get(0)).isEqualTo("meshhub: 4 settings are wrong; nothing was started:");
        assertThat(ended.err().subList(1, ended.err().size()))
                .hasSize(4)
                .anyMatch(line -> line.startsWith("  http.port = 99999 (from flag --http-port)"))
                .anyMatch(line -> line.startsWith("  cluster.join = magic (from flag --join)"))
                .anyMatch(line -> line.startsWith("  hub.mailbx = 3 (from flag --set)"))
                .anyMatch(line -> line.startsWith("  hub.idle-timeout = 5 (from flag --set)"));
        assertThat(home.resolve("never")).doesNotExist();
    }

    @Test
    void commandsExitWithWhatTheyFound() {
        NodeHttp http = node.http();
        Meshhub.Ended ls = Meshhub.at(http, "ls", "here", "--json");
        assertThat(ls.code()).as(ls.toString()).isZero();
        assertThat(ls.out().stream().map(line -> new JsonObject(line).getString("path")))
                .containsExactly("here/0", "here/1", "here/2");

        Meshhub.Ended get = Meshhub.at(http, "get", "here/1", "--json");
        assertThat(get.code()).as(get.toString()).isZero();
        assertThat(get.json().getJsonObject("content")).isEqualTo(new JsonObject().put("n", 0));

        Meshhub.Ended ping = Meshhub.at(http, "ping", "here/1", "--json");
        assertThat(ping.code()).as(ping.toString()).isZero();
        assertThat(ping.json().getString("node")).isEqualTo("a");

        Meshhub.Ended members = Meshhub.at(http, "members", "--json");
        assertThat(members.code()).as(members.toString()).isZero();
        assertThat(members.json().getJsonArray("nodes")).hasSize(1);

        Meshhub.Ended settings = Meshhub.run("config", "show", "--json", "--http-port", "1234");
        assertThat(settings.code()).as(settings.toString()).isZero();
        assertThat(settings.json().getJsonArray("settings").stream().map(JsonObject.class::cast))
                .anySatisfy(setting -> {
                    assertThat(setting.getString("key")).isEqualTo("http.port");
                    assertThat(setting.getValue("value")).hasToString("1234");
                });
    }

    @Test
    void commandsSayByTheirExitCodeThatNothingIsThereOrNobodyAnswers() {
        for (String command : List.of("get", "ping", "ls")) {
            Meshhub.Ended missing = Meshhub.at(node.http(), command, "here/none", "--json");
            assertThat(missing.code()).as(command + ": " + missing).isEqualTo(3);
            assertThat(missing.json().getString("kind")).isEqualTo("NotFound");
        }
        NodeHttp nobody = new NodeHttp(FreePorts.of(1).get(0));
        for (String command : List.of("get", "ping", "ls")) {
            Meshhub.Ended unreachable = Meshhub.at(nobody, command, "here/1", "--json");
            assertThat(unreachable.code()).as(command + ": " + unreachable).isEqualTo(4);
            assertThat(unreachable.json().getString("kind")).isEqualTo("Unreachable");
        }
    }

    /** The one line that says why such a node did not start. */
    private static String refusal(ProcessNode.Setup refused) {
        try (Meshhub process = Meshhub.startNode(refused.arguments())) {
            Meshhub.Ended ended = process.await();
            assertThat(ended.code()).as(ended.toString()).isEqualTo(1);
            assertThat(ended.err()).noneMatch(line -> line.startsWith("\tat ") || line.contains(" ERROR "));
            List<String> lines = ended.err().stream()
                    .filter(line -> line.startsWith("meshhub: "))
                    .toList();
            assertThat(lines).as(ended.toString()).hasSize(1);
            return lines.get(0).substring("meshhub: ".length());
        }
    }

    // The others hear of the end of a node a moment after its process has ended.
    private void assertOnlyMember() {
        await().atMost(ProcessNode.START).untilAsserted(() -> {
            NodeHttp.Answer members = node.http().get("/api/v1/members");
            assertThat(members.json().getJsonArray("nodes")).as(members.text()).hasSize(1);
        });
        assertThat(node.http().get("/mesh/here/1").status()).isEqualTo(200);
    }
}
