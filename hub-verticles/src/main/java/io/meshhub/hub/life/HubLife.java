package io.meshhub.hub.life;

import io.meshhub.routing.RunLevel;
import java.util.List;

/**
 * How far an activation is in its life: a state machine without time and without I/O; immutable.
 *
 * <p>Phases only rise. Whatever happens, {@link Command#COMPLETE} is given exactly once, in the step that reaches {@link
 * Phase#DEAD}.
 *
 * @param phase where it stands
 */
public record HubLife(Phase phase) {

    /** Init runs. */
    public static final HubLife STARTING = new HubLife(Phase.STARTING);

    // One shared instance, since a million started activations hold it.
    private static final HubLife STARTED = new HubLife(Phase.STARTED);

    /** A part of a life; two of them share the level QUIESCING. */
    public enum Phase {
        STARTING(RunLevel.STARTING),
        STARTED(RunLevel.STARTED),
        /** What is queued or running is finished, and what the hub itself asked is answered. */
        DRAINING(RunLevel.QUIESCING),
        /** The dispose actions run. */
        ACTING(RunLevel.QUIESCING),
        /** The hosted hubs end. */
        HOSTED(RunLevel.DISPOSING_HOSTED_HUBS),
        /** What the hub opened is closed. */
        CLOSING(RunLevel.SHUT_DOWN),
        DEAD(RunLevel.DEAD);

        private final RunLevel level;

        Phase(RunLevel level) {
            this.level = level;
        }

        /** The level of the contract. */
        public RunLevel level() {
            return level;
        }
    }

    /** What happens to an activation. */
    public enum Event {
        /** Init ended well. */
        START_DONE,
        /** Init failed, or took longer than its rung. */
        START_FAILED,
        /** Somebody wants it to end. */
        DISPOSE,
        /** Nothing is queued or running any more, and no request of the hub itself is under way. */
        DRAINED,
        /** The time for draining is over. */
        QUIESCE_OVER,
        /** Every dispose action ended, well or not. */
        ACTIONS_DONE,
        /** The time of the dispose actions is over, since hosted hubs need what is left. */
        ACTIONS_OVER,
        /** Every hosted hub is dead. */
        HOSTED_DONE,
        /** The context is closed. */
        CLOSED,
        /** The time for the whole disposal is over. */
        WATCHDOG
    }

    /** What the shell does about it, in the order given. */
    public enum Command {
        /** Hands what waited for the start to the handlers, and starts the timers of the hub. */
        OPEN,
        /** Tells all who wait that the start failed. */
        FAIL_WAITING,
        /** Refuses all who wait. */
        REFUSE_WAITING,
        /** Starts the clocks of the quiesce bound and of the watchdog, unless it is dead already. */
        ARM_BOUNDS,
        /** Says DRAINED as soon as nothing is queued, running or asked. */
        AWAIT_DRAIN,
        RUN_ACTIONS,
        /** Begins the disposal of all hosted hubs, side by side; says HOSTED_DONE when none is left. */
        DISPOSE_HOSTED,
        /** Tears down the hosted hubs that are left, now. */
        FORCE_HOSTED,
        /** Gives up the requests of the hub itself that are under way. */
        CANCEL_CALLS,
        /** Says that the dispose actions took too long. */
        REPORT_ACTIONS,
        /** Answers for the handlers that are still running, and lets the hub send nothing more. */
        ABANDON_RUNNING,
        CLOSE_CONTEXT,
        /** Says which phase was stuck. */
        REPORT_STUCK,
        /** Tells all listeners that it is dead, and leaves the table. */
        COMPLETE
    }

    /** What comes of an event. */
    public record Step(HubLife next, List<Command> commands) {}

    /** The level of the contract. */
    public RunLevel level() {
        return phase.level();
    }

    /** Whether a hosted hub can be made: from the first event of a disposal on, none ever is. */
    public boolean mayHost() {
        return phase == Phase.STARTING || phase == Phase.STARTED;
    }

    /** What comes of the event now; an event that has no meaning in this phase changes nothing. */
    public Step on(Event event) {
        return switch (phase) {
            case STARTING -> starting(event);
            case STARTED ->
                event == Event.DISPOSE ? to(Phase.DRAINING, Command.AWAIT_DRAIN, Command.ARM_BOUNDS) : stay();
            case DRAINING -> draining(event);
            case ACTING -> acting(event);
            case HOSTED -> hosted(event);
            case CLOSING -> closing(event);
            case DEAD -> stay();
        };
    }

    private Step starting(Event event) {
        return switch (event) {
            case START_DONE -> new Step(STARTED, List.of(Command.OPEN));
            case START_FAILED -> to(Phase.DRAINING, Command.FAIL_WAITING, Command.AWAIT_DRAIN, Command.ARM_BOUNDS);
            case DISPOSE -> to(Phase.DRAINING, Command.REFUSE_WAITING, Command.AWAIT_DRAIN, Command.ARM_BOUNDS);
            default -> stay();
        };
    }

    private Step draining(Event event) {
        return switch (event) {
            // An init that was under way when the disposal began has ended.
            case START_DONE, START_FAILED -> new Step(this, List.of(Command.AWAIT_DRAIN));
            case DRAINED -> to(Phase.ACTING, Command.RUN_ACTIONS);
            case QUIESCE_OVER -> to(Phase.ACTING, Command.REFUSE_WAITING, Command.CANCEL_CALLS, Command.RUN_ACTIONS);
            case WATCHDOG ->
                to(
                        Phase.DEAD,
                        Command.REPORT_STUCK,
                        Command.REFUSE_WAITING,
                        Command.RUN_ACTIONS,
                        Command.FORCE_HOSTED,
                        Command.ABANDON_RUNNING,
                        Command.CLOSE_CONTEXT,
                        Command.COMPLETE);
            default -> stay();
        };
    }

    private Step acting(Event event) {
        return switch (event) {
            case ACTIONS_DONE -> to(Phase.HOSTED, Command.DISPOSE_HOSTED);
            case ACTIONS_OVER -> to(Phase.HOSTED, Command.REPORT_ACTIONS, Command.DISPOSE_HOSTED);
            case WATCHDOG -> forced();
            default -> stay();
        };
    }

    private Step hosted(Event event) {
        return switch (event) {
            case HOSTED_DONE -> to(Phase.CLOSING, Command.ABANDON_RUNNING, Command.CLOSE_CONTEXT);
            case WATCHDOG -> forced();
            default -> stay();
        };
    }

    // What is left at the watchdog once the actions were begun.
    private Step forced() {
        return to(
                Phase.DEAD,
                Command.REPORT_STUCK,
                Command.FORCE_HOSTED,
                Command.ABANDON_RUNNING,
                Command.CLOSE_CONTEXT,
                Command.COMPLETE);
    }

    private Step closing(Event event) {
        return switch (event) {
            case CLOSED -> to(Phase.DEAD, Command.COMPLETE);
            case WATCHDOG -> to(Phase.DEAD, Command.REPORT_STUCK, Command.COMPLETE);
            default -> stay();
        };
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private static Step to(Phase phase, Command... commands) {
        return new Step(new HubLife(phase), List.of(commands));
    }
}
