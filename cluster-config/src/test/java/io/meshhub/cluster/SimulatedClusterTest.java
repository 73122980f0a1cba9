package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Z1, Z2: clusters that are simulated, whatever goes wrong in them, keep the promises. {@code -Dsim.seed=} is the first
 * seed, {@code -Dsim.seeds=} how many are run.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class SimulatedClusterTest {

    private static final long FIRST = Long.getLong("sim.seed", 0);
    private static final long COUNT = Long.getLong("sim.seeds", 10_000);

    @Test
    void everySeedKeepsThePromises() {
        Optional<SimRun.Found> fault = SimRun.firstFault(FIRST, FIRST + COUNT, SimPlan::of);

        assertThat(fault).isEmpty();
    }
}
