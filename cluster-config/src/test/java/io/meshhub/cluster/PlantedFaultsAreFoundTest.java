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
        assertThat(SimRun.firstFault(0, 10_000, seed -> SimPlan.of(seed, plant)))
                .isPresent();
    }
}
