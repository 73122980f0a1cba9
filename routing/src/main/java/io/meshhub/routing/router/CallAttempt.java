package io.meshhub.routing.router;

import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.ShardRow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a {@link Call} under one route: where it went, and how to forget it there. What is corrected goes on as
 * another attempt, so that nothing of the former route can be taken for one of the new.
 */
final class CallAttempt implements Attempt {

    private final Call call;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ShardRow row;
    private volatile @Nullable OwnerDelivery local;
    private volatile @Nullable PeerLink link;
    private volatile long id;

    CallAttempt(Call call) {
        this.call = call;
    }

    Call call() {
        return call;
    }

    /** It goes out under that row. */
    void routedBy(ShardRow newRow) {
        row = newRow;
    }

    /** It is on the own node. */
    void deliveredAs(OwnerDelivery delivery) {
        local = delivery;
        if (ended.get()) {
            delivery.abandon();
        }
    }

    /** It goes over that link; said before it does, since its answer may come before {@link #waitsAt} is called. */
    void goesOver(PeerLink newLink) {
        link = newLink;
    }

    /** It waits in the table of that link under that number. */
    void waitsAt(PeerLink newLink, long newId) {
        id = newId;
        if (ended.get()) {
            newLink.forget(newId);
        }
    }

    /** Whether it went out under that row, so that trying that again would end alike. */
    boolean wasSentUnder(ShardRow other) {
        return other.equals(row);
    }

    /** The epoch under which it went out; 0 when it has not. */
    long epoch() {
        ShardRow under = row;
        return under == null ? 0 : under.epoch();
    }

    /** The name of the node where it went. */
    String node(Call.Routes routes) {
        if (local != null) {
            return routes.node();
        }
        PeerLink under = link;
        return under == null ? "" : under.peer().name();
    }

    /** What the own node's owner says of itself at the deadline. */
    @Nullable
    MeshException description() {
        OwnerDelivery delivery = local;
        return delivery == null ? null : delivery.description();
    }

    @Override
    public void ended(Outcome outcome) {
        if (ended.compareAndSet(false, true)) {
            call.arrived(this, outcome);
        }
    }

    /** Whether it has ended, or nobody waits for it any more. */
    boolean isEnded() {
        return ended.get();
    }

    /** Nobody waits for it any more. */
    void abandon() {
        ended.set(true);
        OwnerDelivery delivery = local;
        if (delivery != null) {
            delivery.abandon();
        }
        PeerLink waiting = link;
        if (waiting != null && id != 0) {
            waiting.forget(id);
        }
    }
}
