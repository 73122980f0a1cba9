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

    /**
     * A9: a node that is being cut off still holds its lease and the first copy of a row, and claims a shard of a lost node
     * that the others claim on their side.
     */
    @Test
    void whatANodeClaimsWhileItIsBeingCutOffIsNotServedByIt() {
        SimNet net = new SimNet(1_037, 3_000, 50, 2_412, 3, 2_000);
        List<SimFault> faults =
                List.of(new SimFault(12_880, Kind.CUT, 0b010, 7_629), new SimFault(19_477, Kind.CUT, 0b101, 7_904));

        assertThat(SimRun.fault(new SimPlan(61_964, 4, LEASED, SimPlan.Plant.NONE, net, faults)))
                .isEmpty();
    }
}
