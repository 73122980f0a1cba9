package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one message rides out refusals: a pure state machine, immutable, without a clock.
 *
 * <p>It asks at once after the first refusal and then at a pace; {@link Event.Wake} (a newer row of the shard, or word
 * that the address was released) makes the next ask due at once. The deadline alone bounds it: with no ask outstanding it
 * ends with the last refusal itself, with one outstanding with {@link DeadlineExceeded} that carries that refusal. Where an
 * idempotent message was asked again after it may have been executed, no end says that it was not. Never two asks are
 * outstanding, and nothing comes after the end.
 */
final class Ride {

    /** What a ride is for. */
    record Terms(
            MeshAddress address,
            String node,
            long startNanos,
            long deadlineNanos,
            Duration pace,
            boolean rideOut,
            boolean idempotent) {}

    /** What can happen to a ride; every event says when, in nanoseconds. */
    sealed interface Event {
        /** The outstanding ask was answered with a failure. */
        record Failed(MeshException failure, long now) implements Event {}

        /** The outstanding ask was answered with a reply. */
        record Replied() implements Event {}

        /** The rest is over. */
        record Rested(long now) implements Event {}

        /** There is reason to believe that asking now helps. */
        record Wake(long now) implements Event {}

        /** The deadline has come; what the owner of the outstanding ask says of itself, when it can be asked. */
        record Deadline(long now, @Nullable MeshException described) implements Event {}
    }

    /** What is to be done next. */
    sealed interface Command {
        /** Nothing. */
        record Nothing() implements Command {}

        /** Ask the owner now. */
        record Ask() implements Command {}

        /** Rest until then, and say so. */
        record Rest(long untilNanos) implements Command {}

        /** End with this failure. */
        record Fail(MeshException failure) implements Command {}
    }

    /** A state and what is to be done on entering it. */
    record Step(Ride ride, Command command) {}

    private enum Phase {
        ASKING,
        RESTING,
        ENDED
    }

    private static final Command NOTHING = new Command.Nothing();
    private static final Command ASK = new Command.Ask();

    private final Phase phase;
    private final int attempts;
    private final int refusals;
    private final boolean hinted;
    // Whether any ask so far may have been executed: no later refusal may say then that nothing was.
    private final boolean mayHaveRun;
    private final @Nullable MeshException last;

    private Ride(
            Phase phase, int attempts, int refusals, boolean hinted, boolean mayHaveRun, @Nullable MeshException last) {
        this.phase = phase;
        this.attempts = attempts;
        this.refusals = refusals;
        this.hinted = hinted;
        this.mayHaveRun = mayHaveRun;
        this.last = last;
    }

    /** A ride whose first ask is being made. */
    static final Ride FIRST_ASK = new Ride(Phase.ASKING, 1, 0, false, false, null);

    int attempts() {
        return attempts;
    }

    boolean isAsking() {
        return phase == Phase.ASKING;
    }

    boolean isEnded() {
        return phase == Phase.ENDED;
    }

    /** The state after an event. */
    Step on(Event event, Terms terms) {
        if (phase == Phase.ENDED) {
            return stay();
        }
        if (event instanceof Event.Replied) {
            return new Step(ended(last), NOTHING);
        }
        if (event instanceof Event.Failed failed) {
            return failed(failed.failure(), failed.now(), terms);
        }
        if (event instanceof Event.Wake wake) {
            return phase == Phase.RESTING
                    ? ask(wake.now(), terms)
                    : new Step(new Ride(phase, attempts, refusals, true, mayHaveRun, last), NOTHING);
        }
        if (event instanceof Event.Rested rested) {
            return phase == Phase.RESTING ? ask(rested.now(), terms) : stay();
        }
        return deadline((Event.Deadline) event, terms);
    }

