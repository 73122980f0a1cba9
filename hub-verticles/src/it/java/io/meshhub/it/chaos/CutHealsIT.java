package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * F6: with a quorum of 1, a node that is cut off goes on for itself. After the cut is healed one activation of each
 * address is left, no acknowledged write is lost, and every address answers every node.
 */
@Timeout(240)
@EnabledIf("io.meshhub.it.chaos.Namespaces#areAllowed")
class CutHealsIT {

    private static final Logger LOG = LoggerFactory.getLogger(CutHealsIT.class);
    private static final long SEED = 6;
    private static final long CUT_MS = 12_000;

    @Test
    void afterACutOneActivationOfEachAddressIsLeftAndNoAcknowledgedWriteIsLost() {
        EnumSet<Fault.Kind> kinds = EnumSet.of(Fault.Kind.CUT_NODE);
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(SEED, Duration.ofMillis(CUT_MS + 25_000), kinds),
                List.of(new Fault(Fault.Kind.CUT_NODE, 3000, CUT_MS, 1, 0, false)),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
    }
}
