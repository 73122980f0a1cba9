package io.meshhub.query;

import io.meshhub.query.gate.GateCommand;
import io.meshhub.query.gate.GateEvent;
import io.meshhub.query.gate.InitialGate;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Providers that are opened together, and the terminal of that: performs what its gate commands. */
final class Opening {

    /** What the first results are for. */
    enum Why {
        /** The beginning of the query. */
        INITIAL,
        /** A provider that was not there at the beginning. */
        JOIN,
        /** More rows of one that had kept some. */
        REFILL,
        /** One that took back what it had told. */
        RESET
    }

    private final SharedRun run;
    private final Why why;
    private final long deadline;
    private final Map<String, Pacer.Cancellable> rests = new HashMap<>();
    private InitialGate gate;
    private Pacer.Cancellable timer = Pacer.Cancellable.NONE;

    Opening(SharedRun run, Why why, Collection<String> providers, Duration rung) {
        this.run = run;
        this.why = why;
        this.deadline = run.now() + rung.toNanos();
        this.gate = InitialGate.of(providers, rung);
    }

    /** Called in a turn of the run. What follows of a command comes in a later turn, so that none is in another. */
    void on(GateEvent event) {
        InitialGate.Step step = gate.on(event);
        gate = step.gate();
        step.commands().forEach(this::perform);
    }

    private void perform(GateCommand command) {
        if (command instanceof GateCommand.Arm arm) {
            timer = run.after(
                    Duration.ofNanos(arm.untilNanos() - run.now()), () -> on(new GateEvent.TimedOut(run.now())));
        } else if (command instanceof GateCommand.Disarm) {
            timer.cancel();
        } else if (command instanceof GateCommand.Open open) {
            rests.remove(open.provider());
            run.open(this, open.provider(), open.ask());
        } else if (command instanceof GateCommand.Rest rest) {
            run.retries(rest.provider());
            rests.put(
                    rest.provider(),
                    run.after(rest.rest(), () -> on(new GateEvent.RetryDue(rest.provider(), rest.ask(), run.now()))));
        } else if (command instanceof GateCommand.DropRest drop) {
            Pacer.Cancellable rest = rests.remove(drop.provider());
            if (rest != null) {
                rest.cancel();
            }
        } else if (command instanceof GateCommand.Close close) {
            run.close(this, close.provider(), close.ask());
        } else if (command instanceof GateCommand.Outcome outcome) {
            run.outcome(this, outcome);
        }
    }

    Why why() {
        return why;
    }

    InitialGate gate() {
        return gate;
    }

    boolean isOver() {
        return gate.isOver();
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - run.now()));
    }
}
