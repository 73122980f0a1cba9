package io.meshhub.hub;

import io.meshhub.hub.guard.RetryHints;
import io.meshhub.hub.life.HubLife;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of one activation: its init actions one after the other inside the start rung, and the messages that wait for
 * them.
 */
final class Start {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    private static final long PURGE_PACE_NANOS = Duration.ofMillis(10).toNanos();

    private final Activation activation;
    private final HubLoop loop;
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>(2);
    private final long since;
    private long purgedAt;
    private List<Supplier<? extends Future<?>>> inits = List.of();
    private int index;
    private boolean over;
    private boolean stuck;
    private Pacer.@Nullable Cancellable timer;

    Start(Activation activation, HubLoop loop) {
        this.activation = activation;
        this.loop = loop;
        this.since = loop.now();
        this.purgedAt = since - PURGE_PACE_NANOS;
    }

    /** Whether no init action runs any more, and none will. */
    boolean isOver() {
        return over;
    }

    int waiting() {
        return waiting.size();
    }

    /** Lets a message wait, unless too many do. */
    void offer(Delivery delivery) {
        if (waiting.size() >= loop.options().startQueue() && !purged()) {
            loop.overloaded(delivery, "startQueue", waiting.size(), RetryHints.ofStart(age()));
            return;
        }
        delivery.describedBy(() -> Verdicts.deadline(activation, delivery));
        waiting.add(delivery);
    }

    // What has its answer waits no longer. Looked through only now and then, since each look costs as much as the queue
    // is long.
    private boolean purged() {
        long now = loop.now();
        if (now - purgedAt < PURGE_PACE_NANOS) {
            return false;
        }
        purgedAt = now;
        return waiting.removeIf(Delivery::isEnded);
    }

    /** Hands out the messages that wait, in the order in which they came. */
    ArrayDeque<Delivery> takeWaiting() {
        ArrayDeque<Delivery> taken = new ArrayDeque<>(waiting);
        waiting.clear();
        return taken;
    }

    /** Runs the actions; tells the activation when it is over. */
    void run(List<Supplier<? extends Future<?>>> actions) {
        inits = actions;
        next();
    }

    private void next() {
        while (!over) {
            if (index == inits.size() || !activation.level().accepts()) {
                end(null);
                return;
            }
            Supplier<? extends Future<?>> action = inits.get(index);
            Future<?> future = loop.call(activation, "its " + describe(), action::get);
            if (over) {
                return;
            }
            if (!future.isComplete()) {
                arm();
                future.onComplete((value, cause) -> loop.execute(() -> resumed(cause)));
                return;
            }
            if (future.failed()) {
                end(future.cause());
                return;
            }
            index++;
        }
    }

    private void resumed(@Nullable Throwable cause) {
        if (over) {
            return;
        }
        if (cause != null) {
            end(cause);
            return;
        }
        index++;
        next();
    }

    private void arm() {
        if (timer == null) {
            Duration rung = loop.services().budgets().start();
            timer = loop.services().pacer().after(rung, () -> loop.execute(() -> timedOut(rung)));
        }
    }

    private void timedOut(Duration rung) {
        if (over) {
            return;
        }
        stuck = true;
        TimeoutException cause =
                new TimeoutException(describe() + " did not complete within " + rung.toMillis() + " ms");
        LOG.warn(
                "Start of hub {} is stuck: {} ({}, node={}, waiting={}); all who wait get StartFailed",
                activation.address(),
                cause.getMessage(),
                activation.activation(),
                activation.node(),
                waiting.size());
        end(cause);
    }

    /** What the start waits for, for people; read on any thread, so it may be a moment old. */
    String describe() {
        return "init action " + Math.min(index + 1, Math.max(1, inits.size())) + " of " + inits.size();
    }

    /** How long the start has been going on. */
    Duration age() {
        return Duration.ofNanos(loop.now() - since);
    }

    /** Ends it: with the cause it failed. What an action says after that changes nothing. */
    void end(@Nullable Throwable cause) {
        if (over) {
            return;
        }
        cancel();
        boolean hostEnds = HubDisposing.isCauseOf(cause);
        if (cause == null) {
            activation.step(HubLife.Event.START_DONE);
        } else if (activation.level() != RunLevel.STARTING || hostEnds) {
            cutShort(cause, hostEnds);
        } else {
            fail(cause);
        }
    }

    // Cut short by the teardown it is cancelled, and nobody's fault; anything else is one.
    private void cutShort(Throwable cause, boolean hostEnds) {
        if (hostEnds) {
            activation.dispose("its host is ending");
        } else if (!(cause instanceof ShuttingDown) && !(cause instanceof DeadlineExceeded)) {
            loop.metrics().count("hub.starts", "result", "failed");
            loop.metrics().fault("Start of a hub, during its disposal,", activation.hubClass(), cause);
        }
        activation.step(HubLife.Event.START_FAILED);
    }

    private void fail(Throwable cause) {
        MeshAddress address = activation.address();
        Duration delay = loop.backoffs().nextDelay(address);
        StartFailed failure =
                StartFailed.of(address, Verdicts.detail(activation).retryAfter(delay), cause);
        loop.metrics().count("hub.starts", "result", "failed");
        if (!stuck) {
            loop.metrics().fault("Start of a hub", activation.hubClass(), cause);
        }
        loop.backoffs().failed(address, failure, delay, loop.now());
        activation.startFailed(failure);
    }

    /** Ends it without a word, since the activation is dead. */
    void cancel() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
