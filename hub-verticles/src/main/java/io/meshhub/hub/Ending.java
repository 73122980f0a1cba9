package io.meshhub.hub;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.hub.life.HubContexts;
import io.meshhub.hub.life.HubLife;
import io.meshhub.hub.life.StuckReport;
import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disposal of one activation: performs what {@link HubLife} commands; made when the disposal begins. */
final class Ending {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    private final Activation activation;
    private final HubLoop loop;
    private final String reason;
    private final boolean passivation;
    private final @Nullable StartFailed failure;
    private final long since;
    // Without a context: listeners on the loop hear it while the entry still stands.
    private final Promise<Void> dead = Promise.promise();
    private final ArrayDeque<Delivery> held = new ArrayDeque<>(0);
    private final List<Pacer.Cancellable> timers = new ArrayList<>(3);
    private DisposalBounds bounds;
    private long forcedAt;
    private boolean parked;

    Ending(
            Activation activation,
            HubLoop loop,
            String reason,
            boolean passivation,
            @Nullable StartFailed failure,
            DisposalBounds bounds) {
        this.activation = activation;
        this.loop = loop;
        this.reason = reason;
        this.passivation = passivation;
        this.failure = failure;
        this.since = loop.now();
        this.bounds = bounds;
        this.forcedAt = since + bounds.watchdog().toNanos();
    }

    /** Why the activation ends, for people. */
    String reason() {
        return reason;
    }

    /** Whether new messages are held for the next activation instead of being refused. */
    boolean isPassivation() {
        return passivation && !parked;
    }

    Future<Void> future() {
        return dead.future();
    }

    ArrayDeque<Delivery> held() {
        return held;
    }

    /** Whether the entry stays in the table when the activation is dead. */
    boolean isParked() {
        return parked;
    }

    void park(boolean newParked) {
        parked = newParked;
    }

    /** Answers a message that came after the disposal began. */
    void take(Delivery delivery) {
        StartFailed failed = failure;
        if (failed != null && !parked) {
            delivery.fail(failed);
        } else if (!isPassivation()) {
            activation.refuse(delivery);
        } else if (held.size() >= loop.options().startQueue()) {
            loop.overloaded(delivery, "startQueue", held.size());
        } else {
            delivery.describedBy(() -> Verdicts.deadline(activation, delivery));
            held.add(delivery);
        }
    }

    /** Does what the machine says. */
    void perform(HubLife.Command command, HubLife.Phase before) {
        switch (command) {
            // Only a start is opened, and that is no part of an end.
            case OPEN -> {}
            case FAIL_WAITING -> failWaiting();
            case REFUSE_WAITING -> refuseWaiting();
            case ARM_BOUNDS -> arm();
            case AWAIT_DRAIN -> activation.checkDrained();
            case RUN_ACTIONS -> runActions();
            case REPORT_ACTIONS -> reportActions();
            case DISPOSE_HOSTED -> disposeHosted();
            case FORCE_HOSTED -> forceHosted();
            case CANCEL_CALLS -> cancelCalls();
            case ABANDON_RUNNING -> abandonRunning();
            case CLOSE_CONTEXT -> closeContext();
            case REPORT_STUCK -> reportStuck(before);
            case COMPLETE -> leave();
        }
    }

    private void failWaiting() {
        Start starting = activation.starting();
        StartFailed failed = failure;
        if (starting != null && failed != null) {
            starting.takeWaiting().forEach(delivery -> delivery.fail(failed));
        }
    }

    private void refuseWaiting() {
        Start starting = activation.starting();
        if (starting != null) {
            starting.takeWaiting().forEach(activation::refuse);
        }
        Mailbox mailbox = activation.mailbox();
        if (mailbox != null) {
            mailbox.refuse();
        }
    }

    private void arm() {
        // Most disposals are over within the step that began them.
        if (activation.phase() == HubLife.Phase.DEAD) {
            return;
        }
        after(bounds.quiesce(), HubLife.Event.QUIESCE_OVER);
        if (hosts()) {
            after(bounds.actions(), HubLife.Event.ACTIONS_OVER);
        }
        after(bounds.watchdog(), HubLife.Event.WATCHDOG);
    }

