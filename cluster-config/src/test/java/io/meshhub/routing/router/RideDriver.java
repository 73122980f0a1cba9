package io.meshhub.routing.router;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Drives the state machine of a ride from another package, so that a simulation runs the very one that is shipped. */
public final class RideDriver {

    /** What the ride wants done. */
    public sealed interface Next {
        /** Nothing. */
        record Nothing() implements Next {}

        /** Ask now. */
        record Ask() implements Next {}

        /** Rest until then. */
        record Rest(long untilNanos) implements Next {}

        /** End with this. */
        record Fail(MeshException failure) implements Next {}
    }

    private final Ride.Terms terms;
    private Ride ride = Ride.FIRST_ASK;

    public RideDriver(MeshAddress address, String node, long start, long deadline, Duration pace) {
        terms = new Ride.Terms(address, node, start, deadline, pace, true, false);
    }

    public boolean isAsking() {
        return ride.isAsking();
    }

    public boolean isEnded() {
        return ride.isEnded();
    }

    public int attempts() {
        return ride.attempts();
    }

    public Next failed(MeshException failure, long now) {
        return on(new Ride.Event.Failed(failure, now));
    }

    public Next replied() {
        return on(new Ride.Event.Replied());
    }

    public Next rested(long now) {
        return on(new Ride.Event.Rested(now));
    }

    public Next deadline(long now, @Nullable MeshException described) {
        return on(new Ride.Event.Deadline(now, described));
    }

    private Next on(Ride.Event event) {
        Ride.Step step = ride.on(event, terms);
        ride = step.ride();
        if (step.command() instanceof Ride.Command.Rest rest) {
            return new Next.Rest(rest.untilNanos());
        }
        if (step.command() instanceof Ride.Command.Fail fail) {
            return new Next.Fail(fail.failure());
        }
        return step.command() instanceof Ride.Command.Ask ? new Next.Ask() : new Next.Nothing();
    }
}
