package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Three nodes with a lease that two voters renew ({@code safe}): one is killed, frozen, cut off (F1, F2, F3, A4, A9). */
@Timeout(240)
class QuorumIT {

    private static final Logger LOG = LoggerFactory.getLogger(QuorumIT.class);
    private static final int QUORUM = 2;
    private static final long AT_MS = 4000;
    private static final long LASTS_MS = 14_000;
    private static final long AFTER_MS = 16_000;
    private static final int NODE = 1;
    private static final String NAME = "b";

    private static ChaosReport run(long seed, Fault.Kind kind, long lastsMs) {
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(seed, Duration.ofMillis(AT_MS + lastsMs + AFTER_MS), EnumSet.of(kind))
                        .safe(QUORUM),
                List.of(new Fault(kind, AT_MS, lastsMs, NODE, 0, false)),
                LOG::info);
        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();
        return report;
    }

    private static Span fault(ChaosReport report) {
        return report.history().faults().get(0);
    }

    private static long leaseNanos(ChaosReport report) {
        return report.options().lease().toNanos();
    }

    @Test
    void theAddressesOfAKilledNodeAreServedElsewhereOnceItsLeaseMustHaveEnded() {
        ChaosReport report = run(1, Fault.Kind.KILL, LASTS_MS);

        long killed = fault(report).from();
        Map<String, Execution> last = new HashMap<>();
        report.history().executions().stream()
                .filter(execution -> execution.started() <= killed)
                .sorted(Comparator.comparingLong(Execution::started))
                .forEach(execution -> last.put(execution.address(), execution));
        List<Execution> taken = report.history().executions().stream()
                .filter(execution -> execution.started() > killed)
                .filter(execution -> {
                    Execution before = last.get(execution.address());
                    return before != null && before.process().startsWith(NAME + ".");
                })
                .toList();
        long earliest = taken.stream().mapToLong(Execution::started).min().orElseThrow();
        LOG.info("The first address of the killed node was served again after {} ms", (earliest - killed) / 1_000_000);
        assertThat(earliest - killed).as("served again after").isGreaterThan(leaseNanos(report));
        assertThat(report.history().ops().stream()
                        .filter(op -> op.invoked() > killed && op.returned() < earliest)
                        .map(Op::outcome))
                .as("told meanwhile")
                .contains(Op.Outcome.NEVER_EXECUTED);
    }

    @Test
    void afterAThawNoAnswerOfAnOldActivationIsTakenAsCurrent() {
        ChaosReport report = run(2, Fault.Kind.LONG_FREEZE, LASTS_MS);

        assertThat(servedBy(
                        report,
                        "ac",
                        fault(report).to() - TimeUnit.SECONDS.toNanos(1),
                        fault(report).to()))
                .as("requests that the other two answered in the last second of the freeze")
                .isPositive();
    }

    @Test
    @EnabledIf("io.meshhub.it.chaos.Namespaces#areAllowed")
    void theMinorityRefusesAndTheMajorityServes() {
        ChaosReport report = run(3, Fault.Kind.CUT_NODE, LASTS_MS);

        Span cut = fault(report);
        long lapsed = cut.from() + leaseNanos(report) + TimeUnit.SECONDS.toNanos(1);
        assertThat(report.history().ops().stream()
                        .filter(op -> op.caller().startsWith(NAME + "."))
                        .filter(op -> op.invoked() > lapsed && op.returned() > 0 && op.returned() < cut.to())
                        .map(Op::outcome))
                .as("outcomes in the minority")
                .isNotEmpty()
                .doesNotContain(Op.Outcome.OK);
        assertThat(servedBy(report, "ac", cut.to() - TimeUnit.SECONDS.toNanos(2), cut.to()))
                .as("requests that the majority answered in the last two seconds of the cut")
                .isPositive();
    }

    /** How many handlers these nodes have entered in that time. */
    private static long servedBy(ChaosReport report, String nodes, long from, long to) {
        return report.history().executions().stream()
                .filter(execution -> execution.started() > from && execution.started() < to)
                .filter(execution -> nodes.contains(execution.process().substring(0, 1)))
                .count();
    }
}
