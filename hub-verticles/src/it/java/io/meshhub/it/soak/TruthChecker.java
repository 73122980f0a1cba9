package io.meshhub.it.soak;

import io.meshhub.it.chaos.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether streams that said that they were live were so: a write that was acknowledged is with each of them within the
 * bound. The bound counts anew from the end of each stretch in which the stream's process stood still or was down; what
 * becomes of the writing node excuses nothing, since a stream whose owner is silent has to say so.
 */
final class TruthChecker {

    /**
     * A stream that said it was live and was behind for too long.
     *
     * @param behind since the write was acknowledged, the stream live, and its process there
     */
    record Lie(String process, SoakHistory.Acknowledged write, long version, Duration behind) {

        @Override
        public String toString() {
            return "the stream of " + write.address() + " in " + process + " said it was live with version " + version
                    + " " + behind.toMillis() + " ms after version " + write.version() + " had been acknowledged by "
                    + write.node();
        }
    }

    /**
     * What was found.
     *
     * @param lies the violations
     * @param most for how long a stream was behind at most, violations included
     * @param checked how many pairs of a write and a stream were looked at
     */
    record Found(List<Lie> lies, Duration most, long checked) {}

    private final SoakHistory history;
    private final List<Span> faults;
    private final long bound;
    private final List<Lie> lies = new ArrayList<>();
    private long most;
    private long checked;

    private TruthChecker(SoakHistory history, List<Span> faults, Duration bound) {
        this.history = history;
        this.faults =
                faults.stream().sorted(Comparator.comparingLong(Span::from)).toList();
        this.bound = bound.toNanos();
    }

    /**
     * Checks all.
     *
     * @param faults when which process, or which node under its name, was not itself
     * @param bound for how long a live stream may be behind
     */
    static Found check(SoakHistory history, List<Span> faults, Duration bound) {
        TruthChecker checker = new TruthChecker(history, faults, bound);
        checker.check();
        return new Found(checker.lies, Duration.ofNanos(checker.most), checker.checked);
    }

    private void check() {
        Map<String, List<SoakHistory.Acknowledged>> writes = new HashMap<>();
        history.acknowledged()
                .forEach(write -> writes.computeIfAbsent(write.address(), absent -> new ArrayList<>())
                        .add(write));
        Map<String, List<SoakHistory.Seen>> streams = new HashMap<>();
        history.seen()
                .forEach(seen -> streams.computeIfAbsent(seen.process() + " " + seen.address(), x -> new ArrayList<>())
                        .add(seen));
        streams.values()
                .forEach(stream ->
                        writes.getOrDefault(stream.get(0).address(), List.of()).forEach(write -> check(stream, write)));
    }

    /** Looks for each stretch in which the stream was live, and behind the write. */
    private void check(List<SoakHistory.Seen> stream, SoakHistory.Acknowledged write) {
        checked++;
        SoakHistory.Seen first = null;
        SoakHistory.Seen last = null;
        for (SoakHistory.Seen seen : stream) {
            boolean behind = seen.live() && seen.version() < write.version() && seen.to() > write.at();
            if (behind) {
                first = first == null ? seen : first;
                last = seen;
            } else if (first != null && last != null) {
                stretch(write, first, last);
                first = null;
            }
        }
        if (first != null && last != null) {
            stretch(write, first, last);
        }
    }

    private void stretch(SoakHistory.Acknowledged write, SoakHistory.Seen first, SoakHistory.Seen last) {
        long since = Math.max(write.at(), first.from());
        for (Span fault : faults) {
            if (isOf(fault, first.process()) && fault.overlaps(since, last.to())) {
                behind(write, last, fault.from() - since);
                since = Math.max(since, fault.to());
            }
        }
        behind(write, last, last.to() - since);
    }

    // A span is of one life of a process, or of a node in whichever life it is.
    private static boolean isOf(Span fault, String whom) {
        return fault.whom().equals(whom) || name(fault.whom()).equals(name(whom));
    }

    private static String name(String process) {
        int dot = process.indexOf('.');
        return dot < 0 ? process : process.substring(0, dot);
    }

    private void behind(SoakHistory.Acknowledged write, SoakHistory.Seen last, long nanos) {
        most = Math.max(most, nanos);
        if (nanos > bound) {
            lies.add(new Lie(last.process(), write, last.version(), Duration.ofNanos(nanos)));
        }
    }
}
