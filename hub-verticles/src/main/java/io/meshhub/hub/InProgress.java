package io.meshhub.hub;

import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.Delivery;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One message whose handler was entered and has not ended; a link in the list of its mailbox, oldest first. */
final class InProgress implements Supplier<MeshException>, Running {

    private final Mailbox mailbox;
    private final String type;
    private final long since;
    private final long deadline;
    // Null once the caller has its answer; read by the deadline on any thread.
    private volatile @Nullable Delivery delivery;
    private boolean ended;

    @Nullable
    InProgress previous;

    @Nullable
    InProgress next;

    InProgress(Mailbox mailbox, Delivery delivery, long now) {
        this.mailbox = mailbox;
        this.type = delivery.envelope().type();
        this.since = now;
        this.deadline = delivery.deadlineNanos();
        this.delivery = delivery;
    }

    String type() {
        return type;
    }

    @Override
    public Activation owner() {
        return mailbox.owner();
    }

    @Override
    public String what() {
        return "its handler of '" + type + "'";
    }

    @Override
    public long since() {
        return since;
    }

    long deadline() {
        return deadline;
    }

    /** Whether the handler has ended, or nobody cares any more how it ends. */
    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** The way of the answer back, at most once. */
    @Nullable
    Delivery takeDelivery() {
        Delivery taken = delivery;
        delivery = null;
        return taken;
    }

    /** The deadline has passed: says what is known, and lets go of the message. */
    @Override
    public MeshException get() {
        return mailbox.deadlinePassed(this, delivery);
    }
}
