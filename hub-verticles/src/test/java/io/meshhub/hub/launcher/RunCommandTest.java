package io.meshhub.hub.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.sync.SyncOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O2, O3: what the command line does before a node starts, and with which exit code it ends. */
class RunCommandTest {

    @TempDir
    Path dir;

    private final FakeMeshNode node = new FakeMeshNode();

    /** O2 */
    @Test
    void wrongSettingsAreAllToldAndNothingIsStarted() throws IOException {
        Path file = Files.writeString(dir.resolve("m.yaml"), "shutdown:\n  drain: 11500ms\nhtp:\n  port: 1\n");
        Console console = new Console(node, Map.of("MESHHUB_HTTP_PORT", "99999"));

        int code = console.run(
                "run",
                "--config",
                file.toString(),
                "--data",
                dir.resolve("data").toString(),
                "--join",
                "tcp",
                "--json");

        assertThat(code).isEqualTo(78);
        assertThat(console.err.toString().lines())
                .contains(
                        "meshhub: 4 settings are wrong; nothing was started:",
                        "  htp.port = 1 (from " + file
                                + " line 4) is no setting; did you mean 'http.port' (MESHHUB_HTTP_PORT)?",
                        "  http.port = 99999 (from env MESHHUB_HTTP_PORT) must be between 0 and 65535",
                        "  cluster.seeds = '' (from default) must name at least one peer where cluster.join is tcp",
                        "  shutdown.drain = 11500ms (from " + file + " line 2) must be above 11500ms, the bound of a"
                                + " hand-over (9500ms, hub.quiesce and hub.disposal-watchdog) and 2s");
        assertThat(new JsonObject(console.out.toString()).getJsonArray("problems"))
                .hasSize(4);
        assertThat(console.created).hasValue(0);
        assertThat(dir.resolve("data")).doesNotExist();
    }

    /** O2: the bounds of a disposal hang together, and what is derived from them follows. */
    @Test
    void impossibleBoundsOfADisposalAreToldWithTheirRule() throws IOException {
        Path file = Files.writeString(dir.resolve("m.yaml"), """
                hub:
                  quiesce: 9s
                  disposal-watchdog: 9s
                ride-out:
                  pace: 500ms
                shutdown:
                  drain: 20s
                """);
        Console console = new Console(node, Map.of());

        assertThat(console.run("run", "--config", file.toString(), "--data", dir.toString()))
                .isEqualTo(78);
        assertThat(console.err.toString().lines())
                .contains(
                        "  hub.disposal-watchdog = 9s (from " + file + " line 3) must be above hub.quiesce, 9000ms",
                        "  hub.disposal-watchdog = 9s (from " + file + " line 3) must be at most 7500ms, which is 15"
                                + " times ride-out.pace, or who rides out a disposal gives up before it is forced",
                        "  shutdown.drain = 20s (from " + file + " line 7) must be above 20000ms, the bound of a"
                                + " hand-over (18000ms, hub.quiesce and hub.disposal-watchdog) and 2s");
        assertThat(console.created).hasValue(0);
    }

    /** The same values are possible once what they depend on follows. */
    @Test
    void longerBoundsArePossibleWithASlowerPaceAndALongerDrain() throws IOException {
        Path file = Files.writeString(dir.resolve("m.yaml"), """
                hub:
                  quiesce: 4s
                  disposal-watchdog: 15s
                ride-out:
                  pace: 1s
                shutdown:
                  drain: 21001ms
                """);
        Console console = new Console(node, Map.of());

        assertThat(console.run("config", "show", "--config", file.toString()))
                .as(console.err.toString())
                .isZero();
    }

    @Test
    void aFileOfNodesWithABadLineIsNamedByItAndNothingIsStarted() throws IOException {
        Path file = Files.writeString(
                dir.resolve("static.jsonl"),
                "{\"path\":\"a\",\"nodeType\":\"t\",\"name\":\"n\",\"content\":{}}\n{\"path\":\"a//b\"}\n");
        Console console = new Console(node, Map.of());

        assertThat(console.run("run", "--data", dir.resolve("data").toString(), "--set", "query.static-nodes=" + file))
                .isEqualTo(78);
        assertThat(console.err.toString()).contains("query.static-nodes", "line 2: field 'content' must be an object");
        assertThat(console.created).hasValue(0);
    }

    @Test
    void missingSettingsFileThatWasNamedIsAProblem() {
        Console console = new Console(node, Map.of());

        assertThat(console.run("run", "--config", dir.resolve("none").toString()))
                .isEqualTo(78);
        assertThat(console.err.toString()).contains("none does not exist");
    }

