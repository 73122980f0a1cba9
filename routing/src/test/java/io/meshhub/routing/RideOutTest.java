package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.RideOutBudget.Axis;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** L4, L5, L6, L11: what refusals use up, on which axis, and when a rider gives up. */
class RideOutTest {

    private static final RideOutPolicy POLICY = RideOutPolicy.ofDefaults();
    private static final ActivationId A = ActivationId.of(7, 1);
    private static final ActivationId B = ActivationId.of(7, 2);

    @Test
    void oneActivationIsGivenUpAtItsSeventeenthRepeatAfterEighteenRefusalsAndSixteenRests() {
        RideOutBudget budget = RideOutBudget.none();
        int refusals = 0;
        int rests = 0;
        do {
            budget = charge(budget, A);
            refusals++;
            if (!budget.exhausted(POLICY) && budget.rests()) {
                rests++;
            }
        } while (!budget.exhausted(POLICY));

        assertThat(refusals).isEqualTo(18).isEqualTo(POLICY.refusalsAtGiveUp());
        assertThat(rests).isEqualTo(16);
        assertThat(budget.repeats()).isEqualTo(17);
        assertThat(budget.activations()).isOne();
        assertThat(budget.axis()).contains(Axis.TIME);
    }

    @Test
    void fourDistinctActivationsAreOneTooMany() {
        RideOutBudget budget = RideOutBudget.none();
        for (int counter = 1; counter <= 3; counter++) {
            budget = charge(budget, ActivationId.of(7, counter));
            assertThat(budget.exhausted(POLICY)).isFalse();
            assertThat(budget.rests()).as("a new activation is asked at once").isFalse();
        }
        budget = charge(budget, ActivationId.of(8, 0));

        assertThat(budget.exhausted(POLICY)).isTrue();
        assertThat(budget.activations()).isEqualTo(4);
        assertThat(budget.axis()).contains(Axis.ACTIVATION);
    }

    @Test
    void anActivationBelowTheHighestSeenIsARepeatAndNoThirdActivation() {
        RideOutBudget budget = charge(charge(charge(RideOutBudget.none(), A), B), A);

        assertThat(budget.activations()).isEqualTo(2);
        assertThat(budget.repeats()).isOne();
        assertThat(budget.axis()).contains(Axis.TIME);
        assertThat(budget.highest()).contains(B);
        assertThat(budget.rests()).isTrue();
    }

    @Test
    void anActivationAboveTheHighestSeenRestartsTheRepeats() {
        RideOutBudget budget = RideOutBudget.none();
        for (int i = 0; i < 17; i++) {
            budget = charge(budget, A);
        }
        assertThat(budget.repeats()).isEqualTo(16);
        budget = charge(budget, B);

        assertThat(budget.repeats()).isZero();
        assertThat(budget.highest()).contains(B);
        assertThat(budget.exhausted(POLICY)).isFalse();
    }

    @Test
    void aRefusalThatCannotBeToldCountsAsAnActivationAndRests() {
        RideOutBudget budget = RideOutBudget.none();
        for (int i = 1; i <= 4; i++) {
            budget = budget.charge(Optional.empty());
            assertThat(budget.activations()).isEqualTo(i);
            assertThat(budget.axis()).contains(Axis.ACTIVATION);
            assertThat(budget.rests()).isTrue();
            assertThat(budget.exhausted(POLICY)).isEqualTo(i == 4);
        }
        assertThat(budget.highest()).isEmpty();
    }

    @Test
    void aRefusalThatCannotBeToldLeavesTheRepeatsOfTheKnownOneAlone() {
        RideOutBudget budget = charge(charge(RideOutBudget.none(), A), A).charge(Optional.empty());

        assertThat(budget.repeats()).isOne();
        assertThat(budget.highest()).contains(A);
        assertThat(charge(budget, A).repeats()).isEqualTo(2);
    }

    @Test
    void aTagThatRefusedBeforeRepeatsItselfAndAnotherOneIsAFurtherActivationThatRests() {
        RideOutBudget first = RideOutBudget.none().chargeTag(false);
        RideOutBudget repeated = first.chargeTag(true).chargeTag(true);
        RideOutBudget another = repeated.chargeTag(false);

        assertThat(first.rests()).isTrue();
        assertThat(repeated.activations()).isOne();
        assertThat(repeated.repeats()).isEqualTo(2);
        assertThat(repeated.axis()).contains(Axis.TIME);
        assertThat(another.activations()).isEqualTo(2);
        assertThat(another.repeats()).isZero();
        assertThat(another.axis()).contains(Axis.ACTIVATION);
    }

    @Test
    void successGivesBothAxesBack() {
        RideOutBudget fresh = RideOutBudget.none();

        assertThat(fresh.activations()).isZero();
        assertThat(fresh.repeats()).isZero();
        assertThat(fresh.axis()).isEmpty();
        assertThat(fresh.highest()).isEmpty();
        assertThat(fresh.rests()).isFalse();
        assertThat(fresh.exhausted(POLICY)).isFalse();
    }

    @Property
    void everySequenceOfRefusalsEndsWithinTheBoundsOfBothAxes(
            @ForAll @Size(80) List<@IntRange(min = 0, max = 5) Integer> counters) {
        RideOutBudget budget = RideOutBudget.none();
        int refusals = 0;
        for (int counter : counters) {
            RideOutBudget before = budget;
            budget = budget.charge(counter == 0 ? Optional.empty() : Optional.of(ActivationId.of(7, counter)));
            refusals++;

            int charged =
                    budget.activations() - before.activations() + Math.max(0, budget.repeats() - before.repeats());
            assertThat(charged).as("one refusal is charged once").isOne();
            if (budget.exhausted(POLICY)) {
                break;
            }
        }

        assertThat(budget.exhausted(POLICY)).isTrue();
        assertThat(refusals).isLessThanOrEqualTo(3 * 17 + 1);
    }

    @Test
    void theLastReaskFallsAfterTheWatchdogAndOnePace() {
        assertThat(POLICY.lastReask()).hasSeconds(8);
        assertThat(POLICY.requireOutlasts(Duration.ofMillis(7500))).isSameAs(POLICY);
        assertThatThrownBy(() -> POLICY.requireOutlasts(Duration.ofMillis(7501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the last re-ask, 16 x 500 ms = 8000 ms, must not fall before the disposal watchdog and"
                        + " one pace, 8001 ms");
        assertThatThrownBy(
                        () -> new RideOutPolicy(Duration.ofMillis(500), 3, 15).requireOutlasts(Duration.ofMillis(7500)))
                .hasMessageContaining("15 x 500 ms = 7500 ms");
    }

    @Test
    void aPolicyWithoutPaceOrBoundsIsRefused() {
        assertThatThrownBy(() -> new RideOutPolicy(Duration.ZERO, 3, 16)).hasMessage("pace = 0 ms must be > 0 ms");
        assertThatThrownBy(() -> new RideOutPolicy(Duration.ofMillis(1), 0, 16))
                .hasMessage("activationBound = 0 must be >= 1");
        assertThatThrownBy(() -> new RideOutPolicy(Duration.ofMillis(1), 3, 0))
                .hasMessage("repeatBound = 0 must be >= 1");
    }

    private static RideOutBudget charge(RideOutBudget budget, ActivationId id) {
        return budget.charge(Optional.of(id));
    }
}
