package io.meshhub.it.soak;

import io.meshhub.it.chaos.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of a soak.
 *
 * @param acknowledged how many writes were, to all lives of all processes
 * @param counts how often what ended how, and how many changes were told, in the last lives of the processes
 * @param faults what was planned
 * @param unexpectedEnds how often a node ended, or did not start, by itself
 * @param truth whether streams said what is true
 * @param wrong streams that were not as the store at the end
 * @param left timers, consumers and the like that were there after all was closed
 * @param comparedMs how long it took until streams and store were alike, or it was given up
 */
record SoakReport(
        long seed,
        int acknowledged,
        Map<String, Long> counts,
        List<Fault> faults,
        int unexpectedEnds,
        TruthChecker.Found truth,
        List<String> wrong,
        List<String> left,
        long comparedMs) {

    private static final int SHOWN = 20;

    /** The promises that were not kept, for people. */
    List<String> violations() {
        List<String> all = new ArrayList<>();
        truth.lies().forEach(lie -> all.add("UNTRUE: " + lie));
        wrong.forEach(stream -> all.add("NOT_AS_STORED: " + stream));
        left.forEach(what -> all.add("LEFT: " + what));
        return all;
    }

    /** The table, for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        line(lines, "writes acknowledged", acknowledged);
        counts.forEach((what, count) -> line(lines, "  " + what, count));
        line(lines, "faults", faults.size());
        new TreeMap<>(faults.stream().collect(Collectors.groupingBy(Fault::kind, Collectors.counting())))
                .forEach((kind, count) -> line(lines, "  " + kind, count));
        line(lines, "nodes that ended by themselves", unexpectedEnds);
        line(lines, "pairs of a write and a stream", truth.checked());
        line(lines, "ms that a live stream was behind at most", truth.most().toMillis());
        line(lines, "ms until all were as the store", comparedMs);
        line(lines, "violations", violations().size());
        violations().stream().limit(SHOWN).forEach(lines::add);
        return lines;
    }

    private static void line(List<String> lines, String what, long count) {
        lines.add(String.format("%-42s %10d", what, count));
    }
}
