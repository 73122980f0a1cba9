package io.meshhub.hub.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.HubLife.Command;
import io.meshhub.hub.life.HubLife.Event;
import io.meshhub.hub.life.HubLife.Phase;
import io.meshhub.routing.RunLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The life machine, over every order of events (D5, D6, G3, G4, G5). */
class HubLifeTest {

    private static final Set<Command> ONCE = EnumSet.of(
            Command.OPEN, Command.RUN_ACTIONS, Command.DISPOSE_HOSTED, Command.CLOSE_CONTEXT, Command.COMPLETE);

    private static HubLife run(List<Event> events, List<Command> commands, List<Phase> phases) {
        HubLife life = HubLife.STARTING;
        for (Event event : events) {
            HubLife.Step step = life.on(event);
            commands.addAll(step.commands());
            phases.add(step.next().phase());
            life = step.next();
        }
        return life;
    }

    @Property
    void phasesNeverFallAndWhatMayHappenOnceHappensOnce(@ForAll @Size(max = 24) List<Event> events) {
        List<Command> commands = new ArrayList<>();
        List<Phase> phases = new ArrayList<>();
        HubLife end = run(events, commands, phases);
        assertThat(phases).isSorted();
        for (Command once : ONCE) {
            assertThat(Collections.frequency(commands, once)).as("%s", once).isLessThanOrEqualTo(1);
        }
        assertThat(commands.contains(Command.COMPLETE)).isEqualTo(end.level() == RunLevel.DEAD);
    }

    @Property
    void deadMeansThatActionsRanAndTheContextWasClosed(@ForAll @Size(max = 24) List<Event> events) {
        List<Command> commands = new ArrayList<>();
        HubLife end = run(events, commands, new ArrayList<>());
        if (end.level() == RunLevel.DEAD) {
            assertThat(commands)
                    .contains(
                            Command.RUN_ACTIONS,
                            Command.DISPOSE_HOSTED,
                            Command.ABANDON_RUNNING,
                            Command.CLOSE_CONTEXT);
            assertThat(commands.get(commands.size() - 1)).isEqualTo(Command.COMPLETE);
            assertThat(commands.indexOf(Command.RUN_ACTIONS)).isLessThan(commands.indexOf(Command.CLOSE_CONTEXT));
        }
    }

    @Property
    void theWatchdogEndsEveryDisposal(@ForAll @Size(max = 24) List<Event> events) {
        HubLife life = run(events, new ArrayList<>(), new ArrayList<>());
        HubLife ended = life.on(Event.DISPOSE).next().on(Event.WATCHDOG).next();
        assertThat(ended.level()).isEqualTo(RunLevel.DEAD);
    }

    @Property
    void anEventAfterTheEndChangesNothing(@ForAll Event event) {
        HubLife dead =
                HubLife.STARTING.on(Event.DISPOSE).next().on(Event.WATCHDOG).next();
        assertThat(dead.on(event)).isEqualTo(new HubLife.Step(dead, List.of()));
    }

    @Test
    void anOrderlyDisposalPassesEveryLevelInOrder() {
        List<Phase> phases = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        run(
                List.of(
                        Event.START_DONE,
                        Event.DISPOSE,
                        Event.DRAINED,
                        Event.ACTIONS_DONE,
                        Event.HOSTED_DONE,
                        Event.CLOSED),
                commands,
                phases);
        assertThat(phases.stream().map(Phase::level).distinct())
                .containsExactly(
                        RunLevel.STARTED,
                        RunLevel.QUIESCING,
                        RunLevel.DISPOSING_HOSTED_HUBS,
                        RunLevel.SHUT_DOWN,
                        RunLevel.DEAD);
        assertThat(commands).doesNotContain(Command.REPORT_STUCK, Command.REFUSE_WAITING, Command.FAIL_WAITING);
    }

    @Test
    void aStartThatFailsIsAFailureAndOneThatIsDisposedIsARefusal() {
        assertThat(HubLife.STARTING.on(Event.START_FAILED).commands())
                .contains(Command.FAIL_WAITING)
                .doesNotContain(Command.REFUSE_WAITING);
        assertThat(HubLife.STARTING.on(Event.DISPOSE).commands())
                .contains(Command.REFUSE_WAITING)
                .doesNotContain(Command.FAIL_WAITING);
    }
}
