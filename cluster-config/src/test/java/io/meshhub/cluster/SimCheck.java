package io.meshhub.cluster;

import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold in a simulated cluster, looked at after each step and at the end. */
final class SimCheck {

    /**
     * How a request ended.
     *
     * @param corrected whether its route was corrected on the way
     * @param failure what its caller was told, if no answer
     */
    record Ended(
            long atMillis,
            SimNode origin,
            int shard,
            boolean corrected,
            @Nullable MeshException failure) {}

    final List<Ended> ended = new ArrayList<>();
    private final SimWorld world;
    private final Map<Long, Integer> acknowledged = new HashMap<>();
    private final Map<Long, Integer> neverExecuted = new HashMap<>();
    private final boolean strict;
    private final Map<String, Long> expelled = new HashMap<>();
    private long operations;

    SimCheck(SimWorld world) {
        this.world = world;
        // One activation: always with a lease and its wait; with a quorum of 1 where no side was ever cut off.
        this.strict = world.plan.quorum().isLeased() || !world.plan.mayCut();
    }

    /** A node is given up by the planner. */
    void expelled(String incarnation) {
        expelled.putIfAbsent(incarnation, world.millis());
    }

    boolean wasExpelled(String incarnation) {
        return expelled.containsKey(incarnation);
    }

    /*
     * With a quorum of 1 an expelled node may serve until it hears of that, at the latest when it has read the rows of
     * the nodes again; with a lease never.
     */
    private boolean mayNotHaveHeard(SimNode node) {
        Long since = expelled.get(node.incarnation);
        SimNet net = world.plan.net();
        long bound = 2 * net.rereadMillis() + net.listLagMillis() + net.slowMillis();
        return !world.plan.quorum().isLeased() && since != null && world.millis() - since <= bound;
    }

    /** The number of the next operation. */
    long number() {
        return ++operations;
    }

    void fenced(ShardFence before, ShardFence fence) {
        if (before != null && before.epoch() > fence.epoch()) {
            throw violation("the fence of shard " + fence.shard() + " fell from " + before + " to " + fence);
        }
    }

    /** Promise 2, after each step of a node: only in one of its own does a node begin to serve. */
    void ran(SimNode ran) {
        if (!strict) {
            return;
        }
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            if (ran.serves(shard)) {
                for (SimNode node : world.processes.values()) {
                    boolean two = node != ran && node.serves(shard);
                    if (two && !mayNotHaveHeard(node) && !mayNotHaveHeard(ran)) {
                        throw violation("shard " + shard + " is served by " + node.describe(shard) + " and by "
                                + ran.describe(shard));
                    }
                }
            }
        }
    }

    void acknowledged(int shard, long operation) {
        if (!world.store.document(shard).contains(operation)) {
            throw violation("operation " + operation + " on shard " + shard + " was acknowledged and is not stored");
        }
        acknowledged.put(operation, shard);
    }

    void neverExecuted(int shard, long operation) {
        neverExecuted.put(operation, shard);
    }

    /** The caller has an outcome: it must be the only one, in time, after attempts at a pace. */
    void ended(SimClient.Call call, @Nullable MeshException failure, long localNow) {
        ended.add(new Ended(world.millis(), call.origin, call.shard, call.wasCorrected, failure));
        if (call.outcomes != 1) {
            throw violation("operation " + call.operation + " has " + call.outcomes + " outcomes");
        }
        long late = (localNow - call.deadline) / SimWorld.MILLI;
        if (late > 50 && !call.origin.wasFrozenSince(call.startedAt)) {
            throw violation("operation " + call.operation + " ended " + late + " ms after its deadline");
        }
        long paces = (localNow - call.started) / (500 * SimWorld.MILLI);
        if (call.ride.attempts() > paces + 3) {
            throw violation("operation " + call.operation + " was tried " + call.ride.attempts() + " times in "
                    + (localNow - call.started) / SimWorld.MILLI + " ms");
        }
    }

    /** Promise 1, and that all is well once nothing goes wrong any more. */
    void end() {
        List<String> faults = new ArrayList<>();
        acknowledged.forEach((operation, shard) -> {
            if (!world.store.document(shard).contains(operation)) {
                faults.add("operation " + operation + " on shard " + shard + " was acknowledged and is lost");
            }
        });
        neverExecuted.forEach((operation, shard) -> {
            if (world.store.document(shard).contains(operation)) {
                faults.add("operation " + operation + " on shard " + shard
                        + " was executed, and its caller told that it never was");
            }
        });
        for (SimNode node : world.alive()) {
            node.client.unended().forEach(call -> faults.add("operation " + call + " never ended"));
        }
        for (int shard = 0; shard < SimPlan.SHARDS; shard++) {
            int served = 0;
            for (SimNode node : world.alive()) {
                served += node.serves(shard) ? 1 : 0;
            }
            if (served != 1) {
                StringBuilder views = new StringBuilder();
                for (SimNode node : world.alive()) {
                    views.append("; ").append(node.describe(shard));
                }
                views.append("; ").append(world.hazelcast.describe());
                faults.add("shard " + shard + " is served by " + served + " nodes at the end" + views);
            }
        }
        if (!faults.isEmpty()) {
            throw violation(String.join("; ", faults));
        }
    }

    private SimWorld.Violation violation(String what) {
        return new SimWorld.Violation("at " + world.millis() + " ms: " + what + "\n" + world.plan);
    }

    static String text(ShardRow row) {
        return row.owner() + "@" + row.epoch() + " " + row.state() + " by " + row.via();
    }
}
