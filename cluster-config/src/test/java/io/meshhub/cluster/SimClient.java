package io.meshhub.cluster;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.router.RideDriver;
import io.meshhub.routing.router.RideDriver.Next;
import io.meshhub.routing.spi.ShardRow;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks for operations on one simulated node, each with a deadline, and rides out what can be ridden out. */
final class SimClient {

    private static final Duration PACE = Duration.ofMillis(500);
    private static final int MAX_CORRECTIONS = 5;

    private final SimNode node;
    private final Set<Call> open = new LinkedHashSet<>();
    private boolean cancelled;

    SimClient(SimNode node) {
        this.node = node;
    }

    void begin() {
        next();
    }

    void cancel() {
        cancelled = true;
        open.clear();
    }

    List<Call> unended() {
        return List.copyOf(open);
    }

    private void next() {
        if (cancelled || node.world.millis() > node.world.plan.endMillis() - 20_000) {
            return;
        }
        new Call(node.world.random.nextInt(SimPlan.SHARDS), 1_000 + node.world.random.nextInt(9_000)).begin();
        node.after(Duration.ofMillis(300 + node.world.random.nextInt(1_200)), this::next);
    }

    /** A node was dropped: what waits for it ends. */
    void lost(String incarnation) {
        for (Call call : List.copyOf(open)) {
            if (incarnation.equals(call.asked)) {
                call.failed(call.attempt, Unavailable.sent(call.address, node.name(), "its node was lost"));
            }
        }
    }

    /** One request. */
    final class Call {
        final SimNode origin = node;
        final int shard;
        final long operation;
        final long started = node.nanoTime();
        final long startedAt = node.world.now();
        final long deadline;
        final MeshAddress address;
        final RideDriver ride;
        int outcomes;
        boolean wasCorrected;
        private int attempt;
        private int corrections;
        private String asked;

        Call(int shard, long millis) {
            this.shard = shard;
            this.operation = node.world.check.number();
            this.deadline = started + millis * SimWorld.MILLI;
            this.address = MeshAddress.of("sim/" + shard);
            this.ride = new RideDriver(address, node.name(), started, deadline, PACE);
        }

        void begin() {
            open.add(this);
            node.after(Duration.ofNanos(deadline - started), this::deadline);
            ask();
        }

        private void ask() {
            attempt++;
            corrections = 0;
            route(attempt);
        }

        private void route(int mine) {
            ShardRow row = node.table.row(shard);
            String owner = row.owner();
            if (owner == null
                    || (!owner.equals(node.incarnation)
                            && node.membership.node(owner).isEmpty())) {
                node.table
                        .claim(shard)
                        .onComplete(claimed -> node.execute(() -> {
                            if (claimed.failed()) {
                                refused(mine, "its shard has no owner");
                            } else {
                                send(mine, node.table.row(shard));
                            }
                        }));
            } else {
                send(mine, row);
            }
        }

        private void send(int mine, ShardRow row) {
            if (mine != attempt || !ride.isAsking()) {
                return;
            }
            SimNode to = null;
            for (SimNode process : node.world.processes.values()) {
                if (process.incarnation.equals(row.owner())) {
                    to = process;
                }
            }
            if (to == null || (to.dead && node.membership.node(to.incarnation).isEmpty())) {
                refused(mine, "its owner is gone");
                return;
            }
            SimNode owner = to;
            asked = owner.incarnation;
            node.world.send(
                    node,
                    owner,
                    () -> owner.hubs.receive(
                            shard,
                            row.epoch(),
                            operation,
                            outcome -> node.world.send(owner, node, () -> {
                                answered(mine, outcome);
                            })));
        }

        private void answered(int mine, SimHubs.Outcome outcome) {
            if (mine != attempt || ride.isEnded()) {
                return;
            }
            switch (outcome) {
                case DONE -> {
                    ride.replied();
                    end(null);
                    node.world.check.acknowledged(shard, operation);
                }
                case REFUSED -> refused(mine, "its owner refuses");
                case UNKNOWN -> failed(mine, Unavailable.sent(address, node.name(), "its owner lost its right"));
                case CORRECTED -> corrected(mine);
            }
        }

        private void corrected(int mine) {
            corrections++;
            wasCorrected = true;
            if (corrections > MAX_CORRECTIONS) {
                refused(mine, "its route is not settled");
                return;
            }
            node.table
                    .refresh(shard)
                    .onComplete(read -> node.after(Duration.ofMillis(corrections > 1 ? 50 : 0), () -> {
                        if (mine == attempt && ride.isAsking()) {
                            route(mine);
                        }
                    }));
        }

        private void refused(int mine, String reason) {
            failed(mine, Unavailable.notSent(address, node.name(), reason));
        }

        private void failed(int mine, MeshException failure) {
            if (mine == attempt && ride.isAsking()) {
                asked = null;
                perform(ride.failed(failure, node.nanoTime()));
            }
        }

        private void perform(Next next) {
            if (next instanceof Next.Ask) {
                ask();
            } else if (next instanceof Next.Rest rest) {
                boolean restless = node.world.plan.plant() == SimPlan.Plant.REFUSALS_WITHOUT_REST;
                long wait = restless ? SimWorld.MILLI : rest.untilNanos() - node.nanoTime();
                node.after(Duration.ofNanos(wait), () -> {
                    if (!ride.isEnded() && !ride.isAsking()) {
                        perform(ride.rested(node.nanoTime()));
                    }
                });
            } else if (next instanceof Next.Fail fail) {
                end(fail.failure());
                if (fail.failure().remedy() == Remedy.RIDE_OUT) {
                    node.world.check.neverExecuted(shard, operation);
                }
            }
        }

        private void deadline() {
            if (ride.isEnded()) {
                return;
            }
            boolean outstanding = ride.isAsking();
            perform(ride.deadline(node.nanoTime(), null));
            boolean planted = node.world.plan.plant() == SimPlan.Plant.OUTSTANDING_CALLER_TOLD_NEVER_EXECUTED;
            if (outstanding && planted && attempt > 1) {
                node.world.check.neverExecuted(shard, operation);
            }
        }

        private void end(@Nullable MeshException failure) {
            open.remove(this);
            outcomes++;
            node.world.check.ended(this, failure, node.nanoTime());
        }

        @Override
        public String toString() {
            return operation + " on shard " + shard + " from " + node.incarnation;
        }
    }
}
