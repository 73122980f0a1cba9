package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.queues.Deadlines;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What comes in at one inbound address of this node: frames of other nodes, and their pings. It arrives on the bus loop;
 * pings are answered there, frames are read on the hub loop of the address, unless that one is blocked.
 */
final class Inbound {

    static final String PING = "mesh-ping";
    static final String PONG = "mesh-pong";

    private static final Logger LOG = LoggerFactory.getLogger(Inbound.class);

    private final int loop;
    private final Receiver receiver;
    private final Links links;
    private final Resting resting;
    private final Refusals refusals;
    private final RouterOptions options;
    private final MeshClock clock;
    private final Deadlines due;
    private final MeshMetrics metrics;
    private final String node;

    Inbound(int loop, Receiver receiver, Links links, Resting resting, Refusals refusals, Deadlines due, Parts parts) {
        this.loop = loop;
        this.receiver = receiver;
        this.links = links;
        this.resting = resting;
        this.refusals = refusals;
        this.options = parts.options();
        this.clock = parts.clock();
        this.due = due;
        this.metrics = parts.metrics();
        this.node = parts.membership().self().name();
    }

    /** The inbound address of one hub loop of an incarnation. */
    static String address(String incarnation, int loop) {
        return "__mesh.node." + incarnation + "." + loop;
    }

    /** Something came; on the bus loop. Only a ping has headers, and a frame is not read before it is on its loop. */
    void arrived(Message<Object> message) {
        if (message.headers().contains(PING)) {
            // From the bus loop, since whoever sends first to a node opens the connection on its own loop.
            message.reply(PONG);
        } else if (receiver.isStalled()) {
            read(message, receiver::submit);
        } else {
            receiver.onLoop(() -> read(message, receiver::receive));
        }
    }

    private void read(Message<Object> message, Consumer<OwnerDelivery> taker) {
        if (message.body() instanceof Frame frame) {
            if (links.isDropped(frame.sender().incarnation())) {
                metrics.count("mesh.frames.dropped");
                return;
            }
            due.during(() -> {
                for (Frame.Entry entry : frame.entries()) {
                    heard(frame.sender(), entry, taker);
                }
            });
        }
    }

    // Whatever one entry meets, those behind it in the frame are heard.
    private void heard(Frame.Sender sender, Frame.Entry entry, Consumer<OwnerDelivery> taker) {
        try {
            on(sender, entry, taker);
        } catch (RuntimeException e) {
            LOG.warn(
                    "Entry {} of node {} was lost, the rest of its frame is handled: {}",
                    entry.getClass().getSimpleName(),
                    sender.name(),
                    e.toString());
        }
    }

    private void on(Frame.Sender sender, Frame.Entry entry, Consumer<OwnerDelivery> taker) {
        if (entry instanceof Frame.Ask ask) {
            asked(sender, ask, taker);
        } else if (entry instanceof Frame.Tell tell) {
            told(tell.envelope(), taker);
        } else if (entry instanceof Frame.Answer answer) {
            links.find(sender.incarnation()).ifPresent(link -> link.answered(answer.id(), answer.outcome()));
        } else if (entry instanceof Frame.Released released) {
            resting.wakeAddress(released.address());
        } else if (entry instanceof Frame.Leaving) {
            linkBack(sender).ifPresent(link -> link.part("node " + sender.name() + " is leaving"));
        } else if (entry instanceof Frame.Parted) {
            links.find(sender.incarnation()).ifPresent(PeerLink::parted);
        } else if (entry instanceof Frame.Left) {
            links.find(sender.incarnation()).ifPresent(link -> link.left(loop, "node " + sender.name() + " has left"));
        } else if (entry instanceof Frame.Unreadable bad) {
            MeshException failure =
                    new Rejected("Message was rejected: " + bad.reason(), FailureDetail.NONE.on(node), -1);
            answer(sender, bad.replyLoop(), bad.id(), new Outcome.Failed(failure));
        }
    }

    private void asked(Frame.Sender sender, Frame.Ask ask, Consumer<OwnerDelivery> taker) {
        // Made now: who waits for an answer must hear when this node leaves, also before its first answer.
        linkBack(sender);
        Asked asked = new Asked(sender, ask);
        due.add(asked, asked.delivery.deadlineNanos());
        taker.accept(asked.delivery);
    }

    /** A message of another node on its way through this one. */
    private final class Asked extends Deadlines.Wait implements Consumer<Outcome> {
        private final Frame.Sender sender;
        private final Frame.Ask ask;
        private final OwnerDelivery delivery;

        Asked(Frame.Sender sender, Frame.Ask ask) {
            this.sender = sender;
            this.ask = ask;
            this.delivery = new OwnerDelivery(ask.envelope(), clock.nanoTime() + nanosLeft(ask.envelope()), this);
        }

        @Override
        public void accept(Outcome outcome) {
            due.remove(this);
            Envelope envelope = ask.envelope();
            refusals.note(envelope.to(), sender.incarnation(), outcome);
            answer(sender, ask.replyLoop(), ask.id(), bounded(envelope, outcome));
        }

        @Override
        protected void over() {
            delivery.fail(atDeadline(delivery, Duration.ofNanos(nanosLeft(ask.envelope()))));
        }
    }

    private static long nanosLeft(Envelope envelope) {
        return TimeUnit.MILLISECONDS.toNanos(Math.max(1, envelope.deadlineMs()));
    }

    // This node answers by itself before its caller's own timer, with what it knows of the owner.
    private MeshException atDeadline(OwnerDelivery delivery, Duration remaining) {
        MeshException described = delivery.description();
        if (described != null) {
            return described;
        }
        Envelope envelope = delivery.envelope();
        return new DeadlineExceeded(
                "Hub " + envelope.to() + " did not answer within " + remaining.toMillis()
                        + " ms: the message had not reached its activation (node=" + node + ")",
                FailureDetail.about(envelope.to()).on(node),
                DeadlineExceeded.Owner.UNKNOWN,
                null);
    }

    private void told(Envelope envelope, Consumer<OwnerDelivery> taker) {
        taker.accept(new OwnerDelivery(envelope, clock.nanoTime() + nanosLeft(envelope), outcome -> {
            if (!(outcome instanceof Outcome.Accepted)) {
                metrics.count("mesh.notify.dropped");
            }
        }));
    }

    private Outcome bounded(Envelope envelope, Outcome outcome) {
        if (!(outcome instanceof Outcome.Replied replied)) {
            return outcome;
        }
        String fault;
        try {
            int size = replied.body().encode().length;
            if (size <= options.maxBodyBytes()) {
                return outcome;
            }
            fault = "reply of " + size + " bytes is over the bound of " + options.maxBodyBytes();
        } catch (IllegalArgumentException e) {
            fault = String.valueOf(e.getMessage());
        }
        return new Outcome.Failed(HandlerFailed.of(
                envelope.to(),
                envelope.type(),
                FailureDetail.about(envelope.to()).on(node).of(replied.activation(), null),
                new IllegalArgumentException(fault)));
    }

    private void answer(Frame.Sender sender, int replyLoop, long id, Outcome outcome) {
        linkBack(sender).ifPresent(link -> link.post(replyLoop, new Frame.Answer(id, outcome)));
    }

    private Optional<PeerLink> linkBack(Frame.Sender sender) {
        Optional<PeerLink> known = links.find(sender.incarnation());
        if (known.isPresent()) {
            return known;
        }
        return links.to(new NodeInfo(
                sender.name(), sender.incarnation(), NodeInfo.State.UP, sender.loops(), "", Set.of(), "", ""));
    }
}
