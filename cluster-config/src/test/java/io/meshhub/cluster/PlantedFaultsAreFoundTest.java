package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Z3: a rule of the protocol that is broken on purpose is found, so that no fault found means something. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PlantedFaultsAreFoundTest {

    @ParameterizedTest
    @EnumSource(value = SimPlan.Plant.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isFoundWithinTenThousandSeeds(SimPlan.Plant plant) {
        SimRun.Found found = SimRun.firstFault(0, 10_000, seed -> SimPlan.of(seed, plant))
                .orElseThrow(() -> new AssertionError(plant + " was not found"));

        assertThat(found.text())
                .contains(words(plant))
                .contains("seed " + found.plan().seed() + ",")
                .contains("plant " + plant);
        assertThat(SimRun.fault(found.plan()))
                .as("the plan that is left, run again")
                .contains(found.text());
        assertThat(found.plan().faults())
                .isSubsetOf(SimPlan.of(found.plan().seed(), plant).faults());
    }

    @Test
    void whatIsNotNeededForAFaultIsLeftOutOfItsSchedule() {
        SimPlan plan = SimPlan.of(10, SimPlan.Plant.REFUSALS_WITHOUT_REST);
        assertThat(plan.faults()).as("of which it needs none").hasSizeGreaterThan(2);

        SimRun.Found found = SimRun.shortest(plan, SimRun.fault(plan).orElseThrow());

        assertThat(found.plan().faults()).isEmpty();
        assertThat(found.plan().seed()).isEqualTo(10);
        assertThat(found.text()).contains("was tried").contains("seed 10,");
        assertThat(SimRun.fault(found.plan())).contains(found.text());
    }

    /** What a run says in which just this rule is broken. */
    private static String words(SimPlan.Plant plant) {
        return switch (plant) {
            case NONE -> "";
            case REFUSALS_WITHOUT_REST -> "was tried";
            case OUTSTANDING_CALLER_TOLD_NEVER_EXECUTED -> "its caller told that it never was";
            case EQUAL_EPOCHS_ACCEPTED_BY_THE_STORE -> "was acknowledged and is";
            case NO_WAIT_AFTER_A_LOSS,
                    MISSING_ROW_CLAIMED_AS_UNOWNED,
                    DROPPED_INCARNATION_ACKNOWLEDGED,
                    LEASE_COUNTED_FROM_THE_ANSWER,
                    RESTARTED_VOTER_ACKNOWLEDGES_AT_ONCE,
                    UNLISTED_VOTER_COUNTS -> " and by ";
        };
    }
}
