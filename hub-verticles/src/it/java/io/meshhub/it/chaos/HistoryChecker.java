package io.meshhub.it.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds in a history every promise that was not kept. */
final class HistoryChecker {

    private static final long LEAST_DEADLINE = TimeUnit.SECONDS.toNanos(3);

    private final History history;
    private final Rules rules;
    private final List<Violation> found = new ArrayList<>();

    private HistoryChecker(History history, Rules rules) {
        this.history = history;
        this.rules = rules;
    }

    static List<Violation> check(History history, Rules rules) {
        HistoryChecker checker = new HistoryChecker(history, rules);
        checker.outcomes();
        checker.denials();
        checker.calm();
        checker.recovery();
        checker.ends();
        checker.registers();
        checker.lists();
        if (rules.oneActivation()) {
            checker.answers();
            checker.executions();
        }
        return List.copyOf(checker.found);
    }

    private void add(Violation.Kind kind, String text) {
        found.add(new Violation(kind, text));
    }

    private void outcomes() {
        long slack = rules.slack().toNanos();
        for (Op op : history.ops()) {
            if (op.outcome() == Op.Outcome.PENDING) {
                if (!history.killed().containsKey(op.caller())) {
                    add(Violation.Kind.NO_OUTCOME, show(op) + " never ended");
                }
            } else if (op.returned() - op.invoked() > op.deadline() + slack + frozenIn(op)) {
                add(
                        Violation.Kind.NO_OUTCOME,
                        show(op) + " ended after " + ms(op.returned() - op.invoked()) + " ms, its deadline was "
                                + ms(op.deadline()) + " ms");
            }
            if (op.outcome() == Op.Outcome.WRONG) {
                add(Violation.Kind.WRONG_FAILURE, show(op));
            }
        }
    }

    // A caller that stood still could not see the end.
    private long frozenIn(Op op) {
        return history.freezes().stream()
                .filter(span -> span.whom().equals(op.caller()) && span.overlaps(op.invoked(), op.returned()))
                .mapToLong(span -> span.to() - span.from())
                .sum();
    }

    private void denials() {
        Map<Long, List<Execution>> byOp = history.executions().stream().collect(Collectors.groupingBy(Execution::op));
        for (Op op : history.ops()) {
            List<Execution> executed = byOp.getOrDefault(op.id(), List.of());
            if (op.outcome() == Op.Outcome.NEVER_EXECUTED && !executed.isEmpty()) {
                add(Violation.Kind.EXECUTED_ALTHOUGH_DENIED, show(op) + " was executed: " + executed);
            }
            if (executed.size() > 1) {
                add(Violation.Kind.EXECUTED_TWICE, show(op) + " was executed " + executed);
            }
        }
    }

    private void calm() {
        for (Op op : history.ops()) {
            if (op.outcome() != Op.Outcome.OK
                    && op.outcome() != Op.Outcome.PENDING
                    && op.invoked() < rules.healedAt()
                    && !isHasty(op)
                    && isCalm(op)) {
                add(Violation.Kind.FAILED_WHILE_CALM, show(op));
            }
        }
    }

    // A busy machine alone can use up a short deadline.
    private static boolean isHasty(Op op) {
        return op.deadline() < LEAST_DEADLINE && op.failure().startsWith("DeadlineExceeded");
    }

    private boolean isCalm(Op op) {
        long after = rules.calmAfter().toNanos();
        return history.faults().stream()
                .noneMatch(span -> span.from() <= op.returned() && op.invoked() <= span.to() + after);
    }

    private void recovery() {
        for (Op op : history.ops()) {
            if (op.invoked() >= rules.healedAt() && op.outcome() != Op.Outcome.OK) {
                add(Violation.Kind.NOT_RECOVERED, show(op));
            }
        }
    }

    private void ends() {
        for (End end : history.ends()) {
            if (end.wasUp() || !isStartExcused(end)) {
                add(Violation.Kind.NODE_ENDED, end.toString());
            }
        }
    }

    // A start may fail while others cannot be reached; that the node itself was down before it explains nothing.
    private boolean isStartExcused(End end) {
        long after = rules.calmAfter().toNanos();
        return history.faults().stream()
                .filter(span -> !end.isDownTime(span))
                .anyMatch(span -> span.from() <= end.at() && end.begun() <= span.to() + after);
    }

    private Map<String, List<Op>> byAddress(Predicate<Op> wanted) {
        return history.ops().stream()
                .filter(wanted)
                .collect(Collectors.groupingBy(Op::address, TreeMap::new, Collectors.toList()));
    }

    private void registers() {
        byAddress(op -> switch (op.kind()) {
                    case READ, WRITE, CAS -> true;
                    default -> false;
                })
                .forEach((address, ops) -> {
                    List<Op> told = rules.oneActivation() ? ops : changes(ops);
                    Registers.fault(told)
                            .ifPresent(fault -> add(Violation.Kind.NOT_LINEARIZABLE, address + ": " + fault));
                    deniedValues(address, ops);
                });
    }

    // Where a cut may leave two activations, the older one may answer from its memory; what is written may not be lost.
    private List<Op> changes(List<Op> ops) {
        return ops.stream()
                .filter(op -> op.kind() == Op.Kind.WRITE
                        || op.invoked() >= rules.healedAt()
                        || (op.kind() == Op.Kind.CAS && (!op.isAnswered() || isDone(op))))
                .toList();
    }

