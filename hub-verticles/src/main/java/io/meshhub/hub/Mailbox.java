package io.meshhub.hub;

import io.meshhub.hub.guard.RetryHints;
import io.meshhub.hub.guard.StormGuard;
import io.meshhub.hub.life.HubContexts;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotHandled;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one started activation: those that wait, and those whose handlers have not ended. Touched only on the
 * loop, but for {@link #depth} and {@link #deadlinePassed}. An idle activation has none.
 */
final class Mailbox {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    // With fewer messages than this in a second nobody is watched by type.
    private static final int GUARD_FROM = 1024;

    private final Activation owner;
    private final HubLoop loop;
    private final ArrayDeque<Delivery> queue = new ArrayDeque<>(2);
    private volatile @Nullable InProgress oldest;
    private @Nullable InProgress newest;
    private int inProgress;
    private @Nullable InProgress exclusive;
    private boolean entered;
    private final int stormFrom;
    private @Nullable StormGuard guard;
    private int burst;
    private long burstSince;
    private long busySince;
    private int handled;

    /** Whether it stands in the loop's list of those with something to handle. */
    boolean listed;

    /** Whether it stands in the loop's list of those to look after. */
    boolean watched;

    Mailbox(Activation owner, HubLoop loop) {
        this.owner = owner;
        this.loop = loop;
        int limit = loop.stormPerSecond();
        // Only who gets many messages is watched by type.
        this.stormFrom = limit == 0 ? Integer.MAX_VALUE : limit < 10 * GUARD_FROM ? 0 : GUARD_FROM;
        this.burstSince = loop.now();
    }

    Activation owner() {
        return owner;
    }

    // Many have come: within a window they are counted by type.
    private boolean isStorm(Delivery delivery, long now) {
        StormGuard watching = guard;
        if (watching == null) {
            if (loop.stormPerSecond() == 0 || now - burstSince >= StormGuard.WINDOW_NANOS) {
                burst = 1;
                burstSince = now;
                if (stormFrom > 0) {
                    return false;
                }
            }
            watching = new StormGuard(loop.stormPerSecond());
            guard = watching;
        }
        Envelope envelope = delivery.envelope();
        StormGuard.Verdict verdict = watching.on(envelope.type(), now);
        // What the mesh itself has to say is never refused for its number.
        if (verdict.passes() || SystemMessages.isHousekeeping(envelope.type())) {
            return false;
        }
        if (verdict.trips()) {
            LOG.warn(
                    "Messages of type '{}' to hub {} are refused: {} came within a second, {} are allowed ({}, node={},"
                            + " mailbox={}); it heals when they become fewer",
                    envelope.type(),
                    owner.address(),
                    verdict.observed(),
                    loop.stormPerSecond(),
                    owner.activation(),
                    owner.node(),
                    depth());
            loop.metrics().count("hub.storms");
        }
        loop.overloaded(delivery, "storm", verdict.observed(), Duration.ofNanos(verdict.retryNanos()));
        return true;
    }

    /** Whether no type comes in a flood, so that it can be forgotten. */
    boolean isCalm() {
        StormGuard watching = guard;
        return watching == null || watching.isCalm(loop.now());
    }

    /** Messages that wait or are in progress; from another thread it may be a moment old. */
    int depth() {
        return queue.size() + inProgress;
    }

    /** The message that has been in progress longest. */
    @Nullable
    InProgress oldest() {
        return oldest;
    }

    /** Whether nothing waits and no handler is running. */
    boolean isQuiet() {
        return queue.isEmpty() && oldest == null && !entered;
    }

    /** Whether the next message can be handled now. */
    boolean isRunnable() {
        return !queue.isEmpty() && exclusive == null && !entered;
    }

    void offer(Delivery delivery, long now) {
        if (guard != null || ++burst > stormFrom) {
            if (isStorm(delivery, now)) {
                return;
            }
        }
        int depth = depth();
        if (depth >= loop.options().mailbox()) {
            loop.overloaded(delivery, "mailbox", depth, RetryHints.ofMailbox(depth, handled, now - busySince));
            return;
        }
        if (depth == 0) {
            busySince = now;
            handled = 0;
        }
        queue.add(delivery);
        boolean runnable = isRunnable();
        if (!runnable || loop.isInTurn()) {
            delivery.describedBy(() -> Verdicts.deadline(owner, delivery));
        }
        if (!runnable) {
            loop.watch(this);
        }
        loop.ready(this);
    }

    /** Takes over what waited for the start, all before the first is handled. */
    void open(ArrayDeque<Delivery> waiting) {
        queue.addAll(waiting);
        loop.watch(this);
        loop.ready(this);
    }

    /** Handles the message that waits longest. */
    void handleNext() {
        loop.guard().comeBack();
        if (!isRunnable()) {
            return;
        }
        Delivery delivery = queue.remove();
        handled++;
        if (!delivery.isEnded()) {
            long now = loop.now();
            if (now - delivery.deadlineNanos() < 0) {
                // It may have waited here since before the lease ended.
                if (loop.isLeasedAt(now)) {
                    handle(delivery, now);
                } else {
                    loop.refuseWithoutLease(delivery);
                }
            } else {
                // Its timer is about to say so, or it has none: nobody waits for what would be done now.
                loop.ignored(delivery.envelope(), "late");
                delivery.fail(Verdicts.deadline(owner, delivery));
            }
        }
        owner.checkDrained();
    }

    private void handle(Delivery delivery, long now) {
        Envelope envelope = delivery.envelope();
        Handling handling = owner.handling(envelope.type());
        if (handling == null) {
            delivery.fail(NotHandled.at(
                    owner.address(), owner.activation(), owner.level(), owner.node(), envelope.type(), owner.types()));
            loop.ignored(envelope, "not-handled");
            return;
        }
        Object body;
        try {
            Optional<?> read = handling.read(envelope.body());
            if (read.isEmpty()) {
                delivery.fail(rejected("a message of type '" + envelope.type() + "' needs a body"));
                return;
            }
            body = read.get();
        } catch (IllegalArgumentException e) {
            delivery.fail(rejected(String.valueOf(e.getMessage())));
            return;
        }
        delivery.accepted(owner.activation());
        enter(delivery, handling, body, now);
    }

    private void enter(Delivery delivery, Handling handling, Object body, long now) {
        Envelope envelope = delivery.envelope();
        InProgress message = new InProgress(this, delivery, now);
        append(message);
        delivery.describedBy(message);
        CallScope scope = new CallScope(envelope.principal(), envelope.correlationId(), envelope.traceparent());
        ContextInternal context = HubContexts.forMessage(owner.context(), scope);
        MessageContext about = MessageContext.of(
                envelope, delivery.deadlineNanos(), loop.services().clock());
        if (handling.isExclusive()) {
            exclusive = message;
        }
        entered = true;
        Running before = loop.guard().enter(message);
        Future<?> future = HubContexts.call(context, () -> handling.handle(body, about));
        loop.guard().exit(before);
        entered = false;
        if (future.isComplete()) {
            ended(message, future.result(), future.cause());
        } else {
            future.onComplete((value, cause) -> loop.execute(() -> ended(message, value, cause)));
            loop.watch(this);
        }
    }

    private Rejected rejected(String reason) {
        Rejected failure = Rejected.message(owner.address(), reason);
        return failure.withDetail(
                failure.detail().of(owner.activation(), owner.level()).on(owner.node()));
    }

    private void ended(InProgress message, @Nullable Object value, @Nullable Throwable cause) {
        loop.guard().comeBack();
        if (message.isEnded()) {
            return;
        }
        message.end();
        if (exclusive == message) {
            exclusive = null;
        }
        unlink(message);
        Delivery delivery = message.takeDelivery();
        if (delivery != null) {
            answer(delivery, value, cause);
        } else if (cause != null) {
            loop.metrics().fault(Verdicts.handlerOf(message.type()), owner.hubClass(), cause);
        }
        if (isRunnable()) {
            loop.ready(this);
        }
        owner.checkDrained();
    }

    private void answer(Delivery delivery, @Nullable Object value, @Nullable Throwable cause) {
        Throwable failure = cause;
        if (failure == null) {
            try {
                delivery.reply(MeshBody.of(value), owner.activation());
                return;
            } catch (RuntimeException e) {
                // A body that cannot be taken is the handler's fault, like any other.
                failure = e;
            }
        }
        if (!(failure instanceof MeshException) && !HubDisposing.isCauseOf(failure)) {
            loop.metrics().count("hub.handler.failed");
            loop.metrics().fault(Verdicts.handlerOf(delivery.envelope().type()), owner.hubClass(), failure);
        }
        delivery.fail(Verdicts.ofHandler(owner, delivery.envelope().type(), failure));
    }

    /** What to tell a caller whose time is over; any thread. The loop then lets go of the message. */
    MeshException deadlinePassed(InProgress message, @Nullable Delivery delivery) {
        // Described before the loop lets go of it: it is one of those that are counted.
        MeshException described = Verdicts.deadline(owner, delivery, message.type());
        loop.post(() -> expire(message));
        return described;
    }

    // An exclusive one stays in place: the next message waits on until its handler ends.
    private void expire(InProgress message) {
        message.takeDelivery();
        if (!message.isEnded() && exclusive != message) {
            unlink(message);
            owner.checkDrained();
        }
    }

    /**
     * Lets go of all whose deadline passed.
     *
     * @return whether there is still something to look after
     */
    boolean sweep(long now) {
        queue.removeIf(Delivery::isEnded);
        InProgress message = oldest;
        while (message != null) {
            InProgress next = message.next;
            if (now - message.deadline() >= 0) {
                expire(message);
            }
            message = next;
        }
        InProgress stuck = exclusive;
        if (stuck != null
                && now - stuck.deadline() >= loop.services().budgets().request().toNanos()) {
            disposeAsStuck(stuck, now);
        }
        return !isQuiet();
    }

    // The messages behind it would wait for ever.
    private void disposeAsStuck(InProgress message, long now) {
        if (owner.isEnding()) {
            return;
        }
        LOG.warn(
                "Hub {} is stuck: its exclusive handler of '{}' has been running for {} ms ({}, node={}, mailbox={}); it"
                        + " is disposed",
                owner.address(),
                message.type(),
                Duration.ofNanos(now - message.since()).toMillis(),
                owner.activation(),
                owner.node(),
                depth());
        loop.metrics().count("hub.stuck");
        owner.end("its exclusive handler of '" + message.type() + "' is stuck", false);
    }

    /** Refuses all that wait. */
    void refuse() {
        while (!queue.isEmpty()) {
            owner.refuse(queue.remove());
        }
    }

    /** Answers for all handlers that are still running; how they end changes nothing any more. */
    void abandon() {
        for (InProgress message = oldest; message != null; message = message.next) {
            message.end();
            Delivery delivery = message.takeDelivery();
            if (delivery != null) {
                delivery.fail(owner.refusal().asEntered());
            }
        }
        oldest = null;
        newest = null;
        exclusive = null;
        inProgress = 0;
    }

    private void append(InProgress message) {
        InProgress last = newest;
        message.previous = last;
        if (last == null) {
            oldest = message;
        } else {
            last.next = message;
        }
        newest = message;
        inProgress++;
    }

    private void unlink(InProgress message) {
        InProgress previous = message.previous;
        InProgress next = message.next;
        if (previous == null && oldest != message) {
            return;
        }
        if (previous == null) {
            oldest = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            newest = previous;
        } else {
            next.previous = previous;
        }
        message.previous = null;
        message.next = null;
        inProgress--;
    }
}
