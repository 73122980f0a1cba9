package io.meshhub.hub.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.HubLife.Command;
import io.meshhub.hub.life.HubLife.Event;
import io.meshhub.hub.life.HubLife.Phase;
import io.meshhub.routing.RunLevel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life machine on its usual ways (D6, G3, G5, D1, D8). */
class HubLifeTest {

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

    /** D1. */
    @Test
    void nothingIsHostedFromTheFirstEventOfADisposalOn() {
        HubLife started = HubLife.STARTING.on(Event.START_DONE).next();
        assertThat(HubLife.STARTING.mayHost()).isTrue();
        assertThat(started.mayHost()).isTrue();
        assertThat(started.on(Event.DISPOSE).next().mayHost()).isFalse();
        assertThat(HubLife.STARTING.on(Event.START_FAILED).next().mayHost()).isFalse();
    }

    /** D8: dispose actions that hang leave the hosted hubs their time. */
    @Test
    void hostedHubsAreDisposedWithoutActionsThatTakeTooLong() {
        List<Command> commands = new ArrayList<>();
        HubLife life = run(
                List.of(Event.START_DONE, Event.DISPOSE, Event.DRAINED, Event.ACTIONS_OVER),
                commands,
                new ArrayList<>());
        assertThat(life.phase()).isEqualTo(Phase.HOSTED);
        assertThat(commands).endsWith(Command.REPORT_ACTIONS, Command.DISPOSE_HOSTED);
        assertThat(life.on(Event.ACTIONS_DONE).commands()).isEmpty();
        assertThat(life.on(Event.HOSTED_DONE).next().phase()).isEqualTo(Phase.CLOSING);
    }

    /** D4: own requests are given up when the time for them is over, and not before. */
    @Test
    void ownRequestsAreGivenUpAtTheEndOfTheQuiesceBoundOnly() {
        HubLife draining =
                HubLife.STARTING.on(Event.START_DONE).next().on(Event.DISPOSE).next();
        assertThat(draining.on(Event.DRAINED).commands()).doesNotContain(Command.CANCEL_CALLS);
        assertThat(draining.on(Event.QUIESCE_OVER).commands()).contains(Command.CANCEL_CALLS);
    }
}
