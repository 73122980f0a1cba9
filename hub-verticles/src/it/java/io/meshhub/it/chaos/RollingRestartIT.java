package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * F4, A12 and D2: three nodes are restarted one after the other while 1,000 addresses are asked and recycled; each
 * request is answered, and no message was handled by two activations.
 */
@Timeout(240)
class RollingRestartIT {

    private static final Logger LOG = LoggerFactory.getLogger(RollingRestartIT.class);
    private static final int NODES = 3;
    private static final long PACE_MS = 14_000;
    private static final long SEED = 4;

    @Test
    void everyRequestIsAnsweredWhileNodesRestartOneByOne() {
        List<Fault> restarts = IntStream.range(0, NODES)
                .mapToObj(node -> new Fault(Fault.Kind.RESTART, 3000 + node * PACE_MS, 1000, node, 0, false))
                .toList();
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(SEED, Duration.ofMillis(3000 + NODES * PACE_MS), EnumSet.of(Fault.Kind.RESTART))
                        .withLoad(new ChaosOptions.Workload(1000, 24, 0, List.of(20_000), 20)),
                restarts,
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        report.history().ops().stream()
                .sorted(Comparator.comparingLong((Op op) -> op.invoked() - op.returned()))
                .limit(5)
                .forEach(op -> LOG.info("slow: {}", op));
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
        assertThat(report.history().ops())
                .hasSizeGreaterThan(1000)
                .allSatisfy(op -> assertThat(op.outcome()).as(op.toString()).isEqualTo(Op.Outcome.OK));
    }
}
