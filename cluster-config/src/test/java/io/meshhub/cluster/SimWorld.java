package io.meshhub.cluster;

import java.util.ArrayList;
import java.util.HashMap;
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
    final SimHazelcast hazelcast;
    final SimStore store;
    final SimCheck check;
    final Map<Integer, SimNode> processes = new TreeMap<>();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Map<Integer, Integer> busCuts = new HashMap<>();
    private long now;
    private long order;
    private int steps;
    private long digest = 17;

    SimWorld(SimPlan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
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
        while (!tasks.isEmpty() && tasks.peek().at() <= SimPlan.END_MILLIS * MILLI) {
            Task task = tasks.remove();
            now = task.at();
            steps++;
            digest = digest * 1_000_003 + now;
            task.action().run();
            check.step();
        }
        check.end();
        return digest * 31 + steps;
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

    /** Whether faults are over, so that all must be well soon. */
    boolean isCalm() {
        return millis() > SimPlan.FAULTS_END_MILLIS + 17_000;
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
        SimNode node = processes.get(fault.node());
        switch (fault.kind()) {
            case LOSE_ROW -> hazelcast.loseRow(fault.node());
            case KILL -> kill(node, fault);
            case LEAVE -> leave(node, fault);
            case FREEZE -> node.freeze(fault.forMillis(), false);
            case SLEEP -> node.freeze(fault.forMillis(), true);
            case CUT -> {
                hazelcast.cut(fault.node(), fault.forMillis());
                cutBus(fault);
            }
            case CUT_BUS -> cutBus(fault);
            case HOLD_ON -> node.holdOn(fault.forMillis());
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
        busCuts.merge(fault.node(), 1, Integer::sum);
        after(fault.forMillis(), () -> busCuts.merge(fault.node(), -1, Integer::sum));
    }

    boolean isBusCut(int a, int b) {
        return a != b && (busCuts.getOrDefault(a, 0) > 0 || busCuts.getOrDefault(b, 0) > 0);
    }

    /** Brings a message over the bus, some time, unless it is lost on the way. */
    void send(SimNode from, SimNode to, Runnable arrival) {
        if (from == to) {
            to.execute(arrival);
            return;
        }
        boolean lost = isBusCut(from.number, to.number);
        // A connection hands on late what was written before it stalled.
        long delay = random.nextInt(50) == 0 ? random.nextInt(2_500) : 1 + random.nextInt(8);
        if (!lost) {
            after(delay, () -> {
                if (!isBusCut(from.number, to.number)) {
                    to.execute(arrival);
                }
            });
        }
    }
}