    private Step failed(MeshException failure, long now, Terms terms) {
        if (phase != Phase.ASKING) {
            return stay();
        }
        if (!mayAskAgain(failure, terms)) {
            return end(failure, attempts == 1 ? failure : observed(failure, now, terms));
        }
        if (now >= terms.deadlineNanos()) {
            return end(failure, failure.withAttempts(attempts, elapsed(now, terms)));
        }
        int count = refusals + 1;
        boolean ran = mayHaveRun || failure.remedy() == Remedy.RETRY_IF_IDEMPOTENT;
        // "Come back later" is taken at its word; anything else is tried again at once the first time, or when hinted.
        boolean later = failure.remedy() == Remedy.RETRY_LATER;
        if (!later && (count == 1 || hinted)) {
            return new Step(new Ride(Phase.ASKING, attempts + 1, count, false, ran, failure), ASK);
        }
        Duration rest = later ? failure.retryAfter().orElse(terms.pace()) : terms.pace();
        long until = Math.min(now + rest.toNanos(), terms.deadlineNanos());
        return new Step(new Ride(Phase.RESTING, attempts, count, false, ran, failure), new Command.Rest(until));
    }

    private static boolean mayAskAgain(MeshException failure, Terms terms) {
        if (!terms.rideOut()) {
            return false;
        }
        return switch (failure.remedy()) {
            case RIDE_OUT, RETRY_LATER -> true;
            case RETRY_IF_IDEMPOTENT -> terms.idempotent();
            case STOP, REPORT -> false;
        };
    }

    private Step deadline(Event.Deadline event, Terms terms) {
        MeshException refusal = last;
        if (phase == Phase.RESTING && refusal != null) {
            return restedOut(refusal, event.now(), terms);
        }
        MeshException described = event.described();
        if (described != null) {
            return end(refusal, observed(described, event.now(), terms));
        }
        Duration elapsed = elapsed(event.now(), terms);
        String before = refusal == null ? "" : "; before that: " + refusal.getMessage();
        MeshException failure = new DeadlineExceeded(
                "Hub " + terms.address() + " did not answer within " + elapsed.toMillis() + " ms (attempts=" + attempts
                        + ", node=" + terms.node() + "); the outcome is unknown" + before,
                FailureDetail.about(terms.address()).on(terms.node()).after(attempts, elapsed),
                DeadlineExceeded.Owner.UNKNOWN,
                refusal);
        return end(refusal, failure);
    }

    // Nothing is outstanding: the caller gets the last refusal itself.
    private Step restedOut(MeshException refusal, long now, Terms terms) {
        return end(refusal, refusal.withAttempts(attempts, elapsed(now, terms)));
    }

    // A refusal speaks of its own ask only. Where an earlier one may have been executed the caller hears that instead.
    private Step end(@Nullable MeshException refusal, MeshException failure) {
        boolean denies = failure.remedy() == Remedy.RIDE_OUT || failure.remedy() == Remedy.RETRY_LATER;
        return new Step(ended(refusal), new Command.Fail(mayHaveRun && denies ? failure.asEntered() : failure));
    }

    // An owner that says itself that the time is over does not know what was ridden out before it was asked.
    private MeshException observed(MeshException failure, long now, Terms terms) {
        MeshException counted = failure.withAttempts(attempts, elapsed(now, terms));
        if (last != null
                && counted instanceof DeadlineExceeded late
                && late.lastRefusal().isEmpty()) {
            return new DeadlineExceeded(late.getMessage(), late.detail(), late.owner(), last);
        }
        return counted;
    }

    private static Duration elapsed(long now, Terms terms) {
        return Duration.ofNanos(now - terms.startNanos());
    }

    // A rest that ends with the deadline is over with it: an ask that nobody can answer in time would only blur the
    // end.
    private Step ask(long now, Terms terms) {
        if (now >= terms.deadlineNanos() && last != null) {
            return restedOut(last, now, terms);
        }
        return new Step(new Ride(Phase.ASKING, attempts + 1, refusals, false, mayHaveRun, last), ASK);
    }

    private Step stay() {
        return new Step(this, NOTHING);
    }

    private Ride ended(@Nullable MeshException refusal) {
        return new Ride(Phase.ENDED, attempts, refusals, false, mayHaveRun, refusal);
    }
}
