package io.meshhub.hub.access.existence;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.access.existence.Existence.Assumed;
import io.meshhub.hub.access.existence.Existence.Fault;
import io.meshhub.hub.access.existence.Existence.Known;
import io.meshhub.hub.access.existence.ExistenceState.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** P8: in whatever order things happen, absence is said by who read it, or once by the bound; a fault is said as one. */
class ExistenceStateProperties {

    private static final Event BOUND = new Event.BoundIsOver(Duration.ofSeconds(10));
    private static final Event FAILED = new Event.Failed(new Fault(List.of("p"), "it fails"));

    @Provide
    Arbitrary<List<Event>> events() {
        return Arbitraries.of(new Event.Read(true), new Event.Read(false), BOUND, FAILED)
                .list()
                .ofMaxSize(8);
    }

    @Property
    void noFaultBecomesAbsence(@ForAll("events") List<Event> events) {
        ExistenceState state = ExistenceState.WAITING;
        List<Existence> said = new ArrayList<>();
        for (Event event : events) {
            ExistenceState.Turn turn = state.on(event);
            turn.say().ifPresent(word -> {
                said.add(word);
                if (word instanceof Known known) {
                    assertThat(event).isEqualTo(new Event.Read(known.exists()));
                } else {
                    assertThat(event).isEqualTo(word instanceof Fault ? FAILED : BOUND);
                }
            });
            state = turn.state();
        }
        assertThat(said.stream().skip(1)).noneMatch(Assumed.class::isInstance);
        assertThat(said.stream().limit(Math.max(0, said.size() - 1))).noneMatch(Fault.class::isInstance);
        assertThat(state.isOver()).isEqualTo(events.contains(FAILED));
        assertThat(said.isEmpty()).isEqualTo(events.isEmpty());
    }
}
