package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Q4: rungs contract strictly, whatever the operation's time-out, and nobody else makes any up. */
class BudgetLadderTest {

    private static final long AN_HOUR = 3_600_000;

    @ParameterizedTest
    @CsvSource({
        "30000, 25000, 20000, 15000",
        "20000, 15000, 10000, 5000",
        "8000, 4000, 2000, 1000",
        "1000, 500, 250, 125",
        "100, 50, 25, 12"
    })
    void eachRungIsFiveSecondsOrHalfBelowTheOneAround(long operation, long request, long permission, long query) {
        BudgetLadder ladder = BudgetLadder.of(Duration.ofMillis(operation));

        assertThat(ladder.operation()).hasMillis(operation);
        assertThat(ladder.request()).hasMillis(request);
        assertThat(ladder.permission()).hasMillis(permission);
        assertThat(ladder.start()).hasMillis(permission);
        assertThat(ladder.queryInitial().toMillis()).isEqualTo(query);
    }

    @Test
    void byDefaultAnOperationTakesThirtySeconds() {
        assertThat(BudgetLadder.ofDefaults()).isEqualTo(BudgetLadder.of(Duration.ofSeconds(30)));
    }

    @Property
    void rungsContractStrictlyForEveryOperationTimeout(@ForAll @LongRange(min = 100, max = AN_HOUR) long millis) {
        BudgetLadder ladder = BudgetLadder.of(Duration.ofMillis(millis));

        assertThat(ladder.request()).isLessThan(ladder.operation()).isPositive();
        assertThat(ladder.permission()).isLessThan(ladder.request()).isPositive();
        assertThat(ladder.queryInitial()).isLessThan(ladder.permission()).isPositive();
    }

    @Property
    void nestingKeepsHalfAtLeastAndTakesFiveSecondsAtMost(@ForAll @LongRange(min = 1, max = AN_HOUR) long millis) {
        Duration outer = Duration.ofMillis(millis);
        Duration nested = BudgetLadder.nest(outer);

        assertThat(nested).isLessThan(outer).isGreaterThanOrEqualTo(outer.dividedBy(2));
        assertThat(nested).isGreaterThanOrEqualTo(outer.minusSeconds(5));
        assertThat(nested.equals(outer.dividedBy(2)) || nested.equals(outer.minusSeconds(5)))
                .isTrue();
    }

    @Property
    void anInnerWaitIsBoundedByItsRungAndStrictlyByWhatIsLeft(
            @ForAll @LongRange(min = 1, max = AN_HOUR) long rungMillis,
            @ForAll @LongRange(min = 1, max = AN_HOUR) long leftMillis) {
        Duration rung = Duration.ofMillis(rungMillis);
        Duration left = Duration.ofMillis(leftMillis);
        Duration inner = BudgetLadder.inner(rung, left);

        assertThat(inner).isLessThanOrEqualTo(rung).isLessThan(left).isPositive();
        assertThat(inner.equals(rung) || inner.equals(BudgetLadder.nest(left))).isTrue();
    }

    @Property
    void theNextHopGetsATenthLessButNeverMoreThanAQuarterSecondLess(
            @ForAll @LongRange(min = 1, max = AN_HOUR) long millis) {
        Duration left = Duration.ofMillis(millis);
        Duration hop = BudgetLadder.forNextHop(left);

        assertThat(hop).isLessThan(left).isPositive();
        assertThat(left.minus(hop)).isEqualTo(millis >= 2500 ? Duration.ofMillis(250) : left.dividedBy(10));
    }

    @Test
    void anOperationTimeoutWithoutRoomForFourRungsIsRefused() {
        assertThatThrownBy(() -> BudgetLadder.of(Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operation time-out = 99 ms must be >= 100 ms");
    }

    @Test
    void rungsThatAreEqualOrRiseAreNoLadder() {
        Duration second = Duration.ofSeconds(1);
        Duration half = Duration.ofMillis(500);

        assertThatThrownBy(() -> new BudgetLadder(second, second, half, Duration.ofMillis(250)))
                .hasMessage("request = PT1S must be > 0 and < PT1S");
        assertThatThrownBy(() -> new BudgetLadder(second, half, half, Duration.ofMillis(250)))
                .hasMessageStartingWith("permission = ");
        assertThatThrownBy(() -> new BudgetLadder(second, half, Duration.ofMillis(250), Duration.ZERO))
                .hasMessageStartingWith("queryInitial = ");
    }

    @Test
    void nobodyElseMakesALadderOfItsOwnRungs() throws IOException {
        assertThat(MainSources.code())
                .filteredOn(line -> line.text().contains("new BudgetLadder("))
                .isNotEmpty()
                .allMatch(line -> line.isIn("BudgetLadder.java"));
    }
}
