package io.meshhub.hub.life;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message to a hosted hub: it never leaves the process, and ends once, at its deadline at the latest. */
public final class HostedCall implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(HostedCall.class);

    private final Envelope envelope;
    private final String node;
    private final long deadlineNanos;
    private final Promise<MeshBody> promise;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Supplier<MeshException> atDeadline;
    private volatile Pacer.Cancellable timer = Pacer.Cancellable.NONE;

    private HostedCall(Envelope envelope, String node, Promise<MeshBody> promise, long deadlineNanos) {
        this.envelope = envelope;
        this.node = node;
        this.promise = promise;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * A message whose time begins now.
     *
     * @param promise of the one who asks
     */
    public static HostedCall begin(
            Envelope envelope, String node, Promise<MeshBody> promise, MeshClock clock, Pacer pacer) {
        Duration bound = Duration.ofMillis(envelope.deadlineMs());
        HostedCall call = new HostedCall(envelope, node, promise, clock.nanoTime() + bound.toNanos());
        call.timer = pacer.after(bound, call::deadline);
        return call;
    }

    /** The one answer. */
    public Future<MeshBody> answer() {
        return promise.future();
    }

    private void deadline() {
        // What is known is read before the end, which lets go of it.
        MeshException described = description();
        fail(
                described != null
                        ? described
                        : new DeadlineExceeded(
                                "Hosted hub " + envelope.to() + " did not answer a message of type '" + envelope.type()
                                        + "' within " + envelope.deadlineMs() + " ms (node=" + node
                                        + "); the outcome is unknown",
                                FailureDetail.about(envelope.to()).on(node),
                                DeadlineExceeded.Owner.UNKNOWN,
                                null));
    }

    private @Nullable MeshException description() {
        Supplier<MeshException> supplier = atDeadline;
        try {
            return supplier == null ? null : supplier.get();
        } catch (RuntimeException e) {
            // The caller is waiting: it is answered with less rather than not at all.
            LOG.warn("Hosted hub {} could not describe itself at a deadline: {}", envelope.to(), e.toString());
            return null;
        }
    }

    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        atDeadline = null;
        timer.cancel();
        return true;
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
        if (envelope.verb() != Verb.REQUEST && end()) {
            promise.complete(MeshBody.NULL);
        }
    }

    @Override
    public void reply(MeshBody body, ActivationId activation) {
        if (end()) {
            promise.complete(body);
        }
    }

    @Override
    public void fail(MeshException failure) {
        if (end()) {
            promise.fail(failure);
        }
    }

    @Override
    public void describedBy(Supplier<MeshException> newAtDeadline) {
        atDeadline = newAtDeadline;
        if (ended.get()) {
            atDeadline = null;
        }
    }
}
