package io.meshhub.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** One run: nodes are started and asked while faults are made, then all is healed, asked once more and checked. */
final class ChaosRun {

    private static final Duration SLACK = Duration.ofSeconds(2);
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final Duration COMMAND = Duration.ofSeconds(60);
    private static final Duration SETTLED = Duration.ofSeconds(60);
    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    private final ChaosOptions asked;
    private final Function<ChaosOptions, List<Fault>> planned;
    private final boolean oneByOne;
    private final Consumer<String> say;

    private ChaosRun(
            ChaosOptions asked, Function<ChaosOptions, List<Fault>> planned, boolean oneByOne, Consumer<String> say) {
        this.asked = asked;
        this.planned = planned;
        this.oneByOne = oneByOne;
        this.say = say;
    }

    /** Runs it with the faults that follow from the seed; everything of it is then in its directory. */
    static ChaosReport run(ChaosOptions options, Consumer<String> say) {
        return run(options, Schedule::of, false, say);
    }

    /** Runs it with these faults. */
    static ChaosReport run(ChaosOptions options, List<Fault> faults, Consumer<String> say) {
        return run(options, unused -> faults, false, say);
    }

    /** Runs it with these faults, each in its time after the cluster has settled from the one before, and then for the duration. */
    static ChaosReport runOneByOne(ChaosOptions options, List<Fault> faults, Consumer<String> say) {
        return run(options, unused -> faults, true, say);
    }

