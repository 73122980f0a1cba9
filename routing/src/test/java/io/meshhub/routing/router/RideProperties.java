package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** R9, R11: whatever happens in whatever order, a ride asks one at a time, at its pace, and ends once. */
class RideProperties {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final long START = 5_000_000_000L;
    private static final Duration PACE = Duration.ofMillis(500);
    private static final Duration LATER = Duration.ofMillis(120);
    private static final long DEADLINE = START + Duration.ofSeconds(25).toNanos();

    private enum Kind {
        RIDE_OUT,
        UNAVAILABLE,
        RETRY_LATER,
        RETRY_IF_IDEMPOTENT,
        STOP,
        REPORT,
        REPLIED,
        RESTED,
        WAKE,
        DEADLINE
    }

    private record Happening(Kind kind, Duration later) {}

    private record Trace(Ride.Event event, boolean wasAsking, boolean wasEnded, Ride.Step step) {
        boolean isEnd() {
            return !wasEnded && step.ride().isEnded();
        }
    }

    private static Ride.Terms terms(boolean rideOut, boolean idempotent) {
        return new Ride.Terms(ADDRESS, "a", START, DEADLINE, PACE, rideOut, idempotent);
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(8, Kind.RIDE_OUT),
                Tuple.of(4, Kind.UNAVAILABLE),
                Tuple.of(4, Kind.RETRY_LATER),
                Tuple.of(2, Kind.RETRY_IF_IDEMPOTENT),
                Tuple.of(1, Kind.STOP),
                Tuple.of(1, Kind.REPORT),
                Tuple.of(1, Kind.REPLIED),
                Tuple.of(8, Kind.RESTED),
                Tuple.of(4, Kind.WAKE),
                Tuple.of(1, Kind.DEADLINE));
        Arbitrary<Duration> waits = Arbitraries.longs().between(0, 800).map(Duration::ofMillis);
        return Combinators.combine(kinds, waits).as(Happening::new).list().ofMaxSize(60);
    }

    private static MeshException failure(Kind kind) {
        return switch (kind) {
            case RIDE_OUT -> ShuttingDown.refusal(ADDRESS, ActivationId.of(10, 1), RunLevel.DEAD, "b");
            case UNAVAILABLE -> Unavailable.notSent(ADDRESS, "b", "moving");
            case RETRY_LATER -> Overloaded.at(ADDRESS, "b", "mailbox", 1024, LATER);
            case RETRY_IF_IDEMPOTENT -> Unavailable.sent(ADDRESS, "b", "lost");
            case STOP -> NotFound.noNode(ADDRESS, "b");
            case REPORT -> new Conflict("conflict", FailureDetail.about(ADDRESS), 7);
            default -> throw new IllegalArgumentException(kind.name());
        };
    }

    private static Ride.Event event(Kind kind, long now) {
        return switch (kind) {
            case REPLIED -> new Ride.Event.Replied();
            case RESTED -> new Ride.Event.Rested(now);
            case WAKE -> new Ride.Event.Wake(now);
            case DEADLINE -> deadline(now);
            default -> new Ride.Event.Failed(failure(kind), now);
        };
    }

    private static Ride.Event deadline(long now) {
        return new Ride.Event.Deadline(now, null);
    }

    private static List<Trace> run(List<Happening> happenings, Ride.Terms terms) {
        List<Trace> traces = new ArrayList<>();
        Ride ride = Ride.FIRST_ASK;
        long now = START;
        for (Happening happening : happenings) {
            now += happening.later().toNanos();
            Ride.Event event = event(happening.kind(), now);
            Ride.Step step = ride.on(event, terms);
            traces.add(new Trace(event, ride.isAsking(), ride.isEnded(), step));
            ride = step.ride();
        }
        return traces;
    }

    @Property
    void neverAsksWhileAnAskIsOutstandingAndEndsAtMostOnce(
            @ForAll("happenings") List<Happening> happenings, @ForAll boolean rideOut, @ForAll boolean idempotent) {
        boolean outstanding = true;
        int ends = 0;
        int asks = 1;
        for (Trace trace : run(happenings, terms(rideOut, idempotent))) {
            Ride.Command command = trace.step().command();
            if (ends > 0) {
                assertThat(command).as("after the end").isInstanceOf(Ride.Command.Nothing.class);
                assertThat(trace.step().ride().isEnded()).isTrue();
                continue;
            }
            boolean answered =
                    trace.event() instanceof Ride.Event.Failed || trace.event() instanceof Ride.Event.Replied;
            outstanding = outstanding && !answered;
            if (command instanceof Ride.Command.Ask) {
                assertThat(outstanding).as("an ask is outstanding already").isFalse();
                outstanding = true;
                asks++;
            }
            if (command instanceof Ride.Command.Fail || trace.event() instanceof Ride.Event.Replied) {
                ends++;
                assertThat(trace.step().ride().isEnded()).isTrue();
            }
            assertThat(trace.step().ride().attempts()).as("observed attempts").isEqualTo(asks);
        }
        assertThat(ends).isLessThanOrEqualTo(1);
    }

    @Property
    void deadlineEndsWhateverHappenedBefore(
            @ForAll("happenings") List<Happening> happenings, @ForAll boolean idempotent) {
        List<Happening> all = new ArrayList<>(happenings);
        all.add(new Happening(Kind.DEADLINE, Duration.ofSeconds(60)));
        List<Trace> traces = run(all, terms(true, idempotent));
        assertThat(traces.get(traces.size() - 1).step().ride().isEnded()).isTrue();
        assertThat(traces.stream().filter(Trace::isEnd)).hasSize(1);
    }

    /** Promise 1: "never executed" is said of all asks of a message, not of the last one. */
    @Property
    void onceAnAskMayHaveBeenExecutedNoEndSaysThatNothingWas(
            @ForAll("happenings") List<Happening> happenings, @ForAll boolean rideOut) {
        List<Happening> all = new ArrayList<>(happenings);
        all.add(new Happening(Kind.DEADLINE, Duration.ofSeconds(60)));
        boolean mayHaveRun = false;
        for (Trace trace : run(all, terms(rideOut, true))) {
            if (trace.step().command() instanceof Ride.Command.Fail fail && mayHaveRun) {
                assertThat(fail.failure().remedy()).isNotIn(Remedy.RIDE_OUT, Remedy.RETRY_LATER);
            }
            mayHaveRun = mayHaveRun
                    || (trace.wasAsking()
                            && trace.event() instanceof Ride.Event.Failed failed
                            && failed.failure().remedy() == Remedy.RETRY_IF_IDEMPOTENT);
        }
    }

    @Property
    void restsForOnePaceOrForAsLongAsItWasTold(
            @ForAll("happenings") List<Happening> happenings, @ForAll boolean idempotent) {
        for (Trace trace : run(happenings, terms(true, idempotent))) {
            if (trace.step().command() instanceof Ride.Command.Rest rest) {
                Ride.Event.Failed failed = (Ride.Event.Failed) trace.event();
                Duration wanted = failed.failure().remedy() == Remedy.RETRY_LATER ? LATER : PACE;
                assertThat(rest.untilNanos()).isEqualTo(Math.min(failed.now() + wanted.toNanos(), DEADLINE));
            }
        }
    }

    @Property
    void asksAtOnceAfterTheFirstRefusalOnlyUnlessHinted(@ForAll("happenings") List<Happening> happenings) {
        int refusals = 0;
        boolean hinted = false;
        for (Trace trace : run(happenings, terms(true, false))) {
            boolean asksNow = trace.step().command() instanceof Ride.Command.Ask;
            if (trace.event() instanceof Ride.Event.Wake && trace.wasAsking()) {
                hinted = true;
            } else if (asksNow && !(trace.event() instanceof Ride.Event.Failed)) {
                hinted = false;
            }
            if (trace.event() instanceof Ride.Event.Failed failed && trace.wasAsking()) {
                refusals++;
                boolean later = failed.failure().remedy() == Remedy.RETRY_LATER;
                if (asksNow) {
                    assertThat(later).as("told to come back later").isFalse();
                    assertThat(refusals == 1 || hinted)
                            .as("first refusal, or hinted")
                            .isTrue();
                }
                hinted = false;
            }
        }
    }

    @Property
    void neverAsksAgainWhatMayHaveBeenExecutedUnlessIdempotent(
            @ForAll("happenings") List<Happening> happenings, @ForAll boolean rideOut) {
        for (Trace trace : run(happenings, terms(rideOut, false))) {
            if (trace.event() instanceof Ride.Event.Failed failed && trace.wasAsking()) {
                boolean neverExecuted = failed.failure().remedy() == Remedy.RIDE_OUT
                        || failed.failure().remedy() == Remedy.RETRY_LATER;
                if (!neverExecuted || !rideOut) {
                    assertThat(trace.step().command()).isInstanceOf(Ride.Command.Fail.class);
                }
            }
        }
    }

    @Property
    void nothingIsAskedAtOrPastTheDeadline(@ForAll("happenings") List<Happening> happenings) {
        for (Trace trace : run(happenings, terms(true, true))) {
            if (trace.step().command() instanceof Ride.Command.Ask) {
                assertThat(timeOf(trace.event())).isLessThan(DEADLINE);
            }
        }
    }

    private static long timeOf(Ride.Event event) {
        if (event instanceof Ride.Event.Failed failed) {
            return failed.now();
        }
        return event instanceof Ride.Event.Rested rested
                ? rested.now()
                : Objects.requireNonNull((Ride.Event.Wake) event).now();
    }
}
