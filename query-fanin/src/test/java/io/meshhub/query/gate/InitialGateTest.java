package io.meshhub.query.gate;

import static io.meshhub.query.gate.GateShell.RUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a gate decides, one situation each. */
@Timeout(10)
class InitialGateTest {

    private final RuntimeException own = new RuntimeException("own");

    private final GateShell two = new GateShell(List.of("a", "b"));

    private void pass(Duration time) {
        two.now += time.toNanos();
    }

    private void fault(String provider) {
        two.on(new GateEvent.Failed(provider, two.ask(provider), own, true, two.now));
    }

    private void due(String provider) {
        two.on(new GateEvent.RetryDue(provider, two.resting.get(provider), two.now));
    }

    @Test
    void theTimeOfAStalledProviderIsItsOwnFromItsStartOn() {
        pass(Duration.ofSeconds(9));
        two.on(new GateEvent.Started("a", 1, two.now));
        pass(Duration.ofSeconds(6));
        two.on(new GateEvent.TimedOut(two.now));

        assertThat(two.outcomes)
                .containsExactly(new GateCommand.Stalled(
                        List.of(
                                new Stall("a", Duration.ofSeconds(9), Duration.ofSeconds(6), 1),
                                new Stall("b", RUNG, Duration.ZERO, 1)),
                        new ProviderCounts(2, 0, 0, 0, 2)));
    }

    @Test
    void restsAreNoTimeOfTheProvider() {
        two.on(new GateEvent.Started("a", 1, two.now));
        pass(Duration.ofSeconds(2));
        fault("a");
        pass(Duration.ofMillis(250));
        due("a");
        two.on(new GateEvent.First("b", 1, two.now));
        pass(Duration.ofMillis(12_750));
        two.on(new GateEvent.TimedOut(two.now));

        assertThat(two.outcomes)
                .containsExactly(new GateCommand.Stalled(
                        List.of(new Stall("a", Duration.ofSeconds(13), Duration.ofSeconds(2), 2)),
                        new ProviderCounts(2, 1, 0, 0, 1)));
    }

    @Test
    void whoIsNotReachedIsAskedThreeTimesMoreAtTheirRests() {
        for (Duration rest : List.of(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1))) {
            fault("a");
            assertThat(two.outcomes).isEmpty();
            pass(rest);
            due("a");
        }
        assertThat(two.ask("a")).isEqualTo(4);
        fault("a");

        assertThat(two.outcomes)
                .containsExactly(new GateCommand.Fail("a", own, List.of("b"), new ProviderCounts(2, 0, 0, 2, 0)));
    }

    @Test
    void aRetryThatWouldComeAfterTheRungIsTheProvidersOwnFailure() {
        pass(RUNG.minusMillis(250));
        fault("a");

        assertThat(two.outcomes).hasSize(1).first().isInstanceOf(GateCommand.Fail.class);
    }

    @Test
    void afterItsFirstResultAProviderThatIsNotReachedIsNotAskedAgain() {
        two.on(new GateEvent.First("a", 1, two.now));
        fault("a");

        assertThat(two.outcomes)
                .containsExactly(new GateCommand.Fail("a", own, List.of("b"), new ProviderCounts(2, 0, 0, 2, 0)));
    }

    @Test
    void aProvidersOwnErrorWinsOverALaterStall() {
        two.on(new GateEvent.Failed("a", 1, own, false, two.now));
        pass(RUNG);
        two.on(new GateEvent.TimedOut(two.now));

        assertThat(two.outcomes).hasSize(1).first().isInstanceOf(GateCommand.Fail.class);
    }

    @Test
    void theLastAnswerAndTheTimerMakeOneOutcomeInEitherOrder() {
        GateShell timerFirst = new GateShell(List.of("a"));
        timerFirst.on(new GateEvent.TimedOut(timerFirst.now));
        timerFirst.on(new GateEvent.First("a", 1, timerFirst.now));
        GateShell answerFirst = new GateShell(List.of("a"));
        answerFirst.on(new GateEvent.First("a", 1, answerFirst.now));
        answerFirst.on(new GateEvent.TimedOut(answerFirst.now));

        assertThat(timerFirst.outcomes).hasSize(1).first().isInstanceOf(GateCommand.Stalled.class);
        assertThat(answerFirst.outcomes)
                .containsExactly(new GateCommand.Emit(List.of(), ProviderCounts.ofComplete(1, 0)));
    }

    @Test
    void whoCompletesSilentlyIsEmptyAndNamed() {
        two.on(new GateEvent.Completed("b", 1, two.now));
        two.on(new GateEvent.First("a", 1, two.now));

        assertThat(two.outcomes).containsExactly(new GateCommand.Emit(List.of("b"), ProviderCounts.ofComplete(1, 1)));
    }

    @Test
    void whoTakesBackEachFirstResultIsFailedInTheEnd() {
        for (int i = 1; i < InitialGate.MAX_ASKS; i++) {
            two.on(new GateEvent.First("a", two.ask("a"), two.now));
            two.on(new GateEvent.AskAgain(Set.of("a"), two.now));
        }
        assertThat(two.outcomes).isEmpty();
        two.on(new GateEvent.AskAgain(Set.of("a"), two.now));

        assertThat(two.outcomes)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        GateCommand.Fail.class,
                        fail -> assertThat(fail.cause())
                                .hasMessage("it was asked 16 times, and took back each first result"));
    }
}
