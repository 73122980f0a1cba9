package io.meshhub.it.chaos;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of a run.
 *
 * @param options how it was done
 * @param history all that is known of it
 * @param faults what was planned
 * @param violations the promises that were not kept
 * @param healedAt when all was healed and nothing was under way any more
 * @param outputs what each process printed, by its name with the number of its start
 * @param unexpectedEnds how often a node ended, or did not start, by itself
 * @param settledMs how long what was under way when all was healed took to end
 * @param recoveredMs how long it took until every address had answered then
 */
record ChaosReport(
        ChaosOptions options,
        History history,
        List<Fault> faults,
        List<Violation> violations,
        long healedAt,
        Map<String, List<String>> outputs,
        int unexpectedEnds,
        long settledMs,
        long recoveredMs) {

    private static final int SHOWN = 12;
    private static final String STATE = "STATE ";

    /** Whether a promise was broken that this plant breaks. */
    boolean isFound(Plant plant) {
        return violations.stream().map(Violation::kind).anyMatch(plant.shownBy()::contains);
    }

    /** What the node had counted when all was healed, over all its starts that lived until then. */
    long counted(String node, String count) {
        return outputs.entrySet().stream()
                .filter(output -> output.getKey().startsWith(node + "."))
                .flatMap(output -> output.getValue().stream())
                .filter(line -> line.startsWith(STATE))
                .map(line -> new JsonObject(line.substring(STATE.length())).getJsonObject("counts"))
                .mapToLong(counts -> counts.getLong(count, 0L))
                .sum();
    }

    /** How often a node has printed a line that holds the words. */
    long said(String node, String words) {
        return outputs.entrySet().stream()
                .filter(output -> output.getKey().startsWith(node + "."))
                .flatMap(output -> output.getValue().stream())
                .filter(line -> line.contains(words))
                .count();
    }

    /** The table, for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<Op> ops = history.ops();
        line(lines, "requests", ops.size());
        line(
                lines,
                "ok",
                ops.stream().filter(op -> op.outcome() == Op.Outcome.OK).count());
        Map<String, Long> failures = new TreeMap<>(ops.stream()
                .filter(op -> op.outcome() != Op.Outcome.OK)
                .collect(Collectors.groupingBy(ChaosReport::failure, Collectors.counting())));
        failures.forEach((failure, count) -> line(lines, "  " + failure, count));
        ops.stream()
                .filter(op -> op.returned() > 0)
                .max(Comparator.comparingLong(op -> op.returned() - op.invoked()))
                .ifPresent(worst -> line(lines, "worst ms", (worst.returned() - worst.invoked()) / 1_000_000));
        line(lines, "handlers entered", history.executions().size());
        Map<Fault.Kind, Long> kinds =
                new TreeMap<>(faults.stream().collect(Collectors.groupingBy(Fault::kind, Collectors.counting())));
        line(lines, "faults", faults.size());
        kinds.forEach((kind, count) -> line(lines, "  " + kind, count));
        line(lines, "nodes that ended by themselves", unexpectedEnds);
        line(lines, "ms until all had answered after healing", recoveredMs);
        line(lines, "violations", violations.size());
        Map<Violation.Kind, Long> broken = new TreeMap<>(
                violations.stream().collect(Collectors.groupingBy(Violation::kind, Collectors.counting())));
        broken.forEach((kind, count) -> line(lines, "  " + kind, count));
        broken.keySet()
                .forEach(kind -> violations.stream()
                        .filter(violation -> violation.kind() == kind)
                        .limit(SHOWN / broken.size() + 1)
                        .forEach(violation -> lines.add(violation.toString())));
        if (!violations.isEmpty()) {
            lines.add("Seed " + options.seed() + "; records, logs, states and the schedule are in "
                    + options.directory());
        }
        return lines;
    }

    private static String failure(Op op) {
        String kind = op.failure().isEmpty()
                ? ""
                : op.failure().substring(0, op.failure().indexOf(' '));
        return op.outcome() + " " + kind;
    }

    private static void line(List<String> lines, String what, long count) {
        lines.add(String.format("%-40s %8d", what, count));
    }
}
