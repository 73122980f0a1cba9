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
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A6, A7: owners that do not give a shard away, planners that die, nodes that nobody hears. */
@Timeout(120)
class NodesThatDoNotLetGoInTheSimulationTest {

    private static final int SEEDS = 20;
    private static final SimNet NET = net(1_500, 30, 2_000);

    // The bound of a hand-over in the simulation, and what follows it.
    private static final long HAND_OVER_LIMIT = 3_000 + ClusterOptions.EXPEL_AFTER.toMillis();

    /**
     * A6, A7: a node comes back and is to get its share, and whoever has it never lets go. Also where the owner is the
     * planner itself.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOwnerThatNeverReleasesIsExpelledAndItsShardsAreServedWithinTheBound(boolean leased) {
        // From the hand-over on: until it is seen as late, told to all, and its lease has ended.
        long bound = HAND_OVER_LIMIT + 4 * ROUND + (leased ? CERTAIN_END : 0);
        Set<Boolean> planners = new HashSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    leased ? LEASED : Quorum.NONE,
                    NET,
                    fault(SETTLED, Kind.KILL, 2, 9_000),
                    fault(SETTLED, Kind.HOLD_ON, 0, 60_000),
                    fault(SETTLED, Kind.HOLD_ON, 1, 60_000));
            Map<ShardRow, Long> handedOff = new HashMap<>();
            Set<ShardRow> held = new HashSet<>();
            run.every(
                    50,
                    SETTLED,
                    60_000,
                    () -> SimScenario.shards().forEach(shard -> {
                        ShardRow row = run.world.hazelcast.row(shard);
                        long now = run.world.millis();
                        if (row.state() == ShardRow.State.HANDOFF && !handedOff.containsKey(row)) {
                            handedOff.put(row, now);
                            if (isHeldBy(run, row)) {
                                held.add(row);
                                planners.add(run.world.alive().stream()
                                        .anyMatch(
                                                node -> row.isOwnedBy(node.incarnation) && run.isPlanner(node.number)));
                            }
                        }
                        handedOff.forEach((late, since) -> {
                            if (late.shard() == shard && now - since > bound) {
                                assertThat(row.epoch())
                                        .as("of %s since %d", late, since)
                                        .isGreaterThan(late.epoch());
                                assertThat(run.world.check.wasExpelled(String.valueOf(late.owner())))
                                        .isEqualTo(held.contains(late));
                            }
                        });
                    }));
            run.run();
        }
        assertThat(planners).as("the owner was the planner").containsExactlyInAnyOrder(true, false);
    }

    /** A6: the one that planned the move dies while the owner, which is slow, has not given the shard away. */
    @Test
    void aMoveWhosePlannerDiesEndsWithinTheBound() {
        long killed = SETTLED + 13_000;
        long bound = killed + NOTICED + HAND_OVER_LIMIT + 4 * ROUND;
        int midMove = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    Quorum.NONE,
                    NET,
                    fault(SETTLED, Kind.KILL, 2, 9_000),
                    fault(SETTLED, Kind.HOLD_ON, 1, 60_000),
                    fault(killed, Kind.KILL, 0, 30_000));
            List<ShardRow> moving = new ArrayList<>();
            run.at(
                    killed - 1,
                    () -> SimScenario.shards().forEach(shard -> {
                        ShardRow row = run.world.hazelcast.row(shard);
                        if (row.state() == ShardRow.State.HANDOFF && isHeldBy(run, row) && run.isPlanner(0)) {
                            moving.add(row);
                        }
                    }));
            run.at(
                    bound,
                    () -> moving.forEach(row -> {
                        assertThat(run.world.hazelcast.row(row.shard()).epoch()).isGreaterThan(row.epoch());
                        assertThat(run.server(row.shard())).isPresent();
                    }));
            run.run();
            midMove += moving.size();
        }
        assertThat(midMove).isPositive();
    }

    /** A7: it stays in the member list, and can neither renew its lease nor be heard. */
    @Test
    void aNodeWhoseBusIsCutServesNothingPastItsLeaseAndIsExpelled() {
        long cut = SETTLED + 1_000;
        // Unheard for two leases, then as after a loss.
        long bound = cut + 2 * LEASE + CERTAIN_END + NOTICED + 5 * ROUND;
        int moved = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(seed, LEASED, NET, fault(cut, Kind.CUT_BUS, 1, 30_000));
            List<ShardRow> own = new ArrayList<>();
            List<String> incarnation = new ArrayList<>();
            run.at(cut, () -> {
                own.addAll(run.own(0));
                incarnation.add(run.node(0).incarnation);
            });
            run.every(
                    50,
                    cut + LEASE + 1,
                    cut + 30_000,
                    () -> assertThat(run.world.alive().stream()
                                    .filter(node -> node.number == 0)
                                    .anyMatch(node -> SimScenario.shards().anyMatch(node::serves)))
                            .isFalse());
            run.at(bound, () -> {
                assertThat(run.node(1).membership.isDropped(incarnation.get(0))).isTrue();
                own.forEach(row -> {
                    assertThat(run.world.hazelcast.row(row.shard()).epoch()).isGreaterThan(row.epoch());
                    assertThat(run.server(row.shard()))
                            .hasValueSatisfying(
                                    server -> assertThat(server.number).isNotZero());
                });
            });
            run.run();
            assertThat(run.node(0).incarnation)
                    .as("it comes back as another one")
                    .isNotEqualTo(incarnation.get(0));
            moved += own.size();
        }
        assertThat(moved).isPositive();
    }

    private static boolean isHeldBy(SimScenario run, ShardRow row) {
        return run.world.alive().stream().anyMatch(node -> row.isOwnedBy(node.incarnation) && node.isHolding());
    }
}
