package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** R9, R11: what a ride ends with at its deadline, and what it hands back. */
class RideTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final ActivationId ACTIVATION = ActivationId.of(10, 1);
    private static final long START = 1_000_000;
    private static final long SECOND = 1_000_000_000L;
    private static final long DEADLINE = START + 25 * SECOND;
    private static final Ride.Terms TERMS = terms(true, false);

    private static Ride.Terms terms(boolean rideOut, boolean idempotent) {
        return new Ride.Terms(ADDRESS, "a", START, DEADLINE, Duration.ofMillis(500), rideOut, idempotent);
    }

    private static ShuttingDown refusal() {
        return ShuttingDown.refusal(ADDRESS, ACTIVATION, RunLevel.DEAD, "b");
    }

    private static Ride refused(Ride ride, long now) {
        return ride.on(new Ride.Event.Failed(refusal(), now), TERMS).ride();
    }

    private static MeshException end(Ride.Step step) {
        assertThat(step.command()).isInstanceOf(Ride.Command.Fail.class);
        assertThat(step.ride().isEnded()).isTrue();
        return ((Ride.Command.Fail) step.command()).failure();
    }

    private static Ride resting() {
        return refused(refused(Ride.FIRST_ASK, START), START + SECOND);
    }

    @Test
    void restingAtTheDeadlineItEndsWithTheLastRefusalItself() {
        MeshException end = end(resting().on(new Ride.Event.Deadline(DEADLINE, null), TERMS));

        assertThat(end).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(end.activation()).contains(ACTIVATION);
        assertThat(end.runLevel()).contains(RunLevel.DEAD);
        assertThat(end.attempts()).isEqualTo(2);
        assertThat(end.elapsed()).contains(Duration.ofSeconds(25));
    }

    @Test
    void askingAtTheDeadlineItEndsWithDeadlineExceededThatCarriesTheRefusal() {
        Ride asking =
                resting().on(new Ride.Event.Rested(START + 2 * SECOND), TERMS).ride();

        MeshException end = end(asking.on(new Ride.Event.Deadline(DEADLINE, null), TERMS));

        assertThat(end).isExactlyInstanceOf(DeadlineExceeded.class);
        assertThat(((DeadlineExceeded) end).lastRefusal().orElseThrow()).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(end.attempts()).isEqualTo(3);
        assertThat(end.elapsed()).contains(Duration.ofSeconds(25));
    }

    @Test
    void ownersOwnWordsAtTheDeadlineCarryTheRefusalAndTheCountsToo() {
        DeadlineExceeded.Owner owner = new DeadlineExceeded.Owner(3, "Ping", Duration.ofSeconds(9));
        DeadlineExceeded said =
                new DeadlineExceeded("busy", FailureDetail.about(ADDRESS).on("b"), owner, null);
        Ride asking =
                resting().on(new Ride.Event.Rested(START + 2 * SECOND), TERMS).ride();

        DeadlineExceeded atTimer = (DeadlineExceeded) end(asking.on(new Ride.Event.Deadline(DEADLINE, said), TERMS));
        DeadlineExceeded asAnswer =
                (DeadlineExceeded) end(asking.on(new Ride.Event.Failed(said, DEADLINE - SECOND), TERMS));

        for (DeadlineExceeded end : new DeadlineExceeded[] {atTimer, asAnswer}) {
            assertThat(end.owner()).isEqualTo(owner);
            assertThat(end.lastRefusal().orElseThrow()).isExactlyInstanceOf(ShuttingDown.class);
            assertThat(end.attempts()).isEqualTo(3);
            assertThat(end.elapsed()).isPresent();
        }
    }

    @Test
    void restThatEndsWithTheDeadlineDoesNotAskOnceMore() {
        Ride resting = resting();

        Ride.Step rested = resting.on(new Ride.Event.Rested(DEADLINE), TERMS);

        assertThat(end(rested)).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(rested.ride().attempts()).isEqualTo(2);
    }

    @Test
    void firstRefusalIsHandedBackAsItIsWithoutRideOut() {
        ShuttingDown refusal = refusal();

        MeshException end = end(Ride.FIRST_ASK.on(new Ride.Event.Failed(refusal, START), terms(false, true)));

        assertThat(end).isSameAs(refusal);
    }

    @Test
    void whatMayHaveBeenExecutedIsAskedAgainOnlyWhenIdempotent() {
        Ride.Event lost = new Ride.Event.Failed(Unavailable.sent(ADDRESS, "a", "lost"), START);

        assertThat(Ride.FIRST_ASK.on(lost, terms(true, true)).command()).isInstanceOf(Ride.Command.Ask.class);
        assertThat(Ride.FIRST_ASK.on(lost, terms(true, false)).command()).isInstanceOf(Ride.Command.Fail.class);
    }

    @Test
    void refusalAfterAnAskThatMayHaveBeenExecutedDoesNotSayThatNothingWas() {
        Ride.Event lost = new Ride.Event.Failed(Unavailable.sent(ADDRESS, "a", "lost"), START);
        Ride asking = Ride.FIRST_ASK.on(lost, terms(true, true)).ride();

        MeshException end = end(refused(asking, START + SECOND).on(new Ride.Event.Deadline(DEADLINE, null), TERMS));

        assertThat(end).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(end.failureCode()).isEqualTo(5031);
        assertThat(end.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT);
    }

    @Test
    void refusalOfAnEnteredHandlerIsNotRiddenOut() {
        Ride.Event entered = new Ride.Event.Failed(refusal().asEntered(), START);

        assertThat(Ride.FIRST_ASK.on(entered, TERMS).command()).isInstanceOf(Ride.Command.Fail.class);
    }

    @Test
    void overloadIsComeBackToAfterTheTimeThatItNamed() {
        Overloaded full = Overloaded.at(ADDRESS, "b", "mailbox", 1024, Duration.ofMillis(120));

        Ride.Command command =
                Ride.FIRST_ASK.on(new Ride.Event.Failed(full, START), TERMS).command();

        assertThat(command)
                .isEqualTo(new Ride.Command.Rest(START + Duration.ofMillis(120).toNanos()));
    }
}
