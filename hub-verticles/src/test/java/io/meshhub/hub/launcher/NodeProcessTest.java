package io.meshhub.hub.launcher;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsException;
import io.meshhub.cluster.settings.SettingsFlag;
import io.meshhub.cluster.settings.SettingsSources;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** O1, O3: how the process of a node ends, with which exit code, and what it says. */
class NodeProcessTest {

    private final FakeMeshNode node = new FakeMeshNode();
    private final StringWriter err = new StringWriter();

    private NodeProcess process(Duration tail, String... pairs) {
        List<SettingsFlag> flags = Arrays.stream(pairs)
                .map(pair -> new SettingsFlag(pair.split("=", 2)[0], "--set", pair.split("=", 2)[1]))
                .toList();
        try {
            Settings<MeshHubSettings> settings =
                    SettingsRules.loader().load(SettingsSources.none().withFlags(flags));
            return new NodeProcess(node, settings, new PrintWriter(err), tail);
        } catch (SettingsException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static CompletableFuture<NodeProcess.End> run(NodeProcess process) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return process.run();
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }

    private void awaitCall(String call) {
        await().until(() -> node.calls.contains(call));
    }

    @Test
    void signalDrainsAndTheEndIsGood() throws Exception {
        NodeProcess process = process(NodeProcess.TAIL, "shutdown.drain=12s");
        CompletableFuture<NodeProcess.End> end = run(process);
        node.started.complete();
        process.signal("SIGTERM");
        awaitCall("stop 12000");
        assertThat(end).isNotDone();
        node.stopped.complete(Drained.whole());

        assertThat(end.get(10, SECONDS)).isEqualTo(new NodeProcess.End(0, false));
        assertThat(node.calls).containsExactly("start", "stop 12000");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void signalDuringTheStartDrainsToo() throws Exception {
        NodeProcess process = process(NodeProcess.TAIL);
        process.signal("SIGINT");
        CompletableFuture<NodeProcess.End> end = run(process);
        awaitCall("stop 30000");
        node.started.complete();
        node.stopped.complete(Drained.whole());

        assertThat(end.get(10, SECONDS).exitCode()).isZero();
    }

    @Test
    void whatTheDrainCutIsNamedAndTheExitCodeIsOne() throws Exception {
        NodeProcess process = process(NodeProcess.TAIL);
        CompletableFuture<NodeProcess.End> end = run(process);
        node.started.complete();
        process.signal("SIGTERM");
        node.stopped.complete(new Drained(List.of("hub orders/7", "hub orders/8")));

        assertThat(end.get(10, SECONDS)).isEqualTo(new NodeProcess.End(1, false));
        assertThat(err.toString()).contains("was cut after").contains("cut: hub orders/7, hub orders/8");
    }

    @Test
    void secondSignalCuts() throws Exception {
        NodeProcess process = process(NodeProcess.TAIL);
        CompletableFuture<NodeProcess.End> end = run(process);
        node.started.complete();
        process.signal("SIGTERM");
        process.signal("SIGINT");

        assertThat(end.get(10, SECONDS)).isEqualTo(new NodeProcess.End(1, true));
        assertThat(err.toString()).contains("a second signal came (SIGINT)").contains("cut: hub orders/42");
    }

    @Test
    void drainThatNeverEndsIsCutAtItsBound() throws Exception {
        // A tail below zero brings the whole bound down to a moment.
        NodeProcess process = process(Duration.ofMillis(-29_900));
        CompletableFuture<NodeProcess.End> end = run(process);
        node.started.complete();
        process.signal("SIGTERM");

        assertThat(end.get(10, SECONDS)).isEqualTo(new NodeProcess.End(1, true));
        assertThat(err.toString()).contains("the bound of 100 ms passed");
    }

    @Test
    void refusedStartIsOneLineAndTheNodeIsStopped() throws Exception {
        CompletableFuture<NodeProcess.End> end = run(process(NodeProcess.TAIL));
        node.started.fail(new StartRefused("Node b has another store"));
        awaitCall("stop 0");
        node.stopped.complete(Drained.whole());

        assertThat(end.get(10, SECONDS)).isEqualTo(new NodeProcess.End(1, false));
        assertThat(err.toString()).isEqualToIgnoringNewLines("meshhub: Node b has another store");
    }

    /** O3 */
    @Test
    void portInUseIsNamedWithItsKeyAndOrigin() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = "http.port=" + taken.getLocalPort();
            CompletableFuture<NodeProcess.End> end = run(process(NodeProcess.TAIL, port));
            node.stopped.complete(Drained.whole());
            node.started.fail(new IOException("no", new BindException("Address already in use")));

            assertThat(end.get(10, SECONDS).exitCode()).isEqualTo(1);
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith("meshhub: http.port = " + taken.getLocalPort()
                            + " (from flag --set) cannot be taken on 127.0.0.1");
        }
    }
}
