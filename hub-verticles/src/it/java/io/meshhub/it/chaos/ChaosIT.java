package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The short form of the fault harness: three nodes that are killed, restarted and frozen under load keep every promise
 * (F1, F4, A1, A3, A12, R9). The long one is {@code scripts/chaos}.
 */
@Timeout(240)
class ChaosIT {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);
    private static final long SEED = 148;

    @Test
    void nodesThatAreKilledRestartedAndFrozenUnderLoadKeepEveryPromise() {
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(
                        SEED,
                        Duration.ofSeconds(50),
                        EnumSet.of(Fault.Kind.KILL, Fault.Kind.RESTART, Fault.Kind.FREEZE, Fault.Kind.STUTTER)),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
        assertThat(report.history().ops()).hasSizeGreaterThan(1000);
    }
}
