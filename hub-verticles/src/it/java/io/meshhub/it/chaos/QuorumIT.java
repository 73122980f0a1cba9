package io.meshhub.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.lease.Quorum;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three nodes with a lease that two voters renew ({@code safe}), under load: one is killed, another one frozen, the third
 * one cut off, each long enough for the others to take what it owned (F1, F2, F3, A4, A7).
 */
@Timeout(300)
class QuorumIT {

    private static final Logger LOG = LoggerFactory.getLogger(QuorumIT.class);
    private static final int QUORUM = 2;
    private static final long SEED = 1;
    private static final long AT_MS = 2000;

    // Few, so that each is asked several times a second.
    private static final ChaosOptions.Workload LOAD =
            new ChaosOptions.Workload(60, 20, 6, List.of(1000, 3000, 8000), 0);

    private static final Fault KILLED = fault(Fault.Kind.KILL, 16_000, 1);
    private static final Fault FROZEN = fault(Fault.Kind.LONG_FREEZE, 20_000, 2);
    private static final Fault CUT = fault(Fault.Kind.CUT_NODE, 20_000, 0);

    // How late a fault may be made on a busy machine, and be told of by those who wrote before it.
    private static final long SLACK = TimeUnit.SECONDS.toNanos(2);

    private static Optional<ChaosReport> made = Optional.empty();

    private static Fault fault(Fault.Kind kind, long lastsMs, int node) {
        return new Fault(kind, AT_MS, lastsMs, node, 0, false);
    }

    @BeforeAll
    @Timeout(300)
    static void run() {
        List<Fault> faults = Namespaces.areAllowed() ? List.of(KILLED, FROZEN, CUT) : List.of(KILLED, FROZEN);
        ChaosReport report = ChaosRun.runOneByOne(
                ChaosOptions.of(SEED, Duration.ZERO, EnumSet.of(KILLED.kind(), FROZEN.kind(), CUT.kind()))
                        .safe(QUORUM)
                        .withLoad(LOAD),
                faults,
                LOG::info);
        report.lines().forEach(LOG::info);
        made = Optional.of(report);
    }

    @AfterAll
    static void forget() {
        made = Optional.empty();
    }

    private static ChaosReport report() {
        return made.orElseThrow();
    }

    @Test
    void everyPromiseIsKept() {
        assertThat(report().violations())
                .as(String.join("\n", report().lines()))
                .isEmpty();
    }

    @Test
    void theAddressesOfAKilledNodeAnswerAgainOnceItsLeaseMustHaveEndedAndTheirCallersAreToldSoMeanwhile() {
        Loss loss = lost(KILLED);

        assertThat(loss.firstAgain() - loss.from())
                .as("nanoseconds until something of the killed node was served elsewhere")
                .isGreaterThan(certainEnd());
        assertThat(loss.again())
                .as("what was served elsewhere before it came back")
                .containsOnlyKeys(loss.owned());
        assertThat(loss.askedInVain(loss.from() + SLACK))
                .as("what was asked meanwhile")
                .isNotEmpty()
                .noneMatch(Op::isAnswered)
                .anyMatch(QuorumIT::isToldThatNothingWasSent);
    }

    @Test
    void theAddressesOfAFrozenNodeAnswerElsewhereAndAfterItsThawItBeginsAnew() {
        Loss loss = lost(FROZEN);

        assertThat(loss.firstAgain() - loss.from())
                .as("nanoseconds until something of the frozen node was served elsewhere")
                .isGreaterThan(certainEnd());
        assertThat(loss.again()).as("what was served elsewhere before the thaw").containsOnlyKeys(loss.owned());
        assertThat(loss.askedInVain(loss.from() + SLACK))
                .as("what was asked meanwhile")
                .isNotEmpty()
                .noneMatch(Op::isAnswered)
                .anyMatch(QuorumIT::isToldThatNothingWasSent);
        assertThat(loss.entered(loss.to(), Long.MAX_VALUE)
                        .filter(execution -> loss.owned().contains(execution.address())))
                .as("entered after the thaw")
                .allMatch(execution -> execution.activation() > loss.taken(execution.address()));
        assertThat(report().counted(loss.name(), "node.expelled")).isPositive();
        assertThat(report().said(loss.name(), "is back as incarnation")).isPositive();
    }

    @Test
    @EnabledIf("io.meshhub.it.chaos.Namespaces#areAllowed")
    void theMinorityRefusesAndTheMajorityServes() {
        Loss loss = lost(CUT);

        assertThat(loss.firstAgain() - loss.from())
                .as("nanoseconds until something of the minority was served elsewhere")
                .isGreaterThan(certainEnd());
        assertThat(loss.again())
                .as("what the majority served before the healing")
                .containsOnlyKeys(loss.owned());
        long lapsed = loss.from() + report().options().lease().toNanos() + SLACK;
        assertThat(loss.entered(lapsed, loss.to()))
                .as("entered in the minority")
                .isEmpty();
        long known = lapsed + report().options().heartbeatLimit().toNanos();
        assertThat(loss.askedByItself(known, loss.to()))
                .as("asked in the minority once it knew that it is one")
                .isNotEmpty()
                .allMatch(QuorumIT::isToldThatNothingWasSent);
    }

    @Test
    void afterAllIsHealedRequestsFlowBetweenAllPairsOfNodes() {
        Set<String> pairs = report().history().ops().stream()
                .filter(op -> op.invoked() >= report().healedAt())
                .flatMap(op -> Stream.ofNullable(op.answer())
                        .map(answer -> op.caller().substring(0, op.caller().indexOf('.')) + ">" + answer.node()))
                .collect(Collectors.toSet());

        assertThat(pairs).contains("a>a", "a>b", "a>c", "b>a", "b>b", "b>c", "c>a", "c>b", "c>c");
    }

    private static long certainEnd() {
        return report().options().lease().plus(Quorum.MARGIN).toNanos();
    }

    private static boolean isToldThatNothingWasSent(Op op) {
        return op.outcome() == Op.Outcome.NEVER_EXECUTED && op.failure().startsWith("Unavailable");
    }

    private static Loss lost(Fault fault) {
        String name = Character.toString('a' + fault.node());
        Span span = report().history().faults().stream()
                .filter(each -> each.whom().equals(name) || each.whom().startsWith(name + "."))
                .findFirst()
                .orElseThrow();
        Loss loss = Loss.of(report().history(), name, span);
        LOG.info(
                "{} {}: {} addresses, the first one served again after {} ms, all after {} ms",
                fault.kind(),
                name,
                loss.owned().size(),
                (loss.firstAgain() - loss.from()) / 1_000_000,
                (loss.lastAgain() - loss.from()) / 1_000_000);
        return loss;
    }
}
