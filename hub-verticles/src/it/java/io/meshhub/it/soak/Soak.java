package io.meshhub.it.soak;

import io.meshhub.it.chaos.ChaosOptions;
import io.meshhub.it.chaos.Fault;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the soak. */
@CommandLine.Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Follows addresses from three nodes in processes of their own that are killed, restarted, frozen and"
                        + " written to, and checks what the streams said. Exit 0: every promise was kept.")
final class Soak implements Callable<Integer> {

    private static final int QUORUM = 2;
    private static final int RECYCLES_PER_MILLE = 30;

    /** What is done to nodes: all but cutting links. */
    static final Set<Fault.Kind> FAULTS = Set.copyOf(EnumSet.of(
            Fault.Kind.KILL, Fault.Kind.RESTART, Fault.Kind.FREEZE, Fault.Kind.LONG_FREEZE, Fault.Kind.STUTTER));

    @Option(names = "--minutes", defaultValue = "2", description = "for how long faults are made (${DEFAULT-VALUE})")
    private double minutes;

    @Option(names = "--seed", description = "of schedule and load; a random one where it is not given, and printed")
    private @Nullable Long seed;

    @Option(names = "--addresses", defaultValue = "1000", description = "how many addresses (${DEFAULT-VALUE})")
    private int addresses;

    @Option(names = "--workers", defaultValue = "4", description = "writes under way in each node (${DEFAULT-VALUE})")
    private int workers;

    @Option(names = "--directory", defaultValue = "target/soak", description = "where runs are kept (${DEFAULT-VALUE})")
    private Path directory = Path.of("target/soak");

    @Spec
    private @Nullable CommandSpec spec;

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    /** See {@code --help}. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Soak()).execute(args));
    }

    @Override
    public Integer call() {
        long chosen = seed == null ? RandomGenerator.getDefault().nextInt(1, Integer.MAX_VALUE) : seed;
        SoakReport report = SoakRun.run(
                options(chosen, Duration.ofMillis((long) (minutes * 60_000)), addresses, workers)
                        .in(directory.resolve(Long.toString(chosen))),
                line -> {
                    out().println(line);
                    out().flush();
                });
        report.lines().forEach(out()::println);
        out().flush();
        return report.violations().isEmpty() ? 0 : 1;
    }

    /** Three nodes of which two must agree. */
    static ChaosOptions options(long seed, Duration duration, int addresses, int workers) {
        return ChaosOptions.of(seed, duration, EnumSet.copyOf(FAULTS))
                .safe(QUORUM)
                .withLoad(new ChaosOptions.Workload(addresses, workers, workers, List.of(), RECYCLES_PER_MILLE));
    }
}
