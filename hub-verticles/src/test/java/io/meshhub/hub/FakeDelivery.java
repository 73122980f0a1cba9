package io.meshhub.hub;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.spi.Delivery;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A delivery whose router is the test: it records the answer, and lets the deadline pass when it is told to. */
final class FakeDelivery implements Delivery {

    /** A reply, and who gave it. */
    record Reply(MeshBody body, ActivationId activation) {}

    private final Envelope envelope;
    private final long deadline;
    private final CompletableFuture<Reply> answer = new CompletableFuture<>();
    private final AtomicInteger surplus = new AtomicInteger();
    private volatile @Nullable ActivationId acceptedBy;
    private volatile @Nullable Supplier<MeshException> atDeadline;

    FakeDelivery(Envelope envelope, long deadline) {
        this.envelope = envelope;
        this.deadline = deadline;
    }

    @Override
    public Envelope envelope() {
        return envelope;
    }

    @Override
    public long deadlineNanos() {
        return deadline;
    }

    @Override
    public boolean isEnded() {
        return answer.isDone();
    }

    @Override
    public void accepted(ActivationId activation) {
        acceptedBy = activation;
        if (envelope.verb() == Verb.SEND) {
            answer.complete(new Reply(MeshBody.NULL, activation));
        }
    }

    @Override
    public void reply(MeshBody body, ActivationId activation) {
        if (!answer.complete(new Reply(body, activation))) {
            surplus.incrementAndGet();
        }
    }

    @Override
    public void fail(MeshException failure) {
        if (!answer.completeExceptionally(failure)) {
            surplus.incrementAndGet();
        }
    }

    @Override
    public void describedBy(Supplier<MeshException> description) {
        atDeadline = description;
    }

    /** The router's timer fires. */
    void deadlinePasses() {
        Supplier<MeshException> description = atDeadline;
        if (!isEnded() && description != null) {
            fail(description.get());
        }
    }

    @Nullable
    ActivationId acceptedBy() {
        return acceptedBy;
    }

    /** Answers that came after the first. */
    int surplus() {
        return surplus.get();
    }

    /** Waits for the reply. */
    Reply reply() {
        try {
            return answer.get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no reply to " + envelope.type() + " at " + envelope.to(), e);
        }
    }

    /** Waits for the reply, and reads its body. */
    <T> T reply(Class<T> type) {
        return reply().body().as(type).orElseThrow();
    }

    /** Waits for the failure. */
    <T extends MeshException> T failure(Class<T> type) {
        try {
            Reply reply = answer.get(10, TimeUnit.SECONDS);
            throw new AssertionError("a reply instead of " + type.getSimpleName() + ": " + reply);
        } catch (ExecutionException e) {
            if (!type.isInstance(e.getCause())) {
                throw new AssertionError("not " + type.getSimpleName() + " but " + e.getCause(), e.getCause());
            }
            return type.cast(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no failure of " + envelope.type() + " at " + envelope.to(), e);
        }
    }
}
