package io.meshhub.hub;

import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.hub.guard.LoopWatch;
import io.meshhub.hub.life.HubServices;
import io.meshhub.routing.spi.Pacer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the loops of a node whose thread is blocked, from outside them: says who blocks it, and has that one refused as
 * dead. A node without activations is not looked at.
 */
final class BlockedLoops {

    private static final Logger LOG = LoggerFactory.getLogger(HubRuntime.class);

    private final HubServices services;
    private final GuardOptions options;
    private final List<LoopGuard> guards;
    private Pacer.Cancellable timer = Pacer.Cancellable.NONE;
    private boolean armed;
    private long lastLook;

    BlockedLoops(HubServices services, GuardOptions options, List<LoopGuard> guards) {
        this.services = services;
        this.options = options;
        this.guards = guards;
        services.metrics()
                .gauge(
                        "hub.loops.blocked",
                        () -> guards.stream().filter(LoopGuard::isStalled).count());
    }

    /** Looks at the loops from now on, until there is nothing on any of them. */
    synchronized void keepLooking() {
        if (!armed) {
            armed = true;
            lastLook = services.clock().nanoTime();
            arm();
        }
    }

    /** A loop has nothing on it any more. */
    synchronized void rest() {
        if (armed && guards.stream().noneMatch(LoopGuard::isAwake)) {
            armed = false;
            timer.cancel();
        }
    }

    private void arm() {
        timer = services.pacer().after(options.period(), this::look);
    }

    private synchronized void look() {
        if (!armed) {
            return;
        }
        long now = services.clock().nanoTime();
        long sinceLast = now - lastLook;
        lastLook = now;
        arm();
        for (int i = 0; i < guards.size(); i++) {
            LoopGuard guard = guards.get(i);
            if (guard.isAwake()) {
                look(i, guard, sinceLast);
            }
        }
        rest();
    }

    private void look(int number, LoopGuard guard, long sinceLast) {
        LoopWatch.Finding finding = guard.look(
                sinceLast, options.period().toNanos(), options.blockedAfter().toNanos());
        switch (finding) {
            case BLOCKED -> blocked(number, guard);
            case FREED -> LOG.info("Loop {} goes on (node={})", number, services.node());
            case NONE -> {}
        }
    }

    private void blocked(int number, LoopGuard guard) {
        services.metrics().count("hub.loops.stalled");
        report(number, guard, guard.unlink(guard.seen()));
    }

    private void report(int number, LoopGuard guard, @Nullable Running code) {
        int all = guard.activations();
        if (code == null) {
            LOG.warn(
                    "Loop {} has made no progress for {} ms, in code of no known hub; its {} activations wait (node={},"
                            + " thread at {})",
                    number,
                    options.blockedAfter().toMillis(),
                    all,
                    services.node(),
                    guard.where());
            return;
        }
        Activation owner = code.owner();
        LOG.warn(
                "Hub {} has blocked loop {} for {} ms in {} ({}, node={}); it is refused as dead and ends when its"
                        + " thread comes back; {} other activations of the loop wait (thread at {})",
                owner.address(),
                number,
                Duration.ofNanos(services.clock().nanoTime() - code.since()).toMillis(),
                code.what(),
                owner.activation(),
                services.node(),
                Math.max(0, all - 1),
                guard.where());
    }
}