    private static boolean isDone(Op op) {
        Answer answer = op.answer();
        return answer != null && answer.done();
    }

    private void deniedValues(String address, List<Op> ops) {
        Map<Long, Op> byValue = new HashMap<>();
        ops.forEach(op -> byValue.put(op.id(), op));
        Set<Long> told = new HashSet<>();
        for (Op op : ops) {
            Answer answer = op.answer();
            if (!op.isAnswered() || answer == null || op.kind() == Op.Kind.WRITE || !told.add(answer.value())) {
                continue;
            }
            Op writer = byValue.get(answer.value());
            if (answer.value() != 0
                    && (writer == null || writer.outcome() == Op.Outcome.NEVER_EXECUTED || isRefused(writer))) {
                add(
                        Violation.Kind.CHANGE_UNEXPLAINED,
                        address + " held the value of " + (writer == null ? "nobody" : show(writer)));
            }
        }
    }

    private static boolean isRefused(Op op) {
        return op.kind() == Op.Kind.READ || (op.isAnswered() && !isDone(op));
    }

    private void lists() {
        byAddress(op -> op.kind() == Op.Kind.APPEND || op.kind() == Op.Kind.LIST)
                .forEach((address, ops) -> ops.stream()
                        .filter(op -> op.kind() == Op.Kind.LIST && op.isAnswered() && op.invoked() >= rules.healedAt())
                        .max(Comparator.comparingLong(Op::invoked))
                        .ifPresent(last -> list(address, ops, last)));
    }

    private void list(String address, List<Op> ops, Op last) {
        Answer answer = last.answer();
        List<Long> held = answer == null ? List.of() : answer.list();
        Set<Long> distinct = new HashSet<>(held);
        if (distinct.size() < held.size()) {
            add(Violation.Kind.CHANGE_UNEXPLAINED, address + " holds an entry twice: " + held);
        }
        for (Op op : ops) {
            if (op.kind() != Op.Kind.APPEND) {
                continue;
            }
            boolean there = distinct.contains(op.id());
            if (op.outcome() == Op.Outcome.OK && !there) {
                add(Violation.Kind.ACKNOWLEDGED_LOST, show(op) + " is not in the list at the end");
            }
            if (op.outcome() == Op.Outcome.NEVER_EXECUTED && there) {
                add(Violation.Kind.CHANGE_UNEXPLAINED, show(op) + " is in the list at the end");
            }
        }
    }

    private void answers() {
        byAddress(Op::isAnswered).forEach((address, ops) -> {
            List<Op> sorted = ops.stream()
                    .filter(op -> op.answer() != null)
                    .sorted(Comparator.comparingLong(op -> answer(op).started()))
                    .toList();
            Map<Long, Op> counts = new HashMap<>();
            Op highest = null;
            long lastEnd = Long.MIN_VALUE;
            for (Op op : sorted) {
                Answer answer = answer(op);
                if (highest != null && answer.activation() < answer(highest).activation()) {
                    add(Violation.Kind.SUPERSEDED_AT_WORK, show(op) + " began after " + show(highest));
                } else if (highest != null
                        && answer.activation() > answer(highest).activation()) {
                    if (answer.started() < lastEnd) {
                        add(Violation.Kind.TWO_ACTIVATIONS, show(op) + " began before the end of " + show(highest));
                    }
                    counts.clear();
                    highest = op;
                }
                highest = highest == null ? op : highest;
                lastEnd = Math.max(lastEnd, answer.ended());
                Op same = op.kind() == Op.Kind.COUNT
                                && answer.activation() == answer(highest).activation()
                        ? counts.put(answer.value(), op)
                        : null;
                if (same != null) {
                    add(Violation.Kind.SAME_COUNT, show(op) + " and " + show(same));
                }
            }
        });
    }

    private static Answer answer(Op op) {
        Answer answer = op.answer();
        if (answer == null) {
            throw new IllegalArgumentException("not answered: " + op);
        }
        return answer;
    }

    private void executions() {
        history.executions().stream()
                .collect(Collectors.groupingBy(Execution::address, TreeMap::new, Collectors.toList()))
                .forEach((address, executions) -> {
                    List<Execution> sorted = executions.stream()
                            .sorted(Comparator.comparingLong(Execution::started))
                            .toList();
                    Execution highest = sorted.get(0);
                    for (Execution execution : sorted) {
                        if (execution.activation() < highest.activation()) {
                            add(
                                    Violation.Kind.SUPERSEDED_AT_WORK,
                                    "a handler was entered by " + execution + ", "
                                            + ms(execution.started() - highest.started()) + " ms after one by "
                                            + highest);
                        } else {
                            highest = execution;
                        }
                    }
                });
    }

    private static String show(Op op) {
        return op.kind() + " " + Long.toHexString(op.id()) + " at " + op.address() + " by " + op.caller()
                + " (asked at "
                + ms(op.invoked()) + ", took " + ms(op.returned() - op.invoked()) + " ms, " + op.outcome()
                + (op.failure().isEmpty() ? "" : ", " + op.failure())
                + (op.answer() == null ? "" : ", " + op.answer()) + ")";
    }

    private static long ms(long nanos) {
        return nanos / 1_000_000;
    }
}
