package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
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
@EnabledIf(
        value = "io.meshhub.it.chaos.Namespaces#areAllowed",
        disabledReason = "SKIPPED F6, the merge of a cut: " + Namespaces.MISSING)
class CutHealsIT {

    private static final Logger LOG = LoggerFactory.getLogger(CutHealsIT.class);
    private static final long SEED = 6;
    private static final long AT_MS = 3000;
    private static final long CUT_MS = 14_000;
    private static final long AFTER_MS = 25_000;
    private static final Fault CUT = new Fault(Fault.Kind.CUT_NODE, AT_MS, CUT_MS, 1, 0, false);
    private static final String NODE = "b";
    private static final List<String> NODES = List.of("a", "b", "c");

    // Few, so that each is asked several times a second on both sides.
    private static final ChaosOptions.Workload LOAD =
            new ChaosOptions.Workload(60, 16, 8, List.of(1000, 3000, 8000), 0);

    @Test
    void afterACutTheHigherActivationOfEachAddressIsLeftAndNoAcknowledgedWriteIsLost() {
        ChaosReport report = ChaosRun.run(
                ChaosOptions.of(SEED, Duration.ofMillis(AT_MS + CUT_MS + AFTER_MS), EnumSet.of(CUT.kind()))
                        .withLoad(LOAD),
                List.of(CUT),
                LOG::info);

        List<String> lines = report.lines();
        lines.forEach(LOG::info);
        assertThat(report.violations()).as(String.join("\n", lines)).isEmpty();

        Span cut = report.history().faults().get(0);
        // By then each side has dropped the other one.
        long apart =
                cut.from() + report.options().heartbeatLimit().multipliedBy(2).toNanos();
        Map<String, Long> minority = highest(report, NODE, apart, cut.to());
        Map<String, Long> majority = highest(report, "ac", apart, cut.to());
        Set<String> both = new HashSet<>(minority.keySet());
        both.retainAll(majority.keySet());
        LOG.info("{} addresses had two activations during the cut", both.size());
        assertThat(both).as("addresses served on both sides").isNotEmpty();

        List<Execution> after = during(report, report.healedAt(), Long.MAX_VALUE)
                .sorted(Comparator.comparingLong(Execution::started))
                .toList();
        Map<String, Long> left = new HashMap<>();
        minority.forEach((address, activation) -> left.merge(address, activation, Math::max));
        majority.forEach((address, activation) -> left.merge(address, activation, Math::max));
        for (Execution execution : after) {
            assertThat(execution.activation())
                    .as("%s, after all was healed", execution)
                    .isGreaterThanOrEqualTo(left.getOrDefault(execution.address(), 0L));
            left.put(execution.address(), execution.activation());
        }

        assertThat(NODES.stream().mapToLong(node -> report.counted(node, "store.write stale")))
                .as("writes of the lower activation that were refused and counted")
                .anyMatch(count -> count > 0);
        assertThat(NODES.stream().mapToLong(node -> report.said(node, "of another owner; nothing was written")))
                .as("refusals that were logged")
                .anyMatch(count -> count > 0);
        assertThat(NODES.stream().mapToLong(node -> report.counted(node, "node.expelled")))
                .as("nodes whose activations ended with the merge, counted")
                .anyMatch(count -> count > 0);
        assertThat(NODES.stream().mapToLong(node -> report.counted(node, "hub.ended the node is expelled")))
                .as("activations that ended with the merge, counted")
                .anyMatch(count -> count > 0);
        assertThat(NODES.stream().mapToLong(node -> report.said(node, "everything that lives on it ends")))
                .as("ends that were logged")
                .anyMatch(count -> count > 0);
    }

    private static Stream<Execution> during(ChaosReport report, long from, long to) {
        return report.history().executions().stream()
                .filter(execution -> execution.started() > from && execution.started() < to);
    }

    /** The highest activation of each address that these nodes served in that time. */
    private static Map<String, Long> highest(ChaosReport report, String nodes, long from, long to) {
        Map<String, Long> highest = new HashMap<>();
        during(report, from, to)
                .filter(execution -> nodes.contains(execution.process().substring(0, 1)))
                .forEach(execution -> highest.merge(execution.address(), execution.activation(), Math::max));
        return highest;
    }
}
