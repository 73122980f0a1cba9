package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The link to one incarnation of another node: its queues, and everything that waits for an answer of it.
 *
 * <p>The table is bounded in count and bytes, since the bus has no back-pressure of its own. A node that is lost fails
 * all that waits for it at once.
 */
final class PeerLink {

    private record Waiting(Attempt attempt, MeshAddress address, int replyLoop, int bytes) {}

    private final NodeInfo peer;
    private final String self;
    private final RouterOptions options;
    private final FrameQueue[] queues;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Places asks;
    private final Places tells;
    private final DrainRate rate = new DrainRate();
    private final MeshClock clock;
    private final Membership membership;
    private final MeshMetrics metrics;
    private final Promise<Void> parted = Promise.promise();
    private final AtomicInteger unparted;
    private final AtomicReference<@Nullable String> parting = new AtomicReference<>();
    private volatile @Nullable String lost;

    /**
     * A link of its own.
     *
     * @param self the name of this node, for failures
     * @param parts gives the bounds, the clock, the bus's context and where numbers go
     * @param writer writes the entries to the peer's inbound address of that loop
     */
    PeerLink(NodeInfo peer, String self, Parts parts, BiFunction<Integer, List<Frame.Entry>, Future<Void>> writer) {
        this.peer = peer;
        this.self = self;
        this.options = parts.options();
        this.clock = parts.clock();
        this.membership = parts.membership();
        this.metrics = parts.metrics();
        InFlightBounds bounds = options.bounds();
        this.asks = new Places(bounds.perNode(), bounds.bytesPerNode());
        this.tells = new Places(bounds.perNode(), bounds.bytesPerNode());
        this.unparted = new AtomicInteger(parts.loops().size());
        this.queues = new FrameQueue[peer.loops()];
        for (int i = 0; i < queues.length; i++) {
            int loop = i;
            queues[i] = new FrameQueue(parts.busContext(), entries -> writer.apply(loop, entries), this::written);
        }
    }

    NodeInfo peer() {
        return peer;
    }

    /** Messages that wait for an answer. */
    int inFlight() {
        return asks.count();
    }

    /** Bytes of bodies among them. */
    long inFlightBytes() {
        return asks.bytes();
    }

    /** Notifications that wait to be written. */
    int unwritten() {
        return tells.count();
    }

    /**
     * Sends a message that asks for an outcome; the attempt ends in every case.
     *
     * @return the number under which it waits, for {@link #forget}; 0 when it has ended already
     */
    long ask(Envelope envelope, int replyLoop, Attempt attempt) {
        byte[] body = encoded(envelope, attempt);
        if (body == null || !admitted(envelope, body.length, attempt)) {
            return 0;
        }
        long id = ids.incrementAndGet();
        waiting.put(id, new Waiting(attempt, envelope.to(), replyLoop, body.length));
        String reason = whyNot();
        if (reason != null) {
            end(id, new Outcome.Failed(Unavailable.notSent(envelope.to(), self, reason)));
            return 0;
        }
        queue(envelope.to()).offer(new Frame.Ask(id, replyLoop, envelope));
        return id;
    }

    private @Nullable String whyNot() {
        String reason = lost;
        return reason == null ? parting.get() : reason;
    }

    // The body is encoded at the call, so that what its sender does to it afterwards changes nothing.
    private byte @Nullable [] encoded(Envelope envelope, Attempt attempt) {
        String fault;
        try {
            byte[] body = envelope.body().encode();
            if (body.length <= options.maxBodyBytes()) {
                return body;
            }
            fault = "its body of " + body.length + " bytes is over the bound of " + options.maxBodyBytes();
        } catch (IllegalArgumentException e) {
            fault = String.valueOf(e.getMessage());
        }
        attempt.ended(new Outcome.Failed(Rejected.message(envelope.to(), fault)));
        return null;
    }

    private boolean admitted(Envelope envelope, int size, Attempt attempt) {
        Places.Taken taken = asks.take(size);
        if (taken.done()) {
            return true;
        }
        String bound = taken.bound("inFlight");
        metrics.count("mesh.overloaded", "bound", bound);
        int depth = asks.count();
        Duration retryAfter = rate.retryAfter(depth, ids.get() - depth, clock.nanoTime());
        attempt.ended(new Outcome.Failed(
                Overloaded.at(envelope.to(), self, bound + "To:" + peer.name(), taken.observed(), retryAfter)));
        return false;
    }

