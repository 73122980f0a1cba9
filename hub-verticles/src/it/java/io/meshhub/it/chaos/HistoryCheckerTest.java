package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.it.chaos.Op.Kind;
import io.meshhub.it.chaos.Op.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The check finds each kind of violation (all of F lean on it), and none where all was well. */
class HistoryCheckerTest {

    private static final String REGISTER = "register/1";
    private static final String LIST = "list/3";
    private static final String COUNTER = "counter/2";
    private static final long DEADLINE = ms(1000);
    private static final long HEALED = ms(100_000);

    private final List<Op> ops = new ArrayList<>();
    private final List<Execution> executions = new ArrayList<>();
    private final List<Span> freezes = new ArrayList<>();
    private final List<Span> faults = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private Map<String, Long> killed = Map.of();
    private boolean oneActivation = true;
    private long ids;

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private List<Violation.Kind> found() {
        return HistoryChecker.check(
                        new History(ops, executions, freezes, faults, killed, ends),
                        new Rules(oneActivation, Duration.ofSeconds(1), Duration.ofSeconds(10), HEALED))
                .stream()
                .map(Violation::kind)
                .distinct()
                .toList();
    }

    private Op op(Kind kind, String address, long from, long to, Outcome outcome, @Nullable Answer answer) {
        return op(kind, address, 0, from, to, outcome, answer);
    }

    private Op op(
            Kind kind, String address, long expected, long from, long to, Outcome outcome, @Nullable Answer answer) {
        Op op = new Op(
                ++ids,
                "caller.0",
                address,
                kind,
                expected,
                ms(from),
                DEADLINE,
                outcome == Outcome.PENDING ? 0 : ms(to),
                outcome,
                outcome == Outcome.OK ? "" : "Unavailable because",
                answer);
        ops.add(op);
        return op;
    }

    private static Answer answer(long activation, long from, long to, long value, boolean done) {
        return new Answer("a", activation, ms(from), ms(to), value, done, List.of());
    }

    private long write(long from, long to, Outcome outcome) {
        return op(Kind.WRITE, REGISTER, from, to, outcome, outcome == Outcome.OK ? answer(1, from, to, 0, true) : null)
                .id();
    }

    private void read(long from, long to, long value) {
        op(Kind.READ, REGISTER, from, to, Outcome.OK, answer(1, from, to, value, false));
    }

    private long append(long from, Outcome outcome) {
        return op(
                        Kind.APPEND,
                        LIST,
                        from,
                        from + 5,
                        outcome,
                        outcome == Outcome.OK ? answer(1, from, from + 5, 1, true) : null)
                .id();
    }

    private void listAtTheEnd(Long... held) {
        long at = 200_000;
        op(
                Kind.LIST,
                LIST,
                at,
                at + 5,
                Outcome.OK,
                new Answer("a", 1, ms(at), ms(at + 5), held.length, false, List.of(held)));
    }

    private void fault(long from, long to) {
        faults.add(new Span("a", "KILL", ms(from), ms(to)));
    }

    @Test
    void aRunInWhichAllWasWellHasNoViolation() {
        long first = write(0, 5, Outcome.OK);
        read(10, 15, first);
        long second = write(20, 25, Outcome.OK);
        read(22, 24, first);
        read(30, 35, second);
        long appended = append(40, Outcome.OK);
        listAtTheEnd(appended);
        assertThat(found()).isEmpty();
    }

    @Test
    void aRequestThatNeverEnded() {
        write(0, 0, Outcome.PENDING);
        assertThat(found()).containsExactly(Violation.Kind.NO_OUTCOME);
    }

    @Test
    void aRequestWhoseCallerWasKilledNeedsNoEnd() {
        write(0, 0, Outcome.PENDING);
        killed = Map.of("caller.0", ms(3));
        assertThat(found()).isEmpty();
    }

    @Test
    void aRequestThatEndedAfterItsDeadline() {
        write(0, 2001, Outcome.OK);
        assertThat(found()).containsExactly(Violation.Kind.NO_OUTCOME);
    }

    @Test
    void aCallerThatStoodStillMaySeeTheEndLater() {
        write(0, 2001, Outcome.OK);
        freezes.add(new Span("caller.0", "frozen", ms(500), ms(900)));
        assertThat(found()).isEmpty();
    }

    @Test
    void aFailureThatNothingExplains() {
        fault(0, 10);
        write(0, 5, Outcome.WRONG);
        assertThat(found()).containsExactly(Violation.Kind.WRONG_FAILURE);
    }