    private void after(Duration delay, HubLife.Event event) {
        timers.add(loop.services().pacer().after(delay, () -> loop.execute(() -> activation.step(event))));
    }

    private void disarm() {
        timers.forEach(Pacer.Cancellable::cancel);
        timers.clear();
    }

    /** Takes bounds that end earlier, counted from now; others change nothing. */
    void narrow(DisposalBounds newBounds) {
        long newForcedAt = loop.now() + newBounds.watchdog().toNanos();
        if (newForcedAt - forcedAt < 0) {
            bounds = newBounds;
            forcedAt = newForcedAt;
            disarm();
            arm();
        }
    }

    private void runActions() {
        Upkeep upkeep = activation.upkeep();
        if (upkeep == null) {
            activation.step(HubLife.Event.ACTIONS_DONE);
        } else {
            upkeep.dispose(() -> activation.step(HubLife.Event.ACTIONS_DONE));
        }
    }

    private void reportActions() {
        LOG.warn(
                "Dispose actions of hub {} did not end within {} ms; its hosted hubs are disposed without them ({},"
                        + " node={})",
                activation.address(),
                age().toMillis(),
                activation.activation(),
                activation.node());
        loop.metrics().count("hub.actions.late");
    }

    private boolean hosts() {
        Household household = activation.householdIfAny();
        return household != null && !household.isEmpty();
    }

    private void disposeHosted() {
        if (hosts()) {
            Duration remaining = Duration.ofNanos(Math.max(0, forcedAt - loop.now()));
            activation.household().dispose(bounds.within(remaining));
        } else {
            activation.step(HubLife.Event.HOSTED_DONE);
        }
    }

    private void forceHosted() {
        if (hosts()) {
            activation.household().force();
        }
    }

    private void cancelCalls() {
        Household household = activation.householdIfAny();
        int cancelled = household == null || household.pendingCalls() == 0
                ? 0
                : household.calls().cancel();
        if (cancelled > 0) {
            LOG.warn(
                    "Hub {} ends with {} requests of its own unanswered after {} ms; they are given up ({}, node={})",
                    activation.address(),
                    cancelled,
                    age().toMillis(),
                    activation.activation(),
                    activation.node());
            for (int i = 0; i < cancelled; i++) {
                loop.metrics().count("hub.calls.cancelled");
            }
        }
    }

    private void abandonRunning() {
        Start starting = activation.starting();
        if (starting != null) {
            starting.cancel();
        }
        Mailbox mailbox = activation.mailbox();
        if (mailbox != null) {
            mailbox.abandon();
        }
        Household household = activation.householdIfAny();
        if (household != null && household.hasCalls()) {
            // Dispose actions may have asked something, too.
            cancelCalls();
            household.calls().close();
        }
    }

    private void closeContext() {
        Future<Void> closed = HubContexts.close(activation.context());
        if (closed.isComplete()) {
            activation.step(HubLife.Event.CLOSED);
        } else {
            closed.onComplete((nothing, cause) -> loop.execute(() -> activation.step(HubLife.Event.CLOSED)));
        }
    }

    private Duration age() {
        return Duration.ofNanos(loop.now() - since);
    }

    private void reportStuck(HubLife.Phase phase) {
        Mailbox mailbox = activation.mailbox();
        Household household = activation.householdIfAny();
        InProgress oldest = mailbox == null ? null : mailbox.oldest();
        StuckReport report = new StuckReport(
                activation.address(),
                activation.activation(),
                activation.node(),
                reason,
                phase,
                age(),
                oldest == null ? null : oldest.type(),
                oldest == null ? null : Duration.ofNanos(loop.now() - oldest.since()),
                activation.depth(),
                household == null ? 0 : household.pendingCalls(),
                household == null ? List.of() : household.hosted());
        LOG.warn("{}", report);
        loop.metrics().count("hub.disposals.forced", "phase", phase.name());
    }

    private void leave() {
        activation.letGo();
        Activation host = activation.host();
        if (host == null) {
            loop.left(activation, this);
        } else {
            complete();
            activation.household().completed();
            host.hostedLeft(activation);
        }
    }

    /** Takes the bounds back and tells all listeners, once. */
    void complete() {
        disarm();
        dead.tryComplete();
    }
}
