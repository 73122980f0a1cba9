package io.meshhub.hub.launcher.client;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs a client command as a shell would, and keeps what it printed. */
final class Shell {

    @Command(name = "meshhub")
    static final class Root {}

    private final String url;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    Shell(String url) {
        this.url = url;
    }

    /** The exit code of a command; its node is that of the shell. */
    int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        CommandLine commandLine = new CommandLine(new Root());
        ClientCommands.addTo(commandLine);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--url");
        all.add(url);
        return commandLine.execute(all.toArray(String[]::new));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
