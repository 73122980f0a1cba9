package io.meshhub.cluster;

import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** The activations of one simulated process, one per shard: each keeps the document in memory and writes it as a whole. */
final class SimHubs implements Activator {

    /** What became of an operation at its owner. */
    enum Outcome {
        DONE,
        REFUSED,
        UNKNOWN,
        CORRECTED
    }

    /** Tells the caller. */
    interface Answer {
        void is(Outcome outcome);
    }

    private record Operation(long number, Answer answer) {}

    private final class Life {
        final int shard;
        final long epoch;
        final Queue<Operation> queue = new ArrayDeque<>();
        List<Long> document;
        boolean busy;
        boolean ended;

        Life(int shard, long epoch) {
            this.shard = shard;
            this.epoch = epoch;
            busy = true;
            node.world.store.read(node, shard).onSuccess(read -> {
                document = read;
                busy = false;
                next();
            });
        }

        void next() {
            if (busy) {
                return;
            }
            if (ended) {
                queue.forEach(operation -> operation.answer().is(Outcome.REFUSED));
                queue.clear();
                checkReleases();
                return;
            }
            Operation operation = queue.poll();
            if (operation != null) {
                busy = true;
                document.add(operation.number());
                node.world
                        .store
                        .write(node, new ShardFence(NodeInfo.DEFAULT_ROLE, shard, epoch, node.incarnation), document)
                        .onSuccess(written -> done(operation, written));
            }
        }

        private void done(Operation operation, boolean written) {
            busy = false;
            if (!written) {
                ended = true;
                lives.remove(shard, this);
                operation.answer().is(Outcome.UNKNOWN);
            } else {
                boolean held = node.table.lease().heldAt(node.nanoTime());
                operation.answer().is(held ? Outcome.DONE : Outcome.UNKNOWN);
            }
            next();
        }
    }

    /** The shards whose activations were ended because the table said so, in this order. */
    final List<Integer> released = new ArrayList<>();

    private final SimNode node;
    private final Map<Integer, Life> lives = new HashMap<>();
    private final Map<Promise<Void>, List<Life>> releases = new LinkedHashMap<>();

    SimHubs(SimNode node) {
        this.node = node;
    }

    /** Takes an operation that has arrived under an epoch: the checks are those of the receiver. */
    void receive(int shard, long epoch, long number, Answer answer) {
        HazelcastShardTable table = node.table;
        if (table == null) {
            answer.is(Outcome.REFUSED);
            return;
        }
        ShardRow row = table.row(shard);
        if (epoch > row.epoch()) {
            table.refresh(shard).onComplete(read -> {
                if (read.failed() || table.row(shard).epoch() < epoch) {
                    answer.is(read.failed() ? Outcome.REFUSED : Outcome.CORRECTED);
                } else {
                    receive(shard, epoch, number, answer);
                }
            });
            return;
        }
        boolean mine = row.isOwnedBy(node.incarnation);
        NodeInfo.State state = node.membership.self().state();
        boolean stillServed = mine && table.serves(shard, row.epoch());
        if ((state == NodeInfo.State.LEAVING && !stillServed)
                || state == NodeInfo.State.EXPELLED
                || (mine && row.state() == ShardRow.State.HANDOFF)
                || !table.lease().heldAt(node.nanoTime())) {
            answer.is(Outcome.REFUSED);
        } else if (!mine || epoch < row.epoch()) {
            answer.is(Outcome.CORRECTED);
        } else if (!table.serves(shard, row.epoch())) {
            table.whenServed(shard).onComplete(done -> {
                if (done.failed() || !table.serves(shard, table.row(shard).epoch())) {
                    answer.is(Outcome.REFUSED);
                } else {
                    receive(shard, epoch, number, answer);
                }
            });
        } else {
            Life life = lives.get(shard);
            if (life == null || life.epoch != row.epoch() || life.ended) {
                life = new Life(shard, row.epoch());
                lives.put(shard, life);
            }
            life.queue.add(new Operation(number, answer));
            life.next();
        }
    }

    @Override
    public void deliver(Delivery delivery) {
        throw new IllegalStateException("operations come by receive");
    }

    @Override
    public Future<Void> release(Set<Integer> shards, String reason) {
        Promise<Void> promise = Promise.promise();
        List<Life> ending = new ArrayList<>();
        released.addAll(shards);
        for (int shard : shards) {
            Life life = lives.remove(shard);
            if (life != null) {
                life.ended = true;
                ending.add(life);
            }
        }
        releases.put(promise, ending);
        ending.forEach(Life::next);
        checkReleases();
        return promise.future();
    }

    private void checkReleases() {
        if (node.isHolding()) {
            return;
        }
        for (Map.Entry<Promise<Void>, List<Life>> release : List.copyOf(releases.entrySet())) {
            if (release.getValue().stream().noneMatch(life -> life.busy)) {
                releases.remove(release.getKey());
                release.getKey().tryComplete();
            }
        }
    }

    void letGo() {
        node.execute(this::checkReleases);
    }
}
