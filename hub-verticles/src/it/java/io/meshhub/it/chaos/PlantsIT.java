package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fault harness finds what is broken on purpose. Those run here that show within seconds and without faults of nodes;
 * all of them run with {@code scripts/chaos --plant all}.
 */
@Timeout(300)
class PlantsIT {

    private static final Logger LOG = LoggerFactory.getLogger(PlantsIT.class);
    private static final int QUORUM = 2;
    private static final long SEED = 8;

    @ParameterizedTest
    @EnumSource(names = {"DROP_MESSAGE", "SILENCE", "DENY"})
    void whatIsBrokenOnPurposeIsFound(Plant plant) {
        assumeTrue(plant.isPossible(), "links can be cut");
        ChaosReport report = ChaosRun.runOneByOne(
                ChaosOptions.of(SEED, Duration.ZERO, EnumSet.noneOf(Fault.Kind.class))
                        .safe(QUORUM)
                        .planted(plant),
                plant.faults(),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.isFound(plant))
                .as(plant + "\n" + String.join("\n", lines))
                .isTrue();
    }
}