    private static ChaosReport run(
            ChaosOptions options, Function<ChaosOptions, List<Fault>> planned, boolean oneByOne, Consumer<String> say) {
        try {
            clear(options.directory());
            Files.createDirectories(options.directory().resolve("store"));
            return new ChaosRun(options, planned, oneByOne, say).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ChaosReport run() throws IOException {
        try (Cluster cluster = new Cluster(asked)) {
            ChaosOptions options = cluster.wiring().canCut() ? asked : asked.withFaults(withoutCuts(asked.faults()));
            say.accept("Chaos over " + cluster.wiring().describe());
            if (options.faults().size() < asked.faults().size()) {
                Set<Fault.Kind> skipped = EnumSet.copyOf(asked.faults());
                skipped.removeAll(options.faults());
                say.accept("SKIPPED " + skipped + ": " + Namespaces.MISSING);
            }
            say.accept("seed " + options.seed() + ", " + options.nodes() + " nodes, quorum " + options.quorum() + ", "
                    + options.mode() + ", " + options.duration().toSeconds() + " s of " + options.faults()
                    + (options.plant() == Plant.NONE ? "" : ", planted: " + options.plant())
                    + (options.oneActivation() ? "" : "; two activations are allowed while nodes are cut off"));
            List<Fault> schedule = planned.apply(options);
            Files.write(
                    options.directory().resolve("schedule.txt"),
                    schedule.stream().map(Fault::toString).toList());
            Faults faults = new Faults(cluster, say);
            try {
                return run(cluster, options, schedule, faults);
            } finally {
                keepStates(cluster);
                keepOutputs(cluster, options.directory());
            }
        }
    }

    private static Set<Fault.Kind> withoutCuts(Set<Fault.Kind> kinds) {
        Set<Fault.Kind> left = EnumSet.noneOf(Fault.Kind.class);
        kinds.stream().filter(kind -> !kind.isCut()).forEach(left::add);
        return left;
    }

    private ChaosReport run(Cluster cluster, ChaosOptions options, List<Fault> schedule, Faults faults)
            throws IOException {
        cluster.startAll();
        settle(cluster);
        long origin = System.nanoTime();
        cluster.all().forEach(process -> cluster.command(process, "load", COMMAND));
        if (oneByOne) {
            for (Fault fault : schedule) {
                faults.run(List.of(fault), fault.end());
                faults.heal();
                settle(cluster);
            }
            faults.run(List.of(), options.duration().toMillis());
        } else {
            faults.run(schedule, options.duration().toMillis());
            faults.heal();
        }
        long healed = System.nanoTime();
        say.accept(
                "All is healed; every process asks every address for an answer within " + RECOVERY.toSeconds() + " s");
        for (Managed process : cluster.all()) {
            cluster.command(process, "pause", COMMAND);
        }
        long verified = System.nanoTime();
        // By each process, so that requests have flown between all pairs of them.
        for (Managed process : cluster.all()) {
            cluster.command(
                    process,
                    "verify " + RECOVERY.toMillis(),
                    RECOVERY.multipliedBy(options.load().addresses()).plus(COMMAND));
        }
        long recovered = System.nanoTime();
        cluster.nodes().forEach(node -> cluster.command(node, "state", COMMAND));
        cluster.all().forEach(process -> process.jvm().say("stop end"));
        List<Violation> notStopped = awaitStopped(cluster);
        History history = history(options, faults, origin);
        Rules rules = new Rules(options.oneActivation(), SLACK, Schedule.calmAfter(options), verified - origin);
        List<Violation> violations = new ArrayList<>(HistoryChecker.check(history, rules));
        violations.addAll(notStopped);
        violations.addAll(endedBadly(cluster));
        Files.write(
                options.directory().resolve("violations.txt"),
                violations.stream().map(Violation::toString).toList());
        return new ChaosReport(
                options,
                history,
                schedule,
                violations,
                verified - origin,
                outputs(cluster),
                faults.unexpectedEnds(),
                (verified - healed) / 1_000_000,
                (recovered - verified) / 1_000_000);
    }

    private void settle(Cluster cluster) {
        long begun = System.nanoTime();
        cluster.all().forEach(process -> cluster.command(process, "settle", SETTLED));
        say.accept("All nodes are up, hear each other and have their share after "
                + (System.nanoTime() - begun) / 1_000_000 + " ms");
    }

    private static List<Violation> awaitStopped(Cluster cluster) {
        try {
            cluster.await(
                    COMMAND, "all have stopped", () -> cluster.all().stream().noneMatch(Managed::isAlive));
            return List.of();
        } catch (IllegalStateException e) {
            return cluster.all().stream()
                    .filter(Managed::isAlive)
                    .map(process -> new Violation(
                            Violation.Kind.NOT_STOPPED, process.process() + " within " + COMMAND.toSeconds() + " s"))
                    .toList();
        }
    }

    private static List<Violation> endedBadly(Cluster cluster) {
        return cluster.all().stream()
                .filter(process -> !process.isAlive())
                .filter(process -> process.jvm().awaitExit(COMMAND) != 0)
                .map(process -> new Violation(
                        Violation.Kind.NOT_STOPPED,
                        process.process() + " ended with exit code "
                                + process.jvm().awaitExit(COMMAND) + " when it was told to stop"))
                .toList();
    }

    private static History history(ChaosOptions options, Faults faults, long origin) throws IOException {
        List<Op> ops = new ArrayList<>();
        List<Execution> executions = new ArrayList<>();
        Records.read(options.directory(), origin, ops, executions);
        Map<String, Long> killed = new HashMap<>();
        faults.killed().forEach((process, at) -> killed.put(process, at - origin));
        return new History(
                ops,
                executions,
                shifted(faults.freezes(), origin),
                shifted(faults.spans(), origin),
                killed,
                faults.ends().stream().map(end -> end.from(origin)).toList());
    }

    private static List<Span> shifted(List<Span> spans, long origin) {
        return spans.stream()
                .map(span -> new Span(span.whom(), span.what(), span.from() - origin, span.to() - origin))
                .toList();
    }

    private static Map<String, List<String>> outputs(Cluster cluster) {
        Map<String, List<String>> outputs = new TreeMap<>();
        cluster.all()
                .forEach(process -> process.outputs().forEach(output -> outputs.put(output.process(), output.lines())));
        return outputs;
    }

    /** Where the run has come to its end nothing lives any more; where it failed this is what a person looks for first. */
    private void keepStates(Cluster cluster) {
        for (Managed process : cluster.all()) {
            if (!process.isAlive()) {
                continue;
            }
            if (process.isFrozen()) {
                say.accept("No state of " + process.process() + ": it is frozen");
                continue;
            }
            try {
                cluster.command(process, "state", LAST_WORD);
            } catch (AssertionError | RuntimeException e) {
                say.accept("No state of " + process.process() + ": it did not tell it within " + LAST_WORD.toSeconds()
                        + " s");
            }
        }
    }

    private static void keepOutputs(Cluster cluster, Path directory) throws IOException {
        for (Map.Entry<String, List<String>> output : outputs(cluster).entrySet()) {
            Files.write(directory.resolve(output.getKey() + ".log"), output.getValue());
        }
    }

    private static void clear(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
