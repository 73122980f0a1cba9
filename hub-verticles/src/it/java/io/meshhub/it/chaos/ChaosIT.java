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
 * The short form of the fault harness: three nodes under a lease that are killed, restarted, frozen and, where the machine
 * allows it, cut off under load keep every promise (F1 to F3, A1, A3, A4, A7, A9, A12, R9). The long one is {@code
 * scripts/chaos}.
 */
@Timeout(360)
class ChaosIT {

    private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);
    private static final int QUORUM = 2;

    // One that makes each kind of fault within the time, and freezes and cuts for longer than the others wait.
    private static final long SEED = 813;

    @Test
    void nodesThatAreKilledRestartedFrozenAndCutOffUnderLoadKeepEveryPromise() {
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(SEED, Duration.ofSeconds(60), EnumSet.allOf(Fault.Kind.class))
                        .safe(QUORUM),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
        assertThat(report.history().ops()).hasSizeGreaterThan(1000);
        assertThat(report.faults())
                .extracting(Fault::kind)
                .containsAll(report.options().faults());
    }
}
