package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every order of what can happen; {@link GateShell} checks each step. For one to three providers up to a length, with time
 * that passes; for one to four providers of any length, with time that stands still and one connection fault for each.
 */
@Timeout(120)
class GateOrdersTest {

    private static RuntimeException own() {
        return new RuntimeException("own");
    }

    /** One thing that can happen next. */
    record Happening(String what, Consumer<GateShell> does) {}

    static List<Happening> alphabet(List<String> names) {
        List<Happening> all = new ArrayList<>();
        for (String p : names) {
            all.add(new Happening("answer " + p, s -> s.on(new GateEvent.First(p, s.ask(p), s.now))));
            all.add(new Happening("silent " + p, s -> s.on(new GateEvent.Completed(p, s.ask(p), s.now))));
            all.add(new Happening("fail " + p, s -> s.on(new GateEvent.Failed(p, s.ask(p), own(), false, s.now))));
            all.add(new Happening("fault " + p, s -> s.on(new GateEvent.Failed(p, s.ask(p), own(), true, s.now))));
            all.add(new Happening("again " + p, s -> s.on(new GateEvent.AskAgain(Set.of(p), s.now))));
            all.add(new Happening(
                    "due " + p, s -> s.on(new GateEvent.RetryDue(p, s.resting.getOrDefault(p, -1), s.now))));
            all.add(new Happening("stale " + p, s -> s.on(new GateEvent.First(p, Math.max(0, s.ask(p) - 1), s.now))));
        }
        all.add(new Happening("timer", s -> s.on(new GateEvent.TimedOut(s.now))));
        all.add(new Happening("cancel", s -> s.on(new GateEvent.Cancelled(s.now))));
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1, 6", "2, 5", "3, 4"})
    void thereIsOneOutcomeAndNothingIsLeft(int providers, int depth) {
        List<String> names = List.of("a", "b", "c").subList(0, providers);
        Set<Class<?>> ends = new HashSet<>();
        explore(new GateShell(names), alphabet(names), depth, ends);

        assertThat(ends)
                .containsExactlyInAnyOrder(GateCommand.Emit.class, GateCommand.Fail.class, GateCommand.Stalled.class);
    }

    /** What the issue names: each of these can come at any time, and any number of times. */
    private static List<Happening> named(List<String> names) {
        List<Happening> all = new ArrayList<>();
        for (Happening happening : alphabet(names)) {
            String what = happening.what();
            if (!what.startsWith("again") && !what.startsWith("stale") && !what.startsWith("fault")) {
                all.add(happening);
            }
        }
        for (String p : names) {
            all.add(new Happening("second answer " + p, s -> {
                s.on(new GateEvent.First(p, s.ask(p), s.now));
                s.on(new GateEvent.First(p, s.ask(p), s.now));
            }));
            all.add(new Happening("fault " + p, s -> {
                if (s.retries.getOrDefault(p, 0) == 0) {
                    s.on(new GateEvent.Failed(p, s.ask(p), own(), true, s.now));
                }
            }));
        }
        return all;
    }

    // Orders that lead to the same state go on alike, so that each state has to be gone on from once.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void inEveryOrderOfAnyLengthThereIsOneOutcomeAndNothingIsLeft(int providers) {
        List<String> names = List.of("a", "b", "c", "d").subList(0, providers);
        List<Happening> alphabet = named(names);
        Set<String> seen = new HashSet<>();
        Set<String> ends = new TreeSet<>();
        Deque<GateShell> open = new ArrayDeque<>(List.of(new GateShell(names)));
        while (!open.isEmpty()) {
            GateShell at = open.remove();
            at.outcomes.forEach(outcome -> ends.add(outcome.getClass().getSimpleName() + " " + outcome.counts()));
            for (Happening happening : alphabet) {
                GateShell next = new GateShell(at);
                happening.does().accept(next);
                if (seen.add(next.state())) {
                    open.add(next);
                }
            }
        }

        assertThat(ends).containsExactlyInAnyOrderElementsOf(everyEnd(providers));
        // Each provider is asked, answered, empty, or rests, is asked, answered or empty after its fault, beside the
        // ends.
        assertThat(seen).hasSizeGreaterThanOrEqualTo((int) Math.pow(7, providers) - (int) Math.pow(4, providers));
    }

    private static Set<String> everyEnd(int providers) {
        Set<String> ends = new TreeSet<>();
        for (int answered = 0; answered <= providers; answered++) {
            for (int empty = 0; answered + empty <= providers; empty++) {
                int rest = providers - answered - empty;
                if (rest == 0) {
                    ends.add("Emit " + ProviderCounts.ofComplete(answered, empty));
                } else {
                    ends.add("Fail " + new ProviderCounts(providers, answered, empty, rest, 0));
                    ends.add("Stalled " + new ProviderCounts(providers, answered, empty, 0, rest));
                }
            }
        }
        return ends;
    }

    private static void explore(GateShell at, List<Happening> alphabet, int left, Set<Class<?>> ends) {
        at.outcomes.forEach(outcome -> ends.add(outcome.getClass()));
        if (left == 0) {
            return;
        }
        for (Happening happening : alphabet) {
            GateShell next = new GateShell(at);
            next.now += 100_000_000;
            happening.does().accept(next);
            // Whatever comes after the end changes nothing, which one more step shows.
            explore(next, alphabet, at.gate.isOver() ? 0 : left - 1, ends);
        }
    }
}
