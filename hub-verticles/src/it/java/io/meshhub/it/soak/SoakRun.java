package io.meshhub.it.soak;

import io.meshhub.it.chaos.ChaosOptions;
import io.meshhub.it.chaos.Cluster;
import io.meshhub.it.chaos.Fault;
import io.meshhub.it.chaos.Faults;
import io.meshhub.it.chaos.Managed;
import io.meshhub.it.chaos.Schedule;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One soak: nodes with streams are written to while faults are made, then all is healed, compared, closed and checked. */
final class SoakRun {

    // A process that shares a machine answers a beat later than one that has it.
    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final Duration COMMAND = Duration.ofSeconds(90);

    /**
     * For how long a live stream may be behind: an interval of beats and the answer to one, which must come before the
     * next.
     */
    static final Duration BOUND = SoakProcess.BEATS
            .plus(SoakProcess.BEATS.multipliedBy(9).dividedBy(10))
            .plus(SLACK);

    private final ChaosOptions options;
    private final Consumer<String> say;

    private SoakRun(ChaosOptions options, Consumer<String> say) {
        this.options = options;
        this.say = say;
    }

    /** Runs it with the faults that follow from the seed; everything of it is then in its directory. */
    static SoakReport run(ChaosOptions options, Consumer<String> say) {
        try {
            clear(options.directory());
            Files.createDirectories(options.directory().resolve("store"));
            return new SoakRun(options, say).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (var paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private SoakReport run() throws IOException {
        say.accept("seed " + options.seed() + ", " + options.nodes() + " nodes, quorum " + options.quorum() + ", "
                + options.load().addresses() + " addresses, "
                + options.duration().toSeconds() + " s of "
                + options.faults());
        try (Cluster cluster = Cluster.of(options, SoakProcess.class)) {
            try {
                return run(cluster);
            } finally {
                for (Managed node : cluster.nodes()) {
                    for (Managed.Output output : node.outputs()) {
                        Files.write(options.directory().resolve(output.process() + ".log"), output.lines());
                    }
                }
            }
        }
    }

    private SoakReport run(Cluster cluster) throws IOException {
        List<Fault> schedule = Schedule.of(options);
        Files.write(
                options.directory().resolve("schedule.txt"),
                schedule.stream().map(Fault::toString).toList());
        Faults faults = new Faults(cluster, say);
        cluster.startAll();
        all(cluster, "settle");
        cluster.command(cluster.nodes().get(0), "create", COMMAND);
        all(cluster, "load");
        faults.run(schedule, options.duration().toMillis());
        faults.heal();
        say.accept("All is healed; every stream is compared with the store");
        all(cluster, "settle");
        all(cluster, "pause");
        long begun = System.nanoTime();
        all(cluster, "compare");
        long compared = (System.nanoTime() - begun) / 1_000_000;
        all(cluster, "close");
        all(cluster, "left");
        cluster.nodes().forEach(node -> node.jvm().say("stop end"));
        cluster.await(
                COMMAND, "all have stopped", () -> cluster.nodes().stream().noneMatch(Managed::isAlive));
        SoakHistory history = SoakLog.read(options.directory());
        TruthChecker.Found truth = TruthChecker.check(history, faults.spans(), BOUND);
        SoakReport report = new SoakReport(
                options.seed(),
                history.acknowledged().size(),
                counts(cluster),
                schedule,
                faults.unexpectedEnds(),
                truth,
                said(cluster, "WRONG "),
                said(cluster, "LEFT "),
                compared);
        Files.write(options.directory().resolve("violations.txt"), report.violations());
        return report;
    }

    private static void all(Cluster cluster, String what) {
        cluster.nodes().forEach(node -> cluster.command(node, what, COMMAND));
    }

    private static List<String> said(Cluster cluster, String what) {
        List<String> said = new ArrayList<>();
        for (Managed node : cluster.nodes()) {
            node.jvm().lines().stream()
                    .filter(line -> line.startsWith(what))
                    .forEach(line -> new JsonArray(line.substring(what.length()))
                            .forEach(each -> said.add(node.process() + " " + each)));
        }
        return said;
    }

    private static Map<String, Long> counts(Cluster cluster) {
        Map<String, Long> counts = new TreeMap<>();
        for (Managed node : cluster.nodes()) {
            for (String what : List.of("COUNTS ", "CHANGES ")) {
                node.jvm()
                        .find(what)
                        .ifPresent(line -> new JsonObject(line.substring(line.indexOf(what) + what.length()))
                                .forEach(each -> counts.merge(
                                        each.getKey(), ((Number) each.getValue()).longValue(), Long::sum)));
            }
        }
        return counts;
    }
}
