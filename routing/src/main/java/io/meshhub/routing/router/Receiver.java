package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.queues.TurnQueue;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Lease;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The gate in front of the activations of one hub loop: lets in what this node owns, serves and holds a lease for, and
 * answers everything else. Touched only on its loop.
 *
 * <p>The order of the checks is part of the protocol: an epoch above the own one makes the row be read first; then a node
 * that has begun to give the shard away, or lacks a lease, refuses; then a route that is not current is corrected.
 */
final class Receiver {

    private final ContextInternal context;
    private final NodeView view;
    private final ShardTable shards;
    private final Lease lease;
    // One for all messages: this is on the path of each.
    private final OwnerDelivery.Right right = this::lapsed;
    private final MeshClock clock;

    private final int loop;
    private final MeshMetrics metrics;
    private final HeldMessages held;
    private final Places queued;
    private final DrainRate rate = new DrainRate();
    // Messages that came to their turn on the loop; written there only.
    private final AtomicLong turned = new AtomicLong();
    private final TurnQueue<OwnerDelivery> turns;
    private int taken;
    private long takenBytes;

    /** What a receiver sees of its node. */
    interface NodeView {

        /** This node. */
        NodeInfo self();

        /** Who hosts the activations. */
        Activator activator();
    }

    /**
     * The gate of one loop.
     *
     * @param loop its number
     * @param held bounds the messages that wait for something about their shard, on all loops and for claims
     */
    Receiver(int loop, NodeView view, Parts parts, Places held) {
        this.loop = loop;
        this.context = parts.loops().get(loop).context();
        this.view = view;
        this.shards = parts.shards();
        this.lease = parts.lease();
        this.clock = parts.clock();
        this.metrics = parts.metrics();
        this.held = new HeldMessages(held);
        InFlightBounds bounds = parts.options().bounds();
        this.queued = new Places(bounds.perLoop(), bounds.bytesPerLoop());
        this.turns = new TurnQueue<>(context, this::take, this::turned);
    }

    /** Takes a message from any thread, on the loop; what would only wait there in vain is answered at once. */
    void submit(OwnerDelivery delivery) {
        if (isStalled() && answeredBeside(delivery)) {
            return;
        }
        int size = delivery.envelope().body().sizeHint();
        delivery.place(size);
        Places.Taken place = queued.take(size);
        if (!place.done()) {
            int depth = queued.count();
            overloaded(
                    delivery, place.bound("loopQueue"), place, rate.retryAfter(depth, turned.get(), clock.nanoTime()));
            return;
        }
        turns.offer(delivery);
    }

    // The places are given back once for a turn: each of them would cost an exchange between two processors.
    private void take(OwnerDelivery delivery) {
        taken++;
        takenBytes += delivery.place();
        receive(delivery);
    }

    private void turned() {
        queued.give(taken, takenBytes);
        turned.lazySet(turned.get() + taken);
        taken = 0;
        takenBytes = 0;
    }

    /** Whether the loop makes no progress now, since a handler blocks its thread. */
    boolean isStalled() {
        return view.activator().isStalled(loop);
    }

    /** Runs the action on the loop. */
    void onLoop(Runnable action) {
        context.runOnContext(turn -> action.run());
    }

    /** Messages of this node that wait for their turn on the loop. */
    int queued() {
        return queued.count();
    }

    /*
     * The loop is blocked. The hub that blocks it is refused as dead, and what is not (or no longer) for this node is
     * told so, since neither will have an answer from the loop. All else waits for the loop until its deadline.
     */
    private boolean answeredBeside(OwnerDelivery delivery) {
        Envelope envelope = delivery.envelope();
        NodeInfo self = view.self();
        ShardRow row = shards.row(envelope.to().shard());
        if (isGoing(self)) {
            refuse(delivery, "node is leaving");
            return true;
        }
        if (envelope.epoch() <= row.epoch() && !row.isOwnedBy(self.incarnation())) {
            delivery.end(new Outcome.Corrected(row.epoch()));
            return true;
        }
        Optional<MeshException> refusal = view.activator().refusal(envelope.to());
        refusal.ifPresent(delivery::fail);
        return refusal.isPresent();
    }

    private static boolean isGoing(NodeInfo self) {
        return self.state() == NodeInfo.State.LEAVING || self.state() == NodeInfo.State.EXPELLED;
    }

    // A node that leaves serves each of its shards until that one's turn to be given away.
    private boolean isStillServed(NodeInfo self, ShardRow row) {
        return self.state() == NodeInfo.State.LEAVING
                && row.isOwnedBy(self.incarnation())
                && shards.serves(row.shard(), row.epoch());
    }