    @Test
    void aFailureWhileNothingWasBroken() {
        fault(0, 10);
        write(10_011, 10_020, Outcome.UNKNOWN);
        assertThat(found()).containsExactly(Violation.Kind.FAILED_WHILE_CALM);
    }

    @Test
    void aFailureSoonAfterAFaultIsExcused() {
        fault(0, 10);
        write(10_009, 10_020, Outcome.UNKNOWN);
        assertThat(found()).isEmpty();
    }

    @Test
    void aHandlerThatWasEnteredForWhatWasSaidNeverToHaveBeenExecuted() {
        fault(0, 10);
        long write = write(0, 5, Outcome.NEVER_EXECUTED);
        executions.add(new Execution(write, "a.1", REGISTER, 1, ms(2)));
        assertThat(found()).containsExactly(Violation.Kind.EXECUTED_ALTHOUGH_DENIED);
    }

    @Test
    void aHandlerThatWasEnteredTwice() {
        long write = write(0, 5, Outcome.OK);
        executions.add(new Execution(write, "a.1", REGISTER, 1, ms(2)));
        executions.add(new Execution(write, "a.1", REGISTER, 1, ms(3)));
        assertThat(found()).containsExactly(Violation.Kind.EXECUTED_TWICE);
    }

    @Test
    void aStaleRead() {
        long first = write(0, 5, Outcome.OK);
        write(10, 15, Outcome.OK);
        read(20, 25, first);
        assertThat(found()).containsExactly(Violation.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void aReadThatGoesBack() {
        fault(0, 10);
        long first = write(0, 5, Outcome.OK);
        long second = write(6, 7, Outcome.UNKNOWN);
        read(10, 15, second);
        read(20, 25, first);
        assertThat(found()).containsExactly(Violation.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void aWriteOfUnknownOutcomeMayTakeEffectLaterOrNever() {
        fault(0, 10);
        long first = write(0, 5, Outcome.OK);
        long unknown = write(6, 7, Outcome.UNKNOWN);
        write(6, 7, Outcome.UNKNOWN);
        read(500, 510, first);
        read(520, 530, unknown);
        assertThat(found()).isEmpty();
    }

    @Test
    void aWriteOfUnknownOutcomeTakesEffectOnce() {
        fault(0, 10);
        long unknown = write(6, 7, Outcome.UNKNOWN);
        read(20, 25, unknown);
        long other = write(30, 35, Outcome.OK);
        read(40, 45, other);
        read(50, 55, unknown);
        assertThat(found()).containsExactly(Violation.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void twoComparisonsThatBothFoundTheSameValue() {
        long first = write(0, 5, Outcome.OK);
        op(Kind.CAS, REGISTER, first, 10, 15, Outcome.OK, answer(1, 10, 15, first, true));
        op(Kind.CAS, REGISTER, first, 20, 25, Outcome.OK, answer(1, 20, 25, first, true));
        assertThat(found()).containsExactly(Violation.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void aLostAcknowledgedWriteIsFoundAlsoWhereTwoActivationsAreAllowed() {
        oneActivation = false;
        write(0, 5, Outcome.OK);
        read(200_000, 200_005, 0);
        assertThat(found()).containsExactly(Violation.Kind.NOT_LINEARIZABLE);
    }

    @Test
    void aStaleReadIsExcusedWhereTwoActivationsAreAllowed() {
        oneActivation = false;
        long first = write(0, 5, Outcome.OK);
        long second = write(10, 15, Outcome.OK);
        read(20, 25, first);
        read(200_000, 200_005, second);
        assertThat(found()).isEmpty();
    }

    @Test
    void aValueThatNobodyWrote() {
        read(0, 5, 99);
        assertThat(found()).contains(Violation.Kind.CHANGE_UNEXPLAINED);
    }

    @Test
    void aValueWhoseWriterWasToldThatItWasNotWritten() {
        fault(0, 10);
        long denied = write(0, 5, Outcome.NEVER_EXECUTED);
        read(10, 15, denied);
        assertThat(found()).containsExactly(Violation.Kind.CHANGE_UNEXPLAINED);
    }

    @Test
    void anAcknowledgedEntryThatIsGone() {
        append(0, Outcome.OK);
        listAtTheEnd();
        assertThat(found()).containsExactly(Violation.Kind.ACKNOWLEDGED_LOST);
    }

    @Test
    void anEntryThatIsThereTwice() {
        long appended = append(0, Outcome.OK);
        listAtTheEnd(appended, appended);
        assertThat(found()).containsExactly(Violation.Kind.CHANGE_UNEXPLAINED);
    }

    @Test
    void anEntryWhoseCallerWasToldThatItWasNotMade() {
        fault(0, 10);
        long denied = append(0, Outcome.NEVER_EXECUTED);
        listAtTheEnd(denied);
        assertThat(found()).containsExactly(Violation.Kind.CHANGE_UNEXPLAINED);
    }

    @Test
    void anEntryOfUnknownOutcomeMayBeThereOrNot() {
        fault(0, 10);
        long there = append(0, Outcome.UNKNOWN);
        append(0, Outcome.UNKNOWN);
        listAtTheEnd(there);
        assertThat(found()).isEmpty();
    }

    @Test
    void anAnswerOfAnOlderActivationAfterOneOfANewer() {
        op(Kind.COUNT, COUNTER, 0, 5, Outcome.OK, answer(2, 1, 4, 1, true));
        op(Kind.COUNT, COUNTER, 10, 15, Outcome.OK, answer(1, 11, 14, 7, true));
        assertThat(found()).containsExactly(Violation.Kind.SUPERSEDED_AT_WORK);
    }

    @Test
    void twoActivationsThatAnswerAtTheSameTime() {
        op(Kind.COUNT, COUNTER, 0, 50, Outcome.OK, answer(1, 1, 40, 7, true));
        op(Kind.COUNT, COUNTER, 10, 15, Outcome.OK, answer(2, 11, 14, 1, true));
        assertThat(found()).containsExactly(Violation.Kind.TWO_ACTIVATIONS);
    }

    @Test
    void anActivationThatWorksOnWithoutAnAnswerAfterANewerOne() {
        executions.add(new Execution(1, "b.2", COUNTER, 2, ms(10)));
        executions.add(new Execution(2, "a.1", COUNTER, 1, ms(11)));
        assertThat(found()).containsExactly(Violation.Kind.SUPERSEDED_AT_WORK);
    }

    @Test
    void twoActivationsWithTheSameId() {
        op(Kind.COUNT, COUNTER, 0, 5, Outcome.OK, answer(1, 1, 4, 1, true));
        op(Kind.COUNT, COUNTER, 10, 15, Outcome.OK, answer(1, 11, 14, 1, true));
        assertThat(found()).containsExactly(Violation.Kind.SAME_COUNT);
    }

    @Test
    void activationsThatFollowEachOtherAreWell() {
        op(Kind.COUNT, COUNTER, 0, 5, Outcome.OK, answer(1, 1, 4, 1, true));
        op(Kind.COUNT, COUNTER, 10, 15, Outcome.OK, answer(2, 11, 14, 1, true));
        executions.add(new Execution(1, "a.1", COUNTER, 1, ms(1)));
        executions.add(new Execution(2, "b.2", COUNTER, 2, ms(11)));
        assertThat(found()).isEmpty();
    }

    private void start(long begun, long failed) {
        ends.add(new End("a.1", ms(begun), ms(failed), 1, false, "FAILED because"));
    }

    @Test
    void aNodeThatWasUpAndEndedByItselfWhateverWasBrokenThen() {
        faults.add(new Span("b", "CUT_NODE", ms(0), ms(9000)));
        ends.add(new End("a.1", ms(5000), ms(5000), 134, true, "SIGSEGV"));
        assertThat(found()).containsExactly(Violation.Kind.NODE_ENDED);
    }

    @Test
    void aNodeThatDidNotStartAgainAfterNothingElseThanItsOwnEnd() {
        fault(0, 9000);
        start(5000, 6000);
        assertThat(found()).containsExactly(Violation.Kind.NODE_ENDED);
    }

    @Test
    void aNodeThatDidNotStartWhileAnotherOneWasCutOffOrSoonAfterIsExcused() {
        fault(0, 9000);
        faults.add(new Span("b", "CUT_NODE", ms(0), ms(4000)));
        start(13_999, 15_000);
        assertThat(found()).isEmpty();
    }

    @Test
    void aNodeThatDidNotStartWhileItWasCutOffItselfIsExcused() {
        faults.add(new Span("a", "CUT_NODE", ms(5500), ms(7000)));
        start(5000, 6000);
        assertThat(found()).isEmpty();
    }

    @Test
    void aNodeThatDidNotStartLongAfterWhatWasBroken() {
        faults.add(new Span("b", "CUT_NODE", ms(0), ms(4000)));
        start(14_001, 15_000);
        assertThat(found()).containsExactly(Violation.Kind.NODE_ENDED);
    }

    @Test
    void anAddressThatDoesNotAnswerAfterAllWasHealed() {
        fault(0, 99_000);
        op(Kind.COUNT, COUNTER, 200_000, 200_900, Outcome.NEVER_EXECUTED, null);
        assertThat(found()).containsExactly(Violation.Kind.NOT_RECOVERED);
    }
}
