package io.meshhub.cluster;

import static io.meshhub.cluster.SimScenario.CERTAIN_END;
import static io.meshhub.cluster.SimScenario.LEASE;
import static io.meshhub.cluster.SimScenario.LEASED;
import static io.meshhub.cluster.SimScenario.NOTICED;
import static io.meshhub.cluster.SimScenario.ROUND;
import static io.meshhub.cluster.SimScenario.SETTLED;
import static io.meshhub.cluster.SimScenario.fault;
import static io.meshhub.cluster.SimScenario.net;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.SimFault.Kind;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A8, A9, F3: rows that are lost, nodes that stand still, and a cluster that falls into two. */
@Timeout(120)
class PausesAndCutsInTheSimulationTest {

    private static final int SEEDS = 20;
    private static final long BEGIN = SETTLED + 2_000;

    /** A8: all copies of all rows are gone; at that moment the owner of some stands still, or does not. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_300})
    void aRowThatIsLostWhileItsOwnerLivesIsRestoredAndNotClaimed(long frozenMillis) {
        int own = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    LEASED,
                    net(6_000, 30, 2_000),
                    fault(BEGIN - 100, Kind.FREEZE, 0, frozenMillis),
                    fault(BEGIN, Kind.LOSE_ROW, 0, 0),
                    fault(BEGIN, Kind.LOSE_ROW, 1, 0),
                    fault(BEGIN, Kind.LOSE_ROW, 2, 0));
            List<ShardRow> before = new ArrayList<>();
            List<Integer> served = new ArrayList<>();
            run.at(BEGIN - 200, () -> {
                before.addAll(run.rows(0));
                served.addAll(run.own(0).stream().map(ShardRow::shard).toList());
                run.world.alive().forEach(node -> node.hubs.released.clear());
            });
            run.at(
                    BEGIN + 1,
                    () -> SimScenario.shards()
                            .forEach(shard ->
                                    assertThat(run.world.hazelcast.row(shard)).isEqualTo(ShardRow.unowned(shard))));
            run.at(BEGIN + 12_000, () -> {
                assertThat(SimScenario.shards().mapToObj(run.world.hazelcast::row))
                        .isEqualTo(before);
                run.world
                        .alive()
                        .forEach(node -> assertThat(run.rows(node.number)).isEqualTo(before));
                assertThat(served).allMatch(shard -> run.node(0).serves(shard));
                assertThat(run.world.alive())
                        .allSatisfy(node -> assertThat(node.hubs.released).isEmpty());
            });
            run.run();
            own += served.size();
        }
        assertThat(own).isPositive();
    }

    /** A9: longer than a lease, shorter than what makes a member one that is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"FREEZE", "SLEEP"})
    void aLapseWithoutATakeoverEndsNoHub(Kind pause) {
        int lived = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run =
                    new SimScenario(seed, LEASED, net(9_000, 30, 2_000), fault(BEGIN, pause, 0, LEASE + 1_500));
            List<ShardRow> own = new ArrayList<>();
            List<String> incarnation = new ArrayList<>();
            run.at(BEGIN - 1, () -> {
                own.addAll(run.own(0));
                incarnation.add(run.node(0).incarnation);
                assertThat(run.node(0).table.lease().toString()).startsWith("HELD after 0 lapses");
                run.node(0).hubs.released.clear();
            });
            run.at(BEGIN + LEASE + 1_500 + 3 * ROUND, () -> {
                SimNode node = run.node(0);
                assertThat(node.incarnation).isEqualTo(incarnation.get(0));
                assertThat(node.table.lease().toString()).startsWith("HELD after 1 lapses");
                assertThat(run.own(0)).isEqualTo(own);
                assertThat(own).allMatch(row -> node.serves(row.shard()));
                assertThat(node.hubs.released).isEmpty();
            });
            run.run();
            lived += own.size();
        }
        assertThat(lived).isPositive();
    }

    /** A4 with a quorum of 1: the others went on without the node meanwhile, and no lease of its own ran out. */
    @Test
    void withoutALeaseANodeThatStoodStillTooLongServesNothingOfItsFormerLife() {
        long thawed = BEGIN + 12_000;
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run =
                    new SimScenario(seed, Quorum.NONE, net(6_000, 30, 2_000), fault(BEGIN, Kind.FREEZE, 0, 12_000));
            List<ShardRow> own = new ArrayList<>();
            List<String> incarnation = new ArrayList<>();
            run.at(BEGIN - 1, () -> {
                own.addAll(run.own(0));
                incarnation.add(run.node(0).incarnation);
            });
            run.every(1, thawed - 4_000, thawed + 3_000, () -> {
                SimNode node = run.node(0);
                if (node.incarnation.equals(incarnation.get(0))) {
                    assertThat(SimScenario.shards().anyMatch(node::serves)).isFalse();
                }
            });
            run.at(run.endMillis(), () -> {
                SimNode node = run.node(0);
                assertThat(node.incarnation).isNotEqualTo(incarnation.get(0));
                SimScenario.shards()
                        .forEach(shard -> assertThat(run.world.alive().stream().filter(each -> each.serves(shard)))
                                .hasSize(1));
            });
            run.run();
            lost += own.size();
        }
        assertThat(lost).isPositive();
    }

    /** A9 with a quorum of 1: shorter than what makes a member one that is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"FREEZE", "SLEEP"})
    void withoutALeaseAShortPauseEndsNoHub(Kind pause) {
        int lived = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(seed, Quorum.NONE, net(9_000, 30, 2_000), fault(BEGIN, pause, 0, 5_200));
            List<ShardRow> own = new ArrayList<>();
            List<String> incarnation = new ArrayList<>();
            run.at(BEGIN - 1, () -> {
                own.addAll(run.own(0));
                incarnation.add(run.node(0).incarnation);
                run.node(0).hubs.released.clear();
            });
            run.at(BEGIN + 5_200 + 3 * ROUND, () -> {
                SimNode node = run.node(0);
                assertThat(node.incarnation).isEqualTo(incarnation.get(0));
                assertThat(own).allMatch(row -> node.serves(row.shard()));
                assertThat(node.hubs.released).isEmpty();
            });
            run.run();
            lived += own.size();
        }
        assertThat(lived).isPositive();
    }

    /** F3: one node is cut off from the other two, and comes back. */
    @Test
    void theMinorityOfACutRefusesTheMajorityServesAndAfterwardsAllDo() {
        long healed = BEGIN + 20_000;
        // Noticed by the list, reported by both, the lease over, and claimed.
        long takenOver = BEGIN + 1_500 + 500 + NOTICED + 3 * ROUND + CERTAIN_END;
        int takenFromMinority = 0;
        int refused = 0;
        int answered = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    LEASED,
                    net(1_500, 30, 2_000),
                    fault(BEGIN, Kind.CUT, 1, healed - BEGIN),
                    fault(healed + 25_000, Kind.HOLD_ON, 0, 0));
            List<ShardRow> own = new ArrayList<>();
            run.at(BEGIN, () -> own.addAll(run.own(0)));
            run.every(
                    50,
                    BEGIN + LEASE + 1,
                    healed,
                    () -> assertThat(SimScenario.shards().anyMatch(run.node(0)::serves))
                            .isFalse());
            run.every(
                    200,
                    takenOver,
                    healed,
                    () -> SimScenario.shards()
                            .forEach(shard -> assertThat(run.server(shard)).isPresent()));
            run.run();

            Set<String> pairs = new HashSet<>();
            for (SimCheck.Ended ended : run.world.check.ended) {
                boolean meanwhile = ended.atMillis() > BEGIN + LEASE && ended.atMillis() <= healed;
                boolean ofMinority = ended.origin().number == 0;
                if (meanwhile && ofMinority) {
                    refused++;
                    assertThat(ended.failure()).isInstanceOf(Unavailable.class);
                } else if (meanwhile && ended.failure() == null) {
                    answered++;
                } else if (ended.atMillis() > healed && ended.failure() == null) {
                    pairs.add(ended.origin().number + ">" + ended.shard());
                }
            }
            assertThat(pairs).as("every node reaches every shard again").hasSize(3 * SimPlan.SHARDS);
            takenFromMinority += own.size();
        }
        assertThat(takenFromMinority).isPositive();
        assertThat(refused).isPositive();
        assertThat(answered).isPositive();
    }
}
