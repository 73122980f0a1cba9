package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.SimFault.Kind;
import io.meshhub.cluster.lease.Quorum;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedules under which a simulated cluster once broke a promise. */
@Timeout(60)
class SimulatedScenariosTest {

    private static final Quorum LEASED =
            new Quorum(2, 3, List.of("n0", "n1", "n2"), Quorum.AfterLoss.SAFE, SimPlan.LEASE);

    /** A8: the candidate never knew the row, the others know that its owner was lost: the wait must end some time. */
    @Test
    void aRowLostWithItsOwnerIsClaimedByANodeThatNeverKnewIt() {
        SimNet net = new SimNet(1_040, 300, 6, 1_842, 30, 3_500);
        List<SimFault> faults = List.of(
                new SimFault(12_024, Kind.CUT_BUS, 0b101, 13_760), new SimFault(20_151, Kind.LOSE_ROW, 2, 1_400));

        assertThat(SimRun.fault(new SimPlan(1_966, 4, LEASED, SimPlan.Plant.NONE, net, faults)))
                .isEmpty();
    }

    /** A8: a node restores what it remembers while others remember a later row, whose owner has gone since. */
    @Test
    void anOldRowThatWasRestoredGivesWayToALaterOneThatIsRemembered() {
        SimNet net = new SimNet(1_386, 3_000, 50, 1_781, 2, 6_000);
        List<SimFault> faults = List.of(
                new SimFault(15_636, Kind.LEAVE, 0, 214),
                new SimFault(15_943, Kind.LOSE_ROW, 1, 2_887),
                new SimFault(16_441, Kind.LOSE_ROW, 0, 1_609));

        assertThat(SimRun.fault(new SimPlan(3_201, 4, LEASED, SimPlan.Plant.NONE, net, faults)))
                .isEmpty();
    }
}
