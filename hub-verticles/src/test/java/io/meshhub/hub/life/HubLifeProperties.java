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

/** The life machine, over every order of events (D1, D3, D5, D6, G4). */
class HubLifeProperties {

    private static final Set<Command> ONCE = EnumSet.of(
            Command.OPEN,
            Command.RUN_ACTIONS,
            Command.DISPOSE_HOSTED,
            Command.FORCE_HOSTED,
            Command.CLOSE_CONTEXT,
            Command.COMPLETE);

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
                    .contains(Command.RUN_ACTIONS, Command.ABANDON_RUNNING, Command.CLOSE_CONTEXT)
                    .containsAnyOf(Command.DISPOSE_HOSTED, Command.FORCE_HOSTED);
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

    /** D6: complete comes exactly once, in the step that reaches DEAD, however often the events repeat. */
    @Property
    void completeComesOnceHoweverOftenEventsRepeat(@ForAll @Size(max = 12) List<Event> events) {
        List<Event> twice = new ArrayList<>();
        events.forEach(event -> Collections.addAll(twice, event, event));
        twice.addAll(List.of(Event.DISPOSE, Event.WATCHDOG, Event.WATCHDOG, Event.CLOSED));
        List<Command> commands = new ArrayList<>();
        HubLife end = run(twice, commands, new ArrayList<>());
        assertThat(end.level()).isEqualTo(RunLevel.DEAD);
        assertThat(Collections.frequency(commands, Command.COMPLETE)).isEqualTo(1);
    }

    /** D6: what the contract shows, too. */
    @Property
    void levelsOnlyRise(@ForAll @Size(max = 24) List<Event> events) {
        List<Phase> phases = new ArrayList<>();
        run(events, new ArrayList<>(), phases);
        assertThat(phases.stream().map(Phase::level)).isSorted();
    }

    /** D1: from the first event that ends it on, creation is never allowed again. */
    @Property
    void creationIsNeverAllowedAfterTheFirstEventOfADisposal(@ForAll @Size(max = 24) List<Event> events) {
        HubLife life = HubLife.STARTING;
        boolean ending = false;
        for (Event event : events) {
            boolean starting = life.phase() == Phase.STARTING;
            life = life.on(event).next();
            ending |= event == Event.DISPOSE || (event == Event.START_FAILED && starting);
            assertThat(life.mayHost()).as("after %s", event).isEqualTo(!ending);
        }
    }

    /** Promise 4: from any state, the events that are still due end it within five steps, without the watchdog. */
    @Property
    void everyDisposalEndsWithinBoundedEvents(@ForAll @Size(max = 24) List<Event> events) {
        HubLife life = run(events, new ArrayList<>(), new ArrayList<>())
                .on(Event.DISPOSE)
                .next();
        int steps = 0;
        while (life.level() != RunLevel.DEAD) {
            Event due =
                    switch (life.phase()) {
                        case STARTING, STARTED -> throw new AssertionError("a dispose that begins nothing: " + life);
                        case DRAINING -> Event.QUIESCE_OVER;
                        case ACTING -> Event.ACTIONS_OVER;
                        case HOSTED -> Event.HOSTED_DONE;
                        case CLOSING, DEAD -> Event.CLOSED;
                    };
            life = life.on(due).next();
            steps++;
            assertThat(steps).isLessThanOrEqualTo(4);
        }
    }

    /** D3: whatever is stuck, the watchdog says so and tears down the rest: hosted hubs, handlers and the context. */
    @Property
    void theWatchdogLeavesNothingOut(@ForAll @Size(max = 24) List<Event> events) {
        List<Command> commands = new ArrayList<>();
        HubLife before =
                run(events, commands, new ArrayList<>()).on(Event.DISPOSE).next();
        if (before.level() == RunLevel.DEAD) {
            return;
        }
        List<Command> forced = before.on(Event.WATCHDOG).commands();
        assertThat(forced).startsWith(Command.REPORT_STUCK).endsWith(Command.COMPLETE);
        if (before.phase() != Phase.CLOSING) {
            assertThat(forced).contains(Command.FORCE_HOSTED, Command.ABANDON_RUNNING, Command.CLOSE_CONTEXT);
        }
    }
}
