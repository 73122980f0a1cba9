package io.meshhub.it.chaos;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the fault harness. */
@CommandLine.Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts nodes in processes of their own, kills, freezes and cuts them off under load,"
                + " and checks what their callers saw. Exit 0: every promise was kept.")
final class Chaos implements Callable<Integer> {

    @Option(names = "--minutes", defaultValue = "2", description = "for how long faults are made (${DEFAULT-VALUE})")
    private double minutes;

    @Option(names = "--seed", description = "of schedule and load; a random one where it is not given, and printed")
    private @Nullable Long seed;

    @Option(names = "--nodes", defaultValue = "3", description = "how many nodes (${DEFAULT-VALUE})")
    private int nodes;

    @Option(names = "--quorum", defaultValue = "2", description = "cluster.quorum (${DEFAULT-VALUE})")
    private int quorum;

    @Option(names = "--mode", defaultValue = "safe", description = "safe or fast (${DEFAULT-VALUE})")
    private String mode = "safe";

    @Option(names = "--lease", defaultValue = "3", description = "cluster.lease in seconds (${DEFAULT-VALUE})")
    private int lease;

    @Option(names = "--heartbeat-limit", defaultValue = "5", description = "in seconds (${DEFAULT-VALUE})")
    private int heartbeatLimit;

    @Option(
            names = "--faults",
            split = ",",
            description = "kill, restart, freeze, long-freeze, stutter, cut-node, cut-link (all)")
    private @Nullable Set<String> faults;

    @Option(
            names = "--plant",
            defaultValue = "none",
            description =
                    "what is broken on purpose under the faults that show it, which the run must find; all: one after the"
                            + " other (${DEFAULT-VALUE})")
    private String plant = "none";

    @Option(names = "--strict", description = "one activation is asked for, whatever the quorum")
    private boolean strict;

    @Option(names = "--addresses", defaultValue = "200", description = "how many addresses (${DEFAULT-VALUE})")
    private int addresses;

    @Option(names = "--workers", defaultValue = "16", description = "requests under way at a time (${DEFAULT-VALUE})")
    private int workers;

    @Option(
            names = "--directory",
            defaultValue = "target/chaos",
            description = "where runs are kept (${DEFAULT-VALUE})")
    private Path directory = Path.of("target/chaos");

    @Spec
    private @Nullable CommandSpec spec;

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    /** See {@code --help}. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Chaos()).execute(args));
    }

    @Override
    public Integer call() {
        long chosen = seed == null ? RandomGenerator.getDefault().nextInt(1, Integer.MAX_VALUE) : seed;
        if (!plant.equals("none")) {
            return planted(chosen);
        }
        ChaosOptions options = options(chosen);
        ChaosReport report = told(ChaosRun.run(options, out()::println));
        return report.violations().isEmpty() ? 0 : 1;
    }

    /** Breaks one thing after the other, each under the faults that show it. */
    private int planted(long chosen) {
        List<Plant> unseen = new ArrayList<>();
        List<Plant> all =
                Arrays.stream(Plant.values()).filter(each -> each != Plant.NONE).toList();
        for (Plant each : plant.equals("all") ? all : List.of(Plant.of(plant))) {
            if (!each.isPossible()) {
                out().println(each + " is passed over: no links can be cut here");
                continue;
            }
            ChaosReport report =
                    told(ChaosRun.runOneByOne(options(chosen).planted(each), each.faults(), out()::println));
            out().println(each + (report.isFound(each) ? " was found by " : " was NOT found by ") + each.shownBy());
            out().flush();
            if (!report.isFound(each)) {
                unseen.add(each);
            }
        }
        out().println(unseen.isEmpty() ? "All that was planted was found" : "Not found: " + unseen);
        return unseen.isEmpty() ? 0 : 1;
    }

    private ChaosReport told(ChaosReport report) {
        report.lines().forEach(out()::println);
        out().flush();
        return report;
    }

    private ChaosOptions options(long chosen) {
        return new ChaosOptions(
                chosen,
                Duration.ofMillis((long) (minutes * 60_000)),
                nodes,
                quorum,
                mode,
                Duration.ofSeconds(lease),
                Duration.ofSeconds(heartbeatLimit),
                kinds(),
                Plant.NONE,
                strict,
                new ChaosOptions.Workload(
                        addresses,
                        workers,
                        Math.max(1, workers / 4),
                        ChaosOptions.Workload.DEFAULT.deadlinesMs(),
                        ChaosOptions.Workload.DEFAULT.recyclesPerMille()),
                directory.resolve(Long.toString(chosen)).toAbsolutePath());
    }

    private Set<Fault.Kind> kinds() {
        Set<String> named = faults;
        if (named == null) {
            return EnumSet.allOf(Fault.Kind.class);
        }
        return named.stream()
                .filter(name -> !name.equals("none"))
                .map(name -> name.toUpperCase(Locale.ROOT).replace('-', '_'))
                .map(name -> Arrays.stream(Fault.Kind.values())
                        .filter(kind -> kind.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no such fault: " + name)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.Kind.class)));
    }
}
