package io.meshhub.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * A whole cluster on one thread and without real time: the very control of each node, over a network, a map, a store and
 * clocks that are made up and can fail. The same plan gives the same run.
 */
final class SimWorld {

    static final long MILLI = 1_000_000;

    private static final int DUPLICATE_ONE_IN = 3;

    private record Task(long at, long order, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** The run broke a promise. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1;

        Violation(String message) {
            super(message);
        }
    }

    final SimPlan plan;
    final Random random;

    // Of its own, so that a plan whose beats come once is the run that it was.
    private final Random repeats;

    final SimHazelcast hazelcast;
    final SimStore store;
    final SimCheck check;
    final Map<Integer, SimNode> processes = new TreeMap<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final List<SimFault> busCuts = new ArrayList<>();
    private long now;
    private long order;
    private int steps;
    private int duplicates;
    private long digest = 17;

    SimWorld(SimPlan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        this.repeats = new Random(~plan.seed());
        this.hazelcast = new SimHazelcast(this);
        this.store = new SimStore(this);
        this.check = new SimCheck(this);
    }

    /** Runs to the end; what it returns is the same for the same plan. */
    long run() {
        for (int i = 0; i < plan.nodes(); i++) {
            int node = i;
            after(random.nextInt(300), () -> start(node));
        }
        for (SimFault fault : plan.faults()) {
            at(fault.atMillis() * MILLI, () -> inject(fault));
        }
        long end = plan.endMillis() * MILLI;
        while (!tasks.isEmpty() && tasks.peek().at() <= end) {
            Task task = tasks.remove();
            now = task.at();
            steps++;
            digest = digest * 1_000_003 + now;
            task.action().run();
        }
        check.end();
        return digest * 31 + steps;
    }

    /** How many beats came twice. */
    int duplicates() {
        return duplicates;
    }

    long now() {
        return now;
    }

    long millis() {
        return now / MILLI;
    }

    void at(long time, Runnable action) {
        tasks.add(new Task(Math.max(now, time), order++, action));
    }

    void after(long millis, Runnable action) {
        at(now + millis * MILLI, action);
    }

    void start(int number) {
        SimNode node = new SimNode(this, number);
        processes.put(number, node);
        node.start();
    }

    /** The process of the node, if one runs. */
    boolean isCurrent(SimNode node) {
        return processes.get(node.number) == node && !node.dead;
    }

    List<SimNode> alive() {
        List<SimNode> alive = new ArrayList<>();
        processes.values().forEach(node -> {
            if (!node.dead) {
                alive.add(node);
            }
        });
        return alive;
    }

    private void inject(SimFault fault) {
        switch (fault.kind()) {
            case LOSE_ROW -> loseRow(fault.node(), fault.endMillis());
            case KILL -> kill(processes.get(fault.node()), fault);
            case LEAVE -> leave(processes.get(fault.node()), fault);
            case FREEZE -> processes.get(fault.node()).freeze(fault.forMillis(), false);
            case SLEEP -> processes.get(fault.node()).freeze(fault.forMillis(), true);
            case CUT -> {
                hazelcast.cut(fault.node(), fault.forMillis());
                cutBus(fault);
            }
            case CUT_BUS -> cutBus(fault);
            case HOLD_ON -> processes.get(fault.node()).holdOn(fault.forMillis());
        }
    }

    private void loseRow(int shard, long untilMillis) {
        hazelcast.loseRow(shard);
        if (millis() + 100 < untilMillis) {
            after(100, () -> loseRow(shard, untilMillis));
        }
    }

    private void kill(SimNode node, SimFault fault) {
        if (!node.dead) {
            node.die();
            hazelcast.gone(node, 300 + random.nextInt(200));
            after(fault.forMillis(), () -> start(fault.node()));
        }
    }

    private void leave(SimNode node, SimFault fault) {
        if (!node.dead && node.isUp()) {
            node.leave(() -> {
                if (!node.dead) {
                    node.die();
                    hazelcast.gone(node, random.nextInt(100));
                    after(fault.forMillis(), () -> start(fault.node()));
                }
            });
        }
    }

    private void cutBus(SimFault fault) {
        busCuts.add(fault);
        after(fault.forMillis(), () -> busCuts.remove(fault));
    }

    boolean isBusCut(int a, int b) {
        for (SimFault fault : busCuts) {
            if (isApart(fault.node(), a, b)) {
                return true;
            }
        }
        return false;
    }

    /** Whether just one of the two is among the nodes that the bits name. */
    static boolean isApart(int side, int a, int b) {
        return ((side >> a ^ side >> b) & 1) != 0;
    }

    /** Brings a message over the bus, some time, unless it is lost on the way. */
    void send(SimNode from, SimNode to, Runnable arrival) {
        send(from, to, arrival, false);
    }

    /** The same, and now and then once more, late: a beat may come twice; the bus sends no request again. */
    void sendBeat(SimNode from, SimNode to, Runnable arrival) {
        send(from, to, arrival, true);
    }

    private void send(SimNode from, SimNode to, Runnable arrival, boolean mayComeTwice) {
        if (from == to) {
            to.execute(arrival);
            return;
        }
        if (isBusCut(from.number, to.number)) {
            return;
        }
        // A connection hands on late what was written before it stalled.
        boolean calm = millis() > plan.endMillis() - SimPlan.CALM_MILLIS;
        boolean slow = !calm && random.nextInt(plan.net().slowOneIn()) == 0;
        // And what has reached the other machine is handed on whatever becomes of the link.
        boolean across = random.nextBoolean();
        if (mayComeTwice && slow && repeats.nextInt(DUPLICATE_ONE_IN) == 0) {
            after(repeats.nextInt(2 * plan.net().slowMillis()), () -> {
                duplicates++;
                to.execute(arrival);
            });
        }
        after(slow ? random.nextInt(plan.net().slowMillis()) : 1 + random.nextInt(8), () -> {
            if (across || !isBusCut(from.number, to.number)) {
                to.execute(arrival);
            }
        });
    }
}
