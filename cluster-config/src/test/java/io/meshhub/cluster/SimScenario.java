package io.meshhub.cluster;

import io.meshhub.cluster.SimFault.Kind;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A simulated cluster of three nodes to which something definite happens, and that is looked at meanwhile. The network is
 * good, so that nothing else goes wrong.
 */
final class SimScenario {

    static final Quorum LEASED = new Quorum(2, 3, List.of("n0", "n1", "n2"), Quorum.AfterLoss.SAFE, SimPlan.LEASE);
    static final long LEASE = SimPlan.LEASE.toMillis();
    static final long CERTAIN_END = LEASED.certainEnd().toMillis();
    static final long ROUND = Quorum.ROUND.toMillis();

    /** What passes at most between the end of a process and the last survivor's knowledge of it. */
    static final long NOTICED = 500 + 300;

    /** When all nodes are up and every shard is where it belongs. */
    static final long SETTLED = 16_000;

    private final SimPlan plan;
    final SimWorld world;

    /** The lag of a heartbeat, how many events of rows are lost, and the pace of the re-read; all else is good. */
    static SimNet net(long heartbeatMillis, int eventLostOneIn, long rereadMillis) {
        return new SimNet(heartbeatMillis, 300, 1_000_000, 1, eventLostOneIn, rereadMillis);
    }

    SimScenario(long seed, Quorum quorum, SimNet net, SimFault... faults) {
        plan = new SimPlan(seed, 3, quorum, SimPlan.Plant.NONE, net, List.of(faults));
        world = new SimWorld(plan);
    }

    static SimFault fault(long at, Kind kind, int node, long millis) {
        return new SimFault(at, kind, node, millis);
    }

    /** Looks at that moment. */
    SimScenario at(long millis, Runnable look) {
        world.at(millis * SimWorld.MILLI, look);
        return this;
    }

    /** Looks again and again. */
    SimScenario every(long step, long from, long to, Runnable look) {
        for (long millis = from; millis <= to; millis += step) {
            at(millis, look);
        }
        return this;
    }

    /** Runs to the end, where all must be well again. */
    void run() {
        try {
            world.run();
        } catch (AssertionError e) {
            throw new AssertionError("at " + world.millis() + " ms of " + plan + "\n" + e.getMessage(), e);
        }
    }

    long endMillis() {
        return plan.endMillis();
    }

    SimNode node(int number) {
        return world.processes.get(number);
    }

    /** The rows as that node has them. */
    List<ShardRow> rows(int number) {
        return shards().mapToObj(node(number).table::row).toList();
    }

    static IntStream shards() {
        return IntStream.range(0, SimPlan.SHARDS);
    }

    /** Who serves the shard; two do so only where a promise is broken, and then the run has ended. */
    Optional<SimNode> server(int shard) {
        return world.alive().stream().filter(node -> node.serves(shard)).findFirst();
    }

    /** The rows that name that node, as it has them itself. */
    List<ShardRow> own(int number) {
        String incarnation = node(number).incarnation;
        return rows(number).stream().filter(row -> row.isOwnedBy(incarnation)).toList();
    }

    /** Whether that node is the one that plans, as it sees it itself. */
    boolean isPlanner(int number) {
        SimNode node = node(number);
        return node.membership.nodes().stream()
                .filter(NodeInfo::isCandidate)
                .findFirst()
                .map(NodeInfo::incarnation)
                .filter(node.incarnation::equals)
                .isPresent();
    }

    /** Notes whatever each process that runs now is told of rows. */
    List<List<ShardRow>> listen() {
        List<List<ShardRow>> told = new ArrayList<>();
        for (SimNode node : world.alive()) {
            List<ShardRow> rows = new ArrayList<>();
            node.table.onRow(rows::add);
            told.add(rows);
        }
        return told;
    }
}
