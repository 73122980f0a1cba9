package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Long random orders for one to four providers; {@link GateShell} checks each step. */
class GateProperties {

    @Property(tries = 3000)
    void thereIsOneOutcomeAndNothingIsLeft(
            @ForAll @IntRange(min = 1, max = 4) int providers,
            @ForAll @Size(max = 40) List<@IntRange(max = 10_000) Integer> happenings) {
        List<String> names = List.of("a", "b", "c", "d").subList(0, providers);
        List<GateOrdersTest.Happening> alphabet = GateOrdersTest.alphabet(names);
        GateShell shell = new GateShell(names);
        for (int happening : happenings) {
            shell.now += (happening % 7) * 10_000_000L;
            // The timer and the cancellation are rarer than the rest.
            int range = happening % 13 == 0 ? alphabet.size() : alphabet.size() - 2;
            alphabet.get(happening % range).does().accept(shell);
        }
        shell.on(new GateEvent.TimedOut(shell.now));

        assertThat(shell.gate.isOver()).isTrue();
        assertThat(shell.outcomes).hasSize(shell.cancelled ? 0 : 1);
    }
}
