package io.meshhub.it.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the operations of one register can be put in an order that agrees with what each was told and with
 * their times (linearizability, by the search of Wing, Gong and Lowe).
 *
 * <p>Each value has one writer. That makes operations of unknown outcome cheap: one whose value nobody saw can be left
 * out, and one whose value was seen must have taken effect before it was.
 */
final class Registers {

    /** A run that needs more steps than this is not decided, and said to be so. */
    private static final int MAX_STEPS = 20_000_000;

    private Registers() {}

    /** One operation that took effect. */
    private record Step(Op op, long from, long to, boolean sets, boolean compares, long compared, long sees) {

        /** The value after it; empty when it cannot take effect on that value. */
        @Nullable
        Long on(long value) {
            if (sets) {
                return !compares || value == compared ? op.id() : null;
            }
            return value == sees ? value : null;
        }
    }

    /** A place in the list of calls and returns, which is taken out and put back during the search. */
    private static final class Entry {
        final int index;
        final Step step;
        final @Nullable Entry end;

        @Nullable
        Entry before;

        @Nullable
        Entry after;

        Entry(int index, Step step, @Nullable Entry end) {
            this.index = index;
            this.step = step;
            this.end = end;
        }

        void takeOut() {
            unlink(this);
            if (end != null) {
                unlink(end);
            }
        }

        void putBack() {
            if (end != null) {
                link(end);
            }
            link(this);
        }

        private static void unlink(Entry entry) {
            if (entry.before != null) {
                entry.before.after = entry.after;
            }
            if (entry.after != null) {
                entry.after.before = entry.before;
            }
        }

        private static void link(Entry entry) {
            if (entry.before != null) {
                entry.before.after = entry;
            }
            if (entry.after != null) {
                entry.after.before = entry;
            }
        }
    }

    private record Reached(BitSet done, long value) {}

    private record Taken(Entry entry, long valueBefore) {}

    /** What is wrong with these operations of one register; empty when they can be put in order. */
    static Optional<String> fault(List<Op> ops) {
        return search(steps(ops));
    }

    private static List<Step> steps(List<Op> ops) {
        Map<Long, Long> firstSeen = new HashMap<>();
        for (Op op : ops) {
            Answer answer = op.answer();
            if (op.isAnswered() && answer != null && op.kind() != Op.Kind.WRITE) {
                firstSeen.merge(answer.value(), op.returned(), Math::min);
            }
        }
        seenByComparison(ops, firstSeen);
        List<Step> steps = new ArrayList<>();
        for (Op op : ops) {
            Answer answer = op.answer();
            if (op.isAnswered() && answer != null) {
                boolean sets = op.kind() == Op.Kind.WRITE || (op.kind() == Op.Kind.CAS && answer.done());
                boolean compares = op.kind() == Op.Kind.CAS;
                steps.add(new Step(
                        op, op.invoked(), op.returned(), sets, compares && sets, op.expected(), answer.value()));
            } else if (op.kind() == Op.Kind.WRITE || op.kind() == Op.Kind.CAS) {
                Long seen = firstSeen.get(op.id());
                // Never executed and yet seen: found by its own check, and taken as done here.
                if (seen != null) {
                    steps.add(new Step(op, op.invoked(), seen, true, op.kind() == Op.Kind.CAS, op.expected(), 0));
                }
            }
        }
        return steps;
    }

    // A comparison whose own value was seen had found the value that it expects, though nobody was told so.
    private static void seenByComparison(List<Op> ops, Map<Long, Long> firstSeen) {
        boolean more = true;
        while (more) {
            more = false;
            for (Op op : ops) {
                Long seen = firstSeen.get(op.id());
                if (op.kind() == Op.Kind.CAS && !op.isAnswered() && seen != null) {
                    Long before = firstSeen.get(op.expected());
                    if (before == null || before > seen) {
                        firstSeen.put(op.expected(), seen);
                        more = true;
                    }
                }
            }
        }
    }

    private static Optional<String> search(List<Step> steps) {
        Entry head = list(steps);
        Set<Reached> reached = new HashSet<>();
        Deque<Taken> taken = new ArrayDeque<>();
        BitSet done = new BitSet(steps.size());
        long value = 0;
        int most = -1;
        String stuck = "";
        Entry entry = head.after;
        for (int i = 0; head.after != null; i++) {
            if (i > MAX_STEPS || entry == null) {
                return Optional.of("was not decided within " + MAX_STEPS + " steps");
            }
            if (entry.end != null) {
                Long next = entry.step.on(value);
                if (next != null && reached.add(after(done, entry.index, next))) {
                    taken.push(new Taken(entry, value));
                    done.set(entry.index);
                    value = next;
                    entry.takeOut();
                    entry = head.after;
                } else {
                    entry = entry.after;
                }
                continue;
            }
            if (taken.size() > most) {
                most = taken.size();
                stuck = describe(entry.step, value);
            }
            if (taken.isEmpty()) {
                return Optional.of(stuck);
            }
            Taken last = taken.pop();
            value = last.valueBefore();
            done.clear(last.entry().index);
            last.entry().putBack();
            entry = last.entry().after;
        }
        return Optional.empty();
    }

    private static Reached after(BitSet done, int index, long value) {
        BitSet with = (BitSet) done.clone();
        with.set(index);
        return new Reached(with, value);
    }

    private static String describe(Step step, long value) {
        Op op = step.op();
        return op.kind() + " op " + Long.toHexString(op.id()) + " of " + op.caller() + " (outcome " + op.outcome()
                + ", expected " + Long.toHexString(op.expected()) + ", saw " + Long.toHexString(step.sees())
                + ", answer " + op.answer() + ") has no place in any order; the value there would be "
                + Long.toHexString(value);
    }

    private static Entry list(List<Step> steps) {
        record Point(long at, boolean call, Entry entry) {}

        List<Point> points = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            Entry end = new Entry(i, step, null);
            points.add(new Point(step.from(), true, new Entry(i, step, end)));
            points.add(new Point(step.to(), false, end));
        }
        // A call at the same moment as a return counts as before it: more orders are allowed, never fewer.
        points.sort(Comparator.comparingLong(Point::at).thenComparing(point -> !point.call()));
        Entry head = new Entry(-1, new Step(NOBODY, 0, 0, false, false, 0, 0), null);
        Entry last = head;
        for (Point point : points) {
            Entry entry = point.entry();
            entry.before = last;
            last.after = entry;
            last = entry;
        }
        return head;
    }

    private static final Op NOBODY = new Op(0, "", "", Op.Kind.READ, 0, 0, 0, 0, Op.Outcome.PENDING, "", null);
}
