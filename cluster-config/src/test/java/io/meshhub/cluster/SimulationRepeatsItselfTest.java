package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Z1: the same plan gives the same run, so that a seed that failed fails again. */
@Timeout(120)
class SimulationRepeatsItselfTest {

    @Test
    void theSamePlanGivesTheSameDigest() {
        for (long seed = 0; seed < 60; seed++) {
            assertThat(digest(seed)).as("seed %d", seed).isEqualTo(digest(seed));
        }
    }

    @Test
    void anotherSeedGivesAnotherDigest() {
        assertThat(digest(1)).isNotEqualTo(digest(2));
    }

    @Test
    void beatsComeTwiceInSomeRuns() {
        int duplicates = 0;
        for (long seed = 0; seed < 60; seed++) {
            SimWorld world = new SimWorld(SimPlan.of(seed));
            world.run();
            duplicates += world.duplicates();
        }
        assertThat(duplicates).isPositive();
    }

    private static long digest(long seed) {
        return new SimWorld(SimPlan.of(seed)).run();
    }
}
