package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.Settings;
import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.launcher.client.ExitCodes;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** {@code meshhub run}: runs a node until a signal ends it. */
@Command(
        name = "run",
        description = "Run a node until SIGTERM or SIGINT drains it; a second signal cuts.",
        footer = {
            "",
            "Examples:",
            "  meshhub run",
            "  meshhub run --node b --http-port 8081 --hazelcast-port 5702 --join tcp --seed 127.0.0.1:5701",
            "  meshhub run --set hub.idle-timeout=1m --set store.kind=memory",
            "",
            "Settings, weakest first: defaults, the file, MESHHUB_* variables (MESHHUB_HTTP_PORT), system properties",
            "(-Dmeshhub.http.port), flags. 'meshhub config show' prints what is in force and where it comes from."
        })
final class RunCommand extends SettingsCommand {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    private final MeshNode.Factory nodes;
    private final Consumer<Consumer<String>> signals;
    private final IntConsumer halt;

    /**
     * The command.
     *
     * @param nodes makes the node
     * @param signals is given the one that wants to hear of signals
     * @param halt ends the JVM at once, without its shutdown hooks
     */
    RunCommand(SettingsSources process, MeshNode.Factory nodes, Consumer<Consumer<String>> signals, IntConsumer halt) {
        super(process);
        this.nodes = nodes;
        this.signals = signals;
        this.halt = halt;
    }

    @Override
    int run(Settings<MeshHubSettings> settings) throws Exception {
        MeshHubSettings values = settings.value();
        try (DataLock lock = DataLock.acquire(values.data(), SettingsRules.nodeName(values))) {
            LOG.debug("Locked {}", lock.directory());
            NodeProcess process = new NodeProcess(nodes.create(settings), settings, err(), NodeProcess.TAIL);
            signals.accept(process::signal);
            NodeProcess.End end = process.run();
            if (end.cut()) {
                out().flush();
                halt.accept(end.exitCode());
            }
            return end.exitCode();
        } catch (StartRefused e) {
            err().println("meshhub: " + e.getMessage());
            return ExitCodes.FAILED;
        }
    }
}
