package io.meshhub.cluster;

import io.meshhub.cluster.SimFault.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Draws what goes wrong in a run: anything at any time, or a family of schedules that come close to where a rule of the
 * protocol is needed.
 */
// All products are milliseconds below an hour, and a random number minus another one is meant.
@SuppressWarnings({"IntLongMath", "IdentityBinaryExpression"})
final class SimSchedules {

    private static final int BEGIN = 9_000;

    private final Random random;
    private final int nodes;
    private final List<SimFault> faults = new ArrayList<>();
    private SimNet net;

    private SimSchedules(Random random, int nodes) {
        this.random = random;
        this.nodes = nodes;
        this.net = SimNet.of(random);
    }

    /** A network, and what goes wrong. */
    record Drawn(SimNet net, List<SimFault> faults) {}

    static Drawn draw(Random random, int nodes) {
        SimSchedules drawing = new SimSchedules(random, nodes);
        int family = random.nextInt(12);
        switch (family) {
            case 0 -> drawing.voterChangesSides();
            case 1 -> drawing.rowsAreLostWhileANodeStarts();
            case 2 -> drawing.slowAnswersBeforeSilence();
            case 3 -> drawing.halves();
            case 4 -> drawing.overlappingCuts();
            default -> {}
        }
        drawing.anything(family < 5 ? random.nextInt(3) : 1 + random.nextInt(6));
        drawing.faults.sort(Comparator.comparingLong(SimFault::atMillis));
        return new Drawn(drawing.net, List.copyOf(drawing.faults));
    }

    private void add(long at, Kind kind, int node, long millis) {
        faults.add(new SimFault(at, kind, node, millis));
    }

    private void anything(int count) {
        Kind[] kinds = Kind.values();
        for (int i = 0; i < count; i++) {
            Kind kind = kinds[random.nextInt(kinds.length)];
            long at = BEGIN + random.nextInt((int) SimPlan.FAULTS_END_MILLIS - BEGIN);
            long millis = 200 + random.nextInt(random.nextBoolean() ? 3_000 : 14_000);
            switch (kind) {
                case CUT, CUT_BUS -> add(at, kind, 1 + random.nextInt((1 << nodes) - 2), millis);
                case LOSE_ROW -> add(at, kind, random.nextInt(SimPlan.SHARDS), random.nextInt(3) * 700L);
                default -> add(at, kind, random.nextInt(nodes), millis);
            }
        }
    }

    /** A voter that has given a node up ends, and begins anew on that node's side. */
    private void voterChangesSides() {
        net = net.quickToNotice(random);
        int lost = random.nextInt(3);
        int voter = (lost + 1 + random.nextInt(2)) % 3;
        long cut = BEGIN + 1_000 + random.nextInt(4_000);
        long kill = cut + net.heartbeatMillis() + 4_500 + random.nextInt(3_000);
        add(cut, Kind.CUT, 1 << lost, kill - cut + 20);
        add(kill, Kind.KILL, voter, 100 + random.nextInt(400));
        add(kill, Kind.CUT, 1 << lost | 1 << voter, 5_000 + random.nextInt(5_000));
    }

    /** A node begins and remembers nothing, and just then the cluster remembers nothing either. */
    private void rowsAreLostWhileANodeStarts() {
        net = net.forgetful();
        int node = random.nextInt(nodes);
        long end = BEGIN + 1_000 + random.nextInt(6_000);
        add(end, random.nextBoolean() ? Kind.KILL : Kind.LEAVE, node, 100 + random.nextInt(200));
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            add(end + 100 + random.nextInt(900), Kind.LOSE_ROW, shard, 1_500 + random.nextInt(3_000));
        }
        if (random.nextBoolean()) {
            add(end + random.nextInt(1_500), Kind.FREEZE, (node + 1) % nodes, 500 + random.nextInt(2_000));
        }
    }

    /** Answers are long under way while the node that waits for them falls silent. */
    private void slowAnswersBeforeSilence() {
        net = net.slow(random);
        long at = BEGIN + random.nextInt(3_000);
        for (int i = 0; i < 3; i++) {
            int node = random.nextInt(nodes);
            boolean frozen = random.nextInt(3) == 0;
            add(at, frozen ? Kind.FREEZE : Kind.CUT, frozen ? node : 1 << node, 6_000 + random.nextInt(4_000));
            at += 13_000;
        }
    }

    /** The nodes fall into halves, once or twice. */
    private void halves() {
        long at = BEGIN + random.nextInt(5_000);
        for (int i = 0; i < 2; i++) {
            int side = 1 << random.nextInt(nodes) | 1 << random.nextInt(nodes);
            add(at, Kind.CUT, side, 7_000 + random.nextInt(9_000));
            at += 5_000 + random.nextInt(15_000);
        }
    }

    /** A node is cut off on the bus while another one is cut off altogether. */
    private void overlappingCuts() {
        int one = random.nextInt(nodes);
        int other = (one + 1 + random.nextInt(nodes - 1)) % nodes;
        long at = BEGIN + random.nextInt(8_000);
        add(at, Kind.CUT_BUS, 1 << one, 3_000 + random.nextInt(9_000));
        add(at + random.nextInt(6_000), Kind.CUT, 1 << other, 3_000 + random.nextInt(9_000));
        add(at + random.nextInt(8_000), Kind.LOSE_ROW, random.nextInt(SimPlan.SHARDS), random.nextInt(1_500));
    }
}
