package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * The gate in front of the activations of one hub loop: lets in what this node owns, serves and holds a lease for, and
 * answers everything else. Touched only on its loop.
 *
 * <p>The order of the checks is part of the protocol: an epoch above the own one makes the row be read first; then a node
 * that leaves, moves the shard or lacks a lease refuses; then a route that is not current is corrected.
 */
final class Receiver {

    private final ContextInternal context;
    private final NodeView view;
    private final ShardTable shards;
    private final Lease lease;
    private final MeshClock clock;

    // Messages of a shard whose row is being read or taken; later ones queue behind them, so that order holds.
    private final Map<Integer, Queue<OwnerDelivery>> held = new HashMap<>();

    /** What a receiver sees of its node. */
    interface NodeView {

        /** This node. */
        NodeInfo self();

        /** Who hosts the activations. */
        Activator activator();
    }

    Receiver(ContextInternal context, NodeView view, ShardTable shards, Lease lease, MeshClock clock) {
        this.context = context;
        this.view = view;
        this.shards = shards;
        this.lease = lease;
        this.clock = clock;
    }

    /** Takes a message from any thread, on the loop. */
    void submit(OwnerDelivery delivery) {
        context.runOnContext(turn -> receive(delivery));
    }

    /** Takes a message; on the loop. */
    void receive(OwnerDelivery delivery) {
        if (delivery.isEnded()) {
            return;
        }
        int shard = delivery.envelope().to().shard();
        Queue<OwnerDelivery> queue = held.get(shard);
        if (queue != null) {
            queue.add(delivery);
            return;
        }
        check(delivery, shard);
    }

    private void check(OwnerDelivery delivery, int shard) {
        Envelope envelope = delivery.envelope();
        if (envelope.hops() > Envelope.MAX_HOPS) {
            delivery.fail(RoutingLoop.after(
                    envelope.to(), envelope.hops(), view.self().name()));
            return;
        }
        ShardRow row = shards.row(shard);
        if (envelope.epoch() > row.epoch()) {
            hold(delivery, shard, shards.refresh(shard), () -> releaseHeld(shard));
            return;
        }
        NodeInfo self = view.self();
        boolean mine = row.isOwnedBy(self.incarnation());
        if (self.state() == NodeInfo.State.LEAVING || self.state() == NodeInfo.State.EXPELLED) {
            refuse(delivery, "node is leaving");
        } else if (mine && row.state() == ShardRow.State.HANDOFF) {
            refuse(delivery, "shard " + shard + " is moving");
        } else if (!lease.heldAt(clock.nanoTime())) {
            refuse(delivery, "the node holds no lease");
        } else if (!mine || envelope.epoch() < row.epoch()) {
            delivery.end(new Outcome.Corrected(row.epoch()));
        } else if (!shards.serves(shard, row.epoch())) {
            hold(delivery, shard, shards.whenServed(shard), () -> taken(shard));
        } else {
            deliver(delivery);
        }
    }

    // A host that throws may have begun something: its caller must hear of it, and the next message is handled.
    private void deliver(OwnerDelivery delivery) {
        try {
            view.activator().deliver(delivery);
        } catch (RuntimeException e) {
            Envelope envelope = delivery.envelope();
            FailureDetail detail =
                    FailureDetail.about(envelope.to()).on(view.self().name());
            delivery.fail(HandlerFailed.of(envelope.to(), envelope.type(), detail, e));
        }
    }

    // Waiting again for a takeover that is over would go round for ever.
    private void taken(int shard) {
        ShardRow row = shards.row(shard);
        if (row.isOwnedBy(view.self().incarnation())
                && row.state() == ShardRow.State.OWNED
                && !shards.serves(shard, row.epoch())) {
            failHeld(shard, new IllegalStateException("the shard could not be taken"));
        } else {
            releaseHeld(shard);
        }
    }

    private void refuse(OwnerDelivery delivery, String reason) {
        delivery.fail(Unavailable.notSent(delivery.envelope().to(), view.self().name(), reason));
    }

    private void hold(OwnerDelivery delivery, int shard, Future<ShardRow> row, Runnable then) {
        Queue<OwnerDelivery> queue = new ArrayDeque<>();
        queue.add(delivery);
        held.put(shard, queue);
        long wanted = delivery.envelope().epoch();
        row.onComplete(read -> context.runOnContext(turn -> {
            if (read.failed()) {
                failHeld(shard, read.cause());
            } else if (read.result().epoch() < wanted) {
                // The cluster knows no such epoch: the sender's row is from another life of it, and reading on would
                // loop.
                delivery.end(new Outcome.Corrected(shards.row(shard).epoch()));
                releaseHeld(shard);
            } else {
                then.run();
            }
        }));
    }

    private void releaseHeld(int shard) {
        Queue<OwnerDelivery> queue = held.remove(shard);
        while (queue != null && !queue.isEmpty()) {
            receive(queue.remove());
        }
    }

    private void failHeld(int shard, Throwable cause) {
        Queue<OwnerDelivery> queue = held.remove(shard);
        String node = view.self().name();
        while (queue != null && !queue.isEmpty()) {
            OwnerDelivery delivery = queue.remove();
            MeshAddress address = delivery.envelope().to();
            delivery.fail(
                    cause instanceof Unavailable failure
                            ? failure
                            : Unavailable.notSent(address, node, "shard row: " + cause.getMessage()));
        }
    }
}
