package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
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

        assertThat(found.text()).containsAnyOf(words(plant)).contains("seed " + found.plan().seed());
        assertThat(SimRun.fault(found.plan())).as("the plan that is left, run again").contains(found.text());
        assertThat(found.plan().faults())
                .isSubsetOf(SimPlan.of(found.plan().seed(), plant).faults());
    }

    /** What a run says in which just this rule is broken. */
    private static String[] words(SimPlan.Plant plant) {
        return switch (plant) {
            case NONE -> new String[0];
            case REFUSALS_WITHOUT_REST -> new String[] {"was tried"};
            case OUTSTANDING_CALLER_TOLD_NEVER_EXECUTED -> new String[] {"its caller told that it never was"};
            case EQUAL_EPOCHS_ACCEPTED_BY_THE_STORE -> new String[] {"was acknowledged and is"};
            case NO_WAIT_AFTER_A_LOSS,
                    MISSING_ROW_CLAIMED_AS_UNOWNED,
                    DROPPED_INCARNATION_ACKNOWLEDGED,
                    LEASE_COUNTED_FROM_THE_ANSWER,
                    RESTARTED_VOTER_ACKNOWLEDGES_AT_ONCE,
                    UNLISTED_VOTER_COUNTS -> new String[] {" and by ", "the fence of shard"};
        };
    }
}
