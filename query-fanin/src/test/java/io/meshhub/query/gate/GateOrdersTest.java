package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every order of what can happen, for one to three providers; {@link GateShell} checks each step. */
@Timeout(120)
class GateOrdersTest {

    private static final RuntimeException OWN = new RuntimeException("own");

    /** One thing that can happen next. */
    record Happening(String what, Consumer<GateShell> does) {}

    static List<Happening> alphabet(List<String> names) {
        List<Happening> all = new ArrayList<>();
        for (String p : names) {
            all.add(new Happening("answer " + p, s -> s.on(new GateEvent.First(p, s.ask(p), s.now))));
            all.add(new Happening("silent " + p, s -> s.on(new GateEvent.Completed(p, s.ask(p), s.now))));
            all.add(new Happening("fail " + p, s -> s.on(new GateEvent.Failed(p, s.ask(p), OWN, false, s.now))));
            all.add(new Happening("fault " + p, s -> s.on(new GateEvent.Failed(p, s.ask(p), OWN, true, s.now))));
            all.add(new Happening("again " + p, s -> s.on(new GateEvent.AskAgain(Set.of(p), s.now))));
            all.add(new Happening(
                    "due " + p,
                    s -> s.on(new GateEvent.RetryDue(p, s.resting.getOrDefault(p, -1), s.now))));
            all.add(new Happening(
                    "stale " + p, s -> s.on(new GateEvent.First(p, Math.max(0, s.ask(p) - 1), s.now))));
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
                .containsExactlyInAnyOrder(
                        GateCommand.Emit.class, GateCommand.Fail.class, GateCommand.Stalled.class);
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
