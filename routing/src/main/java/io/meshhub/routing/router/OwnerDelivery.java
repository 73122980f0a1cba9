package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A message at its owner; its one outcome goes to whoever brought it, the caller's call or the link to its node. */
final class OwnerDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerDelivery.class);

    /** The right of a node to answer for an activation. */
    @FunctionalInterface
    interface Right {

        /** Why this message may not be answered by its owner any more; null when it may. */
        @Nullable
        MeshException lapsed(Envelope envelope);
    }

    private final Envelope envelope;
    private final long deadlineNanos;
    private final Consumer<Outcome> way;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Supplier<MeshException> atDeadline;
    private volatile boolean accepted;
    private @Nullable Right right;
    private int place;

    OwnerDelivery(Envelope envelope, long deadlineNanos, Consumer<Outcome> way) {
        this.envelope = envelope;
        this.deadlineNanos = deadlineNanos;
        this.way = way;
    }

    @Override
    public Envelope envelope() {
        return envelope;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public boolean isEnded() {
        return ended.get();
    }

    @Override
    public void accepted(ActivationId activation) {
        accepted = true;
        if (envelope.verb() != Verb.REQUEST) {
            end(new Outcome.Accepted(activation));
        }
    }

    @Override
    public void reply(MeshBody body, ActivationId activation) {
        MeshException lapsed = lapsed();
        end(lapsed == null ? new Outcome.Replied(body, activation) : new Outcome.Failed(lapsed));
    }

    @Override
    public void fail(MeshException failure) {
        boolean executed =
                switch (failure.remedy()) {
                    case RIDE_OUT, RETRY_LATER -> false;
                    // A verdict of the handler is an answer like a reply; one given before it was entered is none.
                    case STOP -> accepted;
                    case RETRY_IF_IDEMPOTENT, REPORT -> true;
                };
        MeshException lapsed = executed ? lapsed() : null;
        end(new Outcome.Failed(lapsed == null ? failure : lapsed));
    }

    /** How many bytes it takes in the queue in which it waits. */
    int place() {
        return place;
    }

    void place(int bytes) {
        place = bytes;
    }

    /** Lets answers out only for as long as the right to serve lasts; before it is handed to an activation. */
    void under(Right newRight) {
        right = newRight;
    }

    private @Nullable MeshException lapsed() {
        Right asked = right;
        return asked == null ? null : asked.lapsed(envelope);
    }

    /** Ends with an outcome of any kind. */
    void end(Outcome outcome) {
        if (ended.compareAndSet(false, true)) {
            atDeadline = null;
            way.accept(outcome);
        }
    }

    /** Ends without an outcome, since nobody waits for one any more. */
    void abandon() {
        if (ended.compareAndSet(false, true)) {
            atDeadline = null;
        }
    }

    @Override
    public void describedBy(Supplier<MeshException> newAtDeadline) {
        atDeadline = newAtDeadline;
        if (ended.get()) {
            atDeadline = null;
        }
    }

    /** What the owner says of itself at the deadline; null when the message never reached an activation. */
    @Nullable
    MeshException description() {
        Supplier<MeshException> supplier = atDeadline;
        try {
            return supplier == null ? null : supplier.get();
        } catch (RuntimeException e) {
            // The caller is waiting: it is answered with less rather than not at all.
            LOG.warn("The owner of {} could not describe itself at a deadline: {}", envelope.to(), e.toString());
            return null;
        }
    }
}
