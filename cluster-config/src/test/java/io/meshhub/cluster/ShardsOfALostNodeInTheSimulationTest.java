package io.meshhub.cluster;

import static io.meshhub.cluster.SimScenario.CERTAIN_END;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A2, A5: what becomes of shards whose owner left, and who learns of it how. */
@Timeout(120)
class ShardsOfALostNodeInTheSimulationTest {

    private static final int SEEDS = 20;
    private static final long KILLED = SETTLED + 1_000;

    /** A2: at once without a lease; with one only when that of the lost node has certainly ended. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRowOfANodeThatLeftIsClaimedAnewUnderAHigherEpochAndNoOtherChanges(boolean leased) {
        Quorum quorum = leased ? LEASED : Quorum.NONE;
        // Two rounds until both have heard of each other's list, and one until the claim.
        long bound = KILLED + NOTICED + 3 * ROUND + (leased ? CERTAIN_END : 0);
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(seed, quorum, net(1_500, 30, 2_000), fault(KILLED, Kind.KILL, 0, 20_000));
            List<ShardRow> before = new ArrayList<>();
            run.at(KILLED - 1, () -> before.addAll(run.rows(0)));
            if (leased) {
                run.every(
                        50,
                        KILLED,
                        KILLED + CERTAIN_END,
                        () -> assertThat(run.rows(1)).isEqualTo(before));
            }
            run.at(
                    bound,
                    () -> before.forEach(
                            was -> afterwards(run, was, run.node(1).table.row(was.shard()))));
            run.run();
            String gone = before.get(0).owner();
            lost += (int) before.stream()
                    .filter(row -> row.isOwnedBy(String.valueOf(gone)))
                    .count();
        }
        assertThat(lost).isPositive();
    }

    private static void afterwards(SimScenario run, ShardRow was, ShardRow now) {
        boolean owned = run.world.alive().stream().anyMatch(node -> was.isOwnedBy(node.incarnation));
        if (owned) {
            assertThat(now).isEqualTo(was);
        } else {
            assertThat(now.epoch()).isGreaterThan(was.epoch());
            assertThat(now.via()).isEqualTo(ShardRow.Via.CLAIM);
        }
        assertThat(run.server(was.shard()))
                .hasValueSatisfying(
                        server -> assertThat(now.isOwnedBy(server.incarnation)).isTrue());
    }

    /** A2: nobody is told of any row, so that callers go by what they knew. */
    @Test
    void aCallerWithAStaleRowIsCorrectedAndItsUserSeesNothingOfThat() {
        int corrected = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    Quorum.NONE,
                    net(1_500, 1, 10_000),
                    fault(KILLED, Kind.LEAVE, 0, 500),
                    fault(KILLED + 15_000, Kind.LEAVE, 1, 500));
            run.run();
            for (SimCheck.Ended ended : run.world.check.ended) {
                if (ended.corrected()) {
                    corrected++;
                    assertThat(ended.failure()).isNull();
                }
            }
        }
        assertThat(corrected).isPositive();
    }

    /** A2: whatever is lost, late or read again, a node never takes a row for one that it has had before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLowerEpochNeverReplacesAHigherOne(boolean leased) {
        int rows = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    leased ? LEASED : Quorum.NONE,
                    net(1_500, 3, 2_000),
                    fault(KILLED, Kind.KILL, 0, 500),
                    fault(KILLED + 1_000, Kind.LOSE_ROW, 1, 2_000),
                    fault(KILLED + 10_000, Kind.LEAVE, 1, 500));
            List<List<ShardRow>> told = new ArrayList<>();
            run.at(SETTLED, () -> told.addAll(run.listen()));
            run.run();
            for (List<ShardRow> ofNode : told) {
                Map<Integer, ShardRow> last = new HashMap<>();
                for (ShardRow row : ofNode) {
                    ShardRow before = last.put(row.shard(), row);
                    assertThat(before == null || row.supersedes(before))
                            .as("%s after %s", row, before)
                            .isTrue();
                    rows++;
                }
            }
        }
        assertThat(rows).isGreaterThan(SEEDS);
    }

    /** A5: not a single event of a row comes, and every row is known to all at the next re-read. */
    @Test
    void withoutAnyEventAllNodesHaveTheSameRowsWithinAReread() {
        long reread = 4_000;
        int changes = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SimScenario run = new SimScenario(
                    seed,
                    Quorum.NONE,
                    net(1_500, 1, reread),
                    fault(KILLED, Kind.LEAVE, 0, 500),
                    fault(KILLED + 14_000, Kind.LEAVE, 1, 500));
            Map<Integer, ShardRow> standing = new HashMap<>();
            Map<Integer, Long> since = new HashMap<>();
            int[] changed = {0};
            run.every(
                    50,
                    SETTLED,
                    run.endMillis(),
                    () -> SimScenario.shards().forEach(shard -> {
                        ShardRow row = run.world.hazelcast.row(shard);
                        if (!row.equals(standing.put(shard, row))) {
                            since.put(shard, run.world.millis());
                            changed[0]++;
                        }
                        // A clock that runs slow makes the pace longer, and the answer takes its way.
                        if (run.world.millis() - since.get(shard) > reread * 102 / 100 + 100) {
                            run.world.alive().stream()
                                    .filter(SimNode::isUp)
                                    .forEach(node ->
                                            assertThat(node.table.row(shard)).isEqualTo(row));
                        }
                    }));
            run.run();
            changes += changed[0] - SimPlan.SHARDS;
        }
        assertThat(changes).isGreaterThan(SEEDS);
    }
}
