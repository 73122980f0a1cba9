package io.meshhub.hub.launcher;

import io.meshhub.cluster.settings.SettingsSources;
import io.meshhub.hub.launcher.client.ClientCommands;
import io.meshhub.hub.launcher.client.ExitCodes;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command line {@code meshhub}: runs a node, or talks to one. */
public final class Main {

    /** {@code meshhub} by itself: says what there is. */
    @Command(
            name = "meshhub",
            description =
                    "A messaging hub on the clustered Vert.x event bus: every address is a verticle that wakes when"
                            + " someone writes to it.",
            footer = {
                "",
                "Examples:",
                "  meshhub run                              start a node on http://127.0.0.1:8080",
                "  meshhub import conf/samples/iso.jsonl    put 6,043 nodes into it",
                "  meshhub get iso/CH                       read one",
                "  meshhub ls iso/CH                        list what lies below it",
                "  meshhub query 'nodeType:country Sw*'     find nodes",
                "  meshhub help put                         explain a command"
            })
    private static final class Root {}

    /** {@code meshhub config}: groups what concerns settings. */
    @Command(name = "config", description = "Show the settings.")
    private static final class ConfigGroup {}

    private static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

    /** What ends the JVM when its shutdown hooks do not: 10 s. */
    private static final long EXIT_BOUND_MS = 10_000;

    private Main() {}

    /** Runs the command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        // Before any class can touch the common pool: with one worker, as on two processors, every completion of
        // Hazelcast's asynchronous calls would start a thread of its own.
        if (System.getProperty(PARALLELISM) == null) {
            System.setProperty(PARALLELISM, "4");
        }
        int code = commandLine(HostedNode::new, SettingsSources.ofProcess(), Signals::to, Runtime.getRuntime()::halt)
                .execute(args);
        exit(code);
    }

    // A hook that hangs must not keep a process that has ended.
    private static void exit(int code) {
        Thread watchdog = new Thread(
                () -> {
                    LockSupport.parkNanos(EXIT_BOUND_MS * 1_000_000);
                    Runtime.getRuntime().halt(code);
                },
                "meshhub-exit");
        watchdog.setDaemon(true);
        watchdog.start();
        System.exit(code);
    }

    /** The whole command line, with what it takes from the process around it. */
    static CommandLine commandLine(
            MeshNode.Factory nodes, SettingsSources process, Consumer<Consumer<String>> signals, IntConsumer halt) {
        CommandLine root = new CommandLine(new Root());
        root.addSubcommand(new RunCommand(process, nodes, signals, halt));
        ClientCommands.addTo(root);
        CommandLine config = new CommandLine(new ConfigGroup());
        config.addSubcommand(new ConfigCommand(process));
        root.addSubcommand(config);
        root.addSubcommand(new CommandLine.HelpCommand());
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setUsageHelpAutoWidth(true);
        root.setExecutionExceptionHandler((e, command, result) -> failed(e, command));
        describe(root);
        return root;
    }

    private static int failed(Exception e, CommandLine command) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        command.getErr().println("meshhub: " + command.getCommandName() + " failed: " + e);
        LoggerFactory.getLogger(Main.class).debug("Command {} failed", command.getCommandName(), e);
        return ExitCodes.FAILED;
    }

    /** Gives every command --help and --version, and the same exit codes. */
    private static void describe(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.mixinStandardHelpOptions(true);
        spec.versionProvider(() -> new String[] {"meshhub " + version()});
        spec.exitCodeOnInvalidInput(ExitCodes.USAGE);
        spec.exitCodeOnExecutionException(ExitCodes.FAILED);
        spec.usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(ExitCodes.help())
                .optionListHeading("%nOptions:%n")
                .parameterListHeading("%nParameters:%n")
                .commandListHeading("%nCommands:%n")
                .synopsisHeading("Usage: ");
        command.getSubcommands().values().forEach(Main::describe);
    }

    private static String version() {
        @Nullable String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
