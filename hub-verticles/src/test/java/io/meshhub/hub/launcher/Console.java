package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.SettingsSources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import picocli.CommandLine;

/** Runs the whole command line in this JVM: what it prints, its exit code, and signals at hand. */
final class Console {

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final AtomicReference<Consumer<String>> signals = new AtomicReference<>();
    final AtomicInteger halted = new AtomicInteger(-1);
    final AtomicInteger created = new AtomicInteger();
    private final CommandLine commandLine;

    Console(MeshNode node, Map<String, String> environment) {
        commandLine = Main.commandLine(
                settings -> {
                    created.incrementAndGet();
                    return node;
                },
                SettingsSources.none().withEnvironment(environment),
                signals::set,
                halted::set);
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    }

    int run(String... args) {
        return commandLine.execute(args);
    }

    CommandLine commandLine() {
        return commandLine;
    }
}
