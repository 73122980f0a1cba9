package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.SimFault.Kind;
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
}