    /**
     * Sends a message that expects no outcome; false when it is dropped, since the peer is lost, the body no good or too
     * many wait to be written.
     */
    boolean tell(Envelope envelope) {
        int size;
        try {
            size = envelope.body().encode().length;
        } catch (IllegalArgumentException e) {
            return false;
        }
        if (whyNot() != null || size > options.maxBodyBytes()) {
            return false;
        }
        Places.Taken taken = tells.take(size);
        if (!taken.done()) {
            metrics.count("mesh.overloaded", "bound", taken.bound("notify"));
            return false;
        }
        queue(envelope.to()).offer(new Frame.Tell(envelope));
        return true;
    }

    /** Sends an outcome, or word of this node, to the peer's inbound address of that loop. */
    void post(int loop, Frame.Entry entry) {
        if (lost == null) {
            queues[Math.floorMod(loop, queues.length)].offer(entry);
        }
    }

    private FrameQueue queue(MeshAddress address) {
        return queues[address.loop(queues.length)];
    }

    /** The outcome of a message came; one that no longer waits is dropped. */
    void answered(long id, Outcome outcome) {
        end(id, outcome);
    }

    private void end(long id, Outcome outcome) {
        Waiting ended = waiting.remove(id);
        if (ended != null) {
            asks.give(ended.bytes());
            ended.attempt().ended(outcome);
        }
    }

    /** Forgets a message whose caller waits no longer. */
    void forget(long id) {
        Waiting ended = waiting.remove(id);
        if (ended != null) {
            asks.give(ended.bytes());
        }
    }

    /** The peer is gone: all that waits ends now, since nobody will answer, and nothing more is sent. */
    void lose(String reason) {
        lost = reason;
        parted.tryComplete();
        endWhere(waits -> true, reason);
    }

    /**
     * The peer has left, and given its last answer to that loop of this node: what waits for one there ends now, and
     * nothing more is sent. Answers to the other loops may still be on their way.
     */
    void left(int replyLoop, String reason) {
        lost = reason;
        parted.tryComplete();
        endWhere(waits -> waits.replyLoop() == replyLoop, reason);
    }

    private void endWhere(Predicate<Waiting> which, String reason) {
        for (Map.Entry<Long, Waiting> entry : waiting.entrySet()) {
            Waiting waits = entry.getValue();
            if (which.test(waits)) {
                end(entry.getKey(), new Outcome.Failed(Unavailable.sent(waits.address(), self, reason)));
            }
        }
    }

    /** The peer is about to leave: it is sent no more messages, and told so behind the last one to each of its loops. */
    void part(String reason) {
        if (parting.compareAndSet(null, reason)) {
            for (int loop = 0; loop < queues.length; loop++) {
                post(loop, new Frame.Parted());
            }
        }
    }

    /** The peer sends no more messages to one of this node's loops. */
    void parted() {
        if (unparted.decrementAndGet() == 0) {
            parted.tryComplete();
        }
    }

    /**
     * Tells the peer that this node is about to leave, but still answers.
     *
     * @return completes when each message of the peer has come, or the peer is gone; nothing bounds it
     */
    Future<Void> takeLeave() {
        post(0, new Frame.Leaving());
        if (lost != null) {
            parted.tryComplete();
        }
        return parted.future();
    }

    /** Tells the peer, behind the last answer to each of its loops, that this node has left. */
    void leave() {
        for (int loop = 0; loop < queues.length; loop++) {
            post(loop, new Frame.Left());
        }
    }

    // What became of one frame; a notification has its place until then.
    private void written(List<Frame.Entry> entries, @Nullable Throwable cause) {
        for (Frame.Entry entry : entries) {
            if (entry instanceof Frame.Tell tell) {
                tells.give(tell.envelope().body().encode().length);
                if (cause != null) {
                    metrics.count("mesh.notify.dropped");
                }
            } else if (cause != null && entry instanceof Frame.Ask ask) {
                end(ask.id(), outcomeOf(ask.envelope().to(), cause));
            } else if (cause != null && entry instanceof Frame.Leaving) {
                // Nobody is there to say that no more comes.
                parted.tryComplete();
            }
        }
    }

    private Outcome outcomeOf(MeshAddress address, Throwable cause) {
        if (cause instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS) {
            // The inbound address is not registered (any more): look again once, by a row of any epoch.
            return new Outcome.Corrected(0);
        }
        if (cause instanceof MeshException failure) {
            return new Outcome.Failed(failure);
        }
        String what = "node " + peer.name() + " could not be reached: " + cause.getMessage();
        boolean sent = !(cause instanceof ConnectException
                || cause instanceof FrameQueue.ClosedException
                || membership.isLookupFailure(cause));
        return new Outcome.Failed(
                sent ? Unavailable.sent(address, self, what) : Unavailable.notSent(address, self, what));
    }
}
