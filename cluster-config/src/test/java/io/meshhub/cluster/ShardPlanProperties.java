package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.ShardPlan.Situation;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What each node plans for the same rows: no shard is claimed twice, one node plans, and it all comes to an end. */
final class ShardPlanProperties {

    private static final int SHARDS = 64;
    private static final List<NodeInfo.State> LIVING =
            List.of(NodeInfo.State.STARTING, NodeInfo.State.UP, NodeInfo.State.LEAVING);

    private record World(List<NodeInfo> nodes, List<ShardRow> rows, Set<String> dropped) {

        Situation of(NodeInfo self, boolean quiet, int batch) {
            return new Situation(rows, nodes, self, dropped::contains, quiet, batch);
        }
    }

    private static World world(Random random, int nodes) {
        List<NodeInfo> live = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            NodeInfo.State state = LIVING.get(random.nextInt(LIVING.size()));
            live.add(RendezvousProperties.node("n" + i, state));
            owners.add("n" + i + "-1");
        }
        owners.add("dead-1");
        List<ShardRow> rows = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            if (random.nextInt(5) == 0) {
                rows.add(ShardRow.unowned(shard));
            } else {
                boolean handOff = random.nextInt(6) == 0;
                rows.add(new ShardRow(
                        shard,
                        owners.get(random.nextInt(owners.size())),
                        1 + random.nextInt(9),
                        ShardRow.Via.CLAIM,
                        handOff ? ShardRow.State.HANDOFF : ShardRow.State.OWNED,
                        handOff ? owners.get(random.nextInt(owners.size())) : null));
            }
        }
        return new World(live, rows, Set.of("dead-1"));
    }

    @Property
    void everyFreeShardIsClaimedByExactlyOneNodeIfAnyIsUp(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int nodes) {
        World world = world(random, nodes);
        Map<Integer, Integer> claims = new HashMap<>();
        for (NodeInfo node : world.nodes()) {
            ShardPlan.of(world.of(node, true, 8)).claims().forEach(row -> claims.merge(row.shard(), 1, Integer::sum));
        }
        boolean anyUp = world.nodes().stream().anyMatch(NodeInfo::isCandidate);

        for (ShardRow row : world.rows()) {
            boolean free = row.owner() == null || row.owner().equals("dead-1");
            assertThat(claims.getOrDefault(row.shard(), 0)).isEqualTo(free && anyUp ? 1 : 0);
        }
    }

    @Property
    void onlyTheOldestNodeThatIsUpMovesShardsAndOnlyWhenItIsQuiet(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int nodes, @ForAll boolean quiet) {
        World world = world(random, nodes);
        Optional<NodeInfo> oldest =
                world.nodes().stream().filter(NodeInfo::isCandidate).findFirst();

        for (NodeInfo node : world.nodes()) {
            boolean mayPlan = quiet && oldest.filter(node::equals).isPresent();
            if (!mayPlan) {
                assertThat(ShardPlan.of(world.of(node, quiet, 8)).handOvers()).isEmpty();
            }
        }
    }

    @Property
    void noMoreThanABatchMovesAtATimeAndOnlyFromNodesThatAreUp(
            @ForAll Random random,
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @IntRange(min = 1, max = 12) int batch) {
        World world = world(random, nodes);
        long moving = world.rows().stream()
                .filter(row -> row.state() == ShardRow.State.HANDOFF && !row.isOwnedBy("dead-1"))
                .count();
        for (NodeInfo node : world.nodes()) {
            List<ShardPlan.Move> moves =
                    ShardPlan.of(world.of(node, true, batch)).handOvers();
            assertThat(moves).hasSizeLessThanOrEqualTo((int) Math.max(0, batch - moving));
            assertThat(moves).allSatisfy(move -> {
                assertThat(move.row().state()).isEqualTo(ShardRow.State.OWNED);
                assertThat(move.next())
                        .isPresent()
                        .isNotEqualTo(Optional.ofNullable(move.row().owner()));
                assertThat(world.nodes())
                        .filteredOn(other -> move.row().isOwnedBy(other.incarnation()))
                        .singleElement()
                        .matches(NodeInfo::isCandidate);
            });
        }
    }

    @Property
    void aShardIsGivenToANodeThatIsUpAndALeavingNodeKeepsNoneIfThereIsOne(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int nodes) {
        World world = world(random, nodes);
        Set<String> up = new HashSet<>();
        world.nodes().stream().filter(NodeInfo::isCandidate).forEach(node -> up.add(node.incarnation()));
        for (NodeInfo node : world.nodes()) {
            List<ShardPlan.Move> releases =
                    ShardPlan.of(world.of(node, false, 8)).releases();
            releases.forEach(
                    move -> move.next().ifPresent(next -> assertThat(up).contains(next)));
            if (node.state() == NodeInfo.State.LEAVING) {
                long own = world.rows().stream()
                        .filter(row -> row.isOwnedBy(node.incarnation()))
                        .count();
                assertThat(releases).hasSize((int) own);
                assertThat(releases)
                        .allSatisfy(move -> assertThat(move.next().isPresent()).isEqualTo(!up.isEmpty()));
            }
        }
    }

    /** Every node does what it plans, round after round: all shards come to their candidates, epochs only rise. */
    @Property(tries = 200)
    void plansCarriedOutComeToRest(@ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int nodes) {
        World world = world(random, nodes);
        List<NodeInfo> live = new ArrayList<>(world.nodes());
        live.set(0, live.get(0).in(NodeInfo.State.UP));
        List<ShardRow> rows = new ArrayList<>(world.rows());
        int rounds = 0;
        boolean busy = true;
        while (busy && rounds < 200) {
            rounds++;
            busy = false;
            for (NodeInfo node : live) {
                ShardPlan plan =
                        ShardPlan.of(new Situation(List.copyOf(rows), live, node, world.dropped()::contains, true, 8));
                List<ShardRow> changed = new ArrayList<>();
                plan.claims()
                        .forEach(row -> changed.add(new RowChange.Claim(node.incarnation(), row.epoch(), 0, true)
                                .apply(rows.get(row.shard()), world.dropped()::contains)));
                plan.handOvers()
                        .forEach(move -> changed.add(new RowChange.HandOff(
                                        move.row().owner(),
                                        move.row().epoch(),
                                        move.next().orElseThrow())
                                .apply(rows.get(move.row().shard()), world.dropped()::contains)));
                plan.releases()
                        .forEach(move -> move.next()
                                .ifPresent(next -> changed.add(new RowChange.Release(
                                                node.incarnation(), move.row().epoch(), next)
                                        .apply(rows.get(move.row().shard()), world.dropped()::contains))));
                for (ShardRow row : changed) {
                    assertThat(row.supersedes(rows.get(row.shard()))).isTrue();
                    rows.set(row.shard(), row);
                    busy = true;
                }
            }
        }

        assertThat(busy).isFalse();
        Rendezvous rendezvous = Rendezvous.over(live);
        Set<String> silent = new HashSet<>();
        live.stream()
                .filter(node -> node.state() == NodeInfo.State.STARTING)
                .forEach(node -> silent.add(node.incarnation()));
        for (ShardRow row : rows) {
            if (!silent.contains(row.owner())) {
                assertThat(row.owner())
                        .isEqualTo(
                                rendezvous.candidate(row.shard()).orElseThrow().incarnation());
            }
        }
        assertThat(ShardPlan.toMove(rows, live))
                .isEqualTo((int) rows.stream()
                        .filter(row -> silent.contains(row.owner()))
                        .count());
    }

    @Property
    void aShardIsToMoveWhileItIsFreeWithAnotherOrOnItsWay(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 5) int nodes) {
        World world = world(random, nodes);
        Rendezvous rendezvous = Rendezvous.over(world.nodes());
        long resting = world.rows().stream()
                .filter(row -> row.state() == ShardRow.State.OWNED)
                .filter(row -> rendezvous
                        .candidate(row.shard())
                        .filter(node -> row.isOwnedBy(node.incarnation()))
                        .isPresent())
                .count();

        assertThat(ShardPlan.toMove(world.rows(), world.nodes())).isEqualTo((int) (SHARDS - resting));
    }
}