    @Test
    void nodeRunsUntilASignalAndTheExitCodeIsThatOfItsEnd() {
        node.started.complete();
        node.stopped.complete(Drained.whole());
        Console console = new Console(node, Map.of());

        int code = runAndSignal(console, 1);

        assertThat(code).isZero();
        assertThat(node.calls).containsExactly("start", "stop 30000");
        assertThat(console.halted).hasValue(-1);
        assertThat(dir.resolve("data/b/lock")).exists();
    }

    @Test
    void cutHaltsTheJvm() {
        node.started.complete();
        Console console = new Console(node, Map.of());

        assertThat(runAndSignal(console, 2)).isEqualTo(1);
        assertThat(console.halted).hasValue(1);
    }

    private int runAndSignal(Console console, int signals) {
        console.signals.set(null);
        Thread sender = new Thread(() -> {
            await().until(() -> console.signals.get() != null);
            for (int i = 0; i < signals; i++) {
                console.signals.get().accept("SIGTERM");
            }
        });
        sender.start();
        return console.run("run", "--node", "b", "--data", dir.resolve("data").toString());
    }

    @Test
    void nodeHasANameAndTheStoreADirectoryWhereNothingIsSet() throws SettingsException {
        MeshHubSettings settings =
                SettingsRules.loader().load(SettingsSources.none()).value();

        assertThat(SettingsRules.nodeName(settings)).matches("[A-Za-z][A-Za-z0-9-]*");
        assertThat(SettingsRules.storeDirectory(settings)).isEqualTo(Path.of("data", "store"));
    }

    @Test
    void streamsAreFollowedAsIsSetAndRideOutAtThePaceOfAll() throws SettingsException {
        SyncOptions usual = SettingsRules.sync(
                SettingsRules.loader().load(SettingsSources.none()).value());
        SyncOptions set = SettingsRules.sync(SettingsRules.loader()
                .load(SettingsSources.none()
                        .withFlags(List.of(
                                new SettingsFlag("sync.beat-interval", "--set", "10s"),
                                new SettingsFlag("sync.idle-release", "--set", "0s"),
                                new SettingsFlag("sync.resubscribes-in-flight", "--set", "8"),
                                new SettingsFlag("ride-out.pace", "--set", "6s"))))
                .value());

        assertThat(usual).isEqualTo(SyncOptions.ofDefaults());
        assertThat(set.beatInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(set.idleRelease()).isZero();
        assertThat(set.resubscribesInFlight()).isEqualTo(8);
        assertThat(set.latch().policy().pace()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void nodeNameMustNotBeThatOfTheStoresDirectory() {
        Console console = new Console(node, Map.of());

        assertThat(console.run("run", "--node", "store")).isEqualTo(78);
        assertThat(console.err.toString()).contains("cluster.node = store (from flag --node) must not be");
    }

    /** O3 */
    @Test
    void dataDirectoryInUseIsOneLine() throws IOException {
        Path data = dir.resolve("data");
        DataLock lock = DataLock.acquire(data, "b");
        Console console = new Console(node, Map.of());

        assertThat(console.run("run", "--node", "b", "--data", data.toString())).isEqualTo(1);
        assertThat(console.err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("meshhub: Data directory '" + data.resolve("b") + "' is in use by process ");
        assertThat(console.created).hasValue(0);
        lock.close();
    }

    @Test
    void configShowPrintsWhatIsInForce() {
        Console console = new Console(node, Map.of("MESHHUB_HUB_MAILBOX", "64"));

        assertThat(console.run("config", "show", "--http-port", "1", "--set", "store.kind=memory"))
                .isZero();
        assertThat(console.out.toString().lines())
                .anyMatch(line -> line.matches("http\\.port +1 +flag --http-port"))
                .anyMatch(line -> line.matches("hub\\.mailbox +64 +env MESHHUB_HUB_MAILBOX"))
                .anyMatch(line -> line.matches("store\\.kind +memory +flag --set"))
                .anyMatch(line -> line.matches("http\\.host +127\\.0\\.0\\.1 +default"));
    }

    @Test
    void helpTeaches() {
        Console console = new Console(node, Map.of());

        assertThat(console.run("--help")).isZero();
        assertThat(console.out.toString())
                .contains("Examples:", "meshhub import conf/samples/iso.jsonl", "Exit codes:")
                .containsPattern("78 +wrong settings");
        for (String command : console.commandLine().getSubcommands().keySet()) {
            Console other = new Console(node, Map.of());
            assertThat(other.run(command, "--help")).as(command).isZero();
        }
        assertThat(new Console(node, Map.of()).run("--version")).isZero();
        assertThat(new Console(node, Map.of()).run("nothing")).isEqualTo(2);
        assertThat(new Console(node, Map.of()).run()).isEqualTo(2);
    }
}