    private void overloaded(OwnerDelivery delivery, String bound, Places.Taken place, Duration retryAfter) {
        metrics.count("mesh.overloaded", "bound", bound);
        MeshAddress address = delivery.envelope().to();
        delivery.fail(Overloaded.at(address, view.self().name(), bound, place.observed(), retryAfter));
    }

    /** Takes a message; on the loop. */
    void receive(OwnerDelivery delivery) {
        if (delivery.isEnded()) {
            return;
        }
        int shard = delivery.envelope().to().shard();
        if (held.isHolding(shard)) {
            hold(delivery, shard);
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
            if (hold(delivery, shard)) {
                read(shard);
            }
            return;
        }
        NodeInfo self = view.self();
        boolean mine = row.isOwnedBy(self.incarnation());
        if (isGoing(self) && !isStillServed(self, row)) {
            refuse(delivery, "node is leaving");
        } else if (mine && row.state() == ShardRow.State.HANDOFF) {
            refuse(delivery, "shard " + shard + " is moving");
        } else if (!lease.heldAt(clock.nanoTime())) {
            refuse(delivery, "the node holds no lease");
        } else if (!mine || envelope.epoch() < row.epoch()) {
            delivery.end(new Outcome.Corrected(row.epoch()));
        } else if (!shards.serves(shard, row.epoch())) {
            if (hold(delivery, shard)) {
                awaitTakeover(shard);
            }
        } else {
            deliver(delivery);
        }
    }

    // A host that throws may have begun something: its caller must hear of it, and the next message is handled.
    private void deliver(OwnerDelivery delivery) {
        delivery.under(right);
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

    private @Nullable MeshException lapsed(Envelope envelope) {
        return lease.heldAt(clock.nanoTime())
                ? null
                : Unavailable.sent(envelope.to(), view.self().name(), "its node lost its lease meanwhile");
    }

    private void refuse(OwnerDelivery delivery, String reason) {
        delivery.fail(Unavailable.notSent(delivery.envelope().to(), view.self().name(), reason));
    }

    private boolean hold(OwnerDelivery delivery, int shard) {
        Places.Taken place = held.add(shard, delivery);
        if (!place.done()) {
            overloaded(delivery, place.bound("held"), place, DrainRate.FIRST);
        }
        return place.done();
    }

    // One read at a time for each shard, shared by all that came before it began.
    private void read(int shard) {
        held.asked(shard);
        shards.refresh(shard)
                .onComplete(read -> context.runOnContext(turn -> {
                    if (read.failed()) {
                        failHeld(shard, read.cause());
                    } else {
                        wasRead(shard, read.result().epoch());
                    }
                }));
    }

    private void awaitTakeover(int shard) {
        shards.whenServed(shard)
                .onComplete(served -> context.runOnContext(turn -> {
                    if (served.failed()) {
                        failHeld(shard, served.cause());
                    } else {
                        taken(shard);
                    }
                }));
    }

    /*
     * An epoch above what was read is one that the cluster does not know: its sender's row is from another life of it,
     * and reading on for each such message would go round for long. Those that came while the row was being read may
     * know more than the read, and share the next one.
     */
    private void wasRead(int shard, long epoch) {
        HeldMessages.Round round = held.take(shard);
        while (round != null) {
            boolean covered = held.isNextCovered(round);
            OwnerDelivery delivery = held.next(round);
            if (delivery == null) {
                return;
            }
            boolean unknown = delivery.envelope().epoch()
                    > Math.max(epoch, shards.row(shard).epoch());
            if (unknown && covered && !delivery.isEnded()) {
                delivery.end(new Outcome.Corrected(shards.row(shard).epoch()));
            } else if (unknown && !covered && !held.isHolding(shard)) {
                holdRest(shard, delivery, round);
                return;
            } else {
                receive(delivery);
            }
        }
    }

    private void holdRest(int shard, OwnerDelivery first, HeldMessages.Round round) {
        for (OwnerDelivery next = first; next != null; next = held.next(round)) {
            hold(next, shard);
        }
        if (held.isHolding(shard)) {
            read(shard);
        }
    }

    private void releaseHeld(int shard) {
        HeldMessages.Round round = held.take(shard);
        OwnerDelivery delivery = round == null ? null : held.next(round);
        while (round != null && delivery != null) {
            receive(delivery);
            delivery = held.next(round);
        }
    }

    private void failHeld(int shard, Throwable cause) {
        HeldMessages.Round round = held.take(shard);
        String node = view.self().name();
        OwnerDelivery delivery = round == null ? null : held.next(round);
        while (round != null && delivery != null) {
            MeshAddress address = delivery.envelope().to();
            delivery.fail(
                    cause instanceof Unavailable failure
                            ? failure
                            : Unavailable.notSent(address, node, "shard row: " + cause.getMessage()));
            delivery = held.next(round);
        }
    }
}
