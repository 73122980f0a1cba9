package io.meshhub.hub;

import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The dispose actions and the timers of one activation; most have neither, and none of these. */
final class Upkeep {

    private final Activation activation;
    private final HubLoop loop;
    private final List<Supplier<? extends Future<?>>> disposals;
    private final List<HubSetup.Periodic> periodics;
    private final Map<HubSetup.Periodic, Pacer.Cancellable> armed = new HashMap<>(2);
    private int pending;

    Upkeep(Activation activation, HubLoop loop, HubSetup setup) {
        this.activation = activation;
        this.loop = loop;
        this.disposals = List.copyOf(setup.disposals());
        this.periodics = List.copyOf(setup.timers());
    }

    void startTimers() {
        periodics.forEach(this::arm);
    }

    private void arm(HubSetup.Periodic periodic) {
        armed.put(periodic, loop.services().pacer().after(periodic.period(), () -> loop.execute(() -> fire(periodic))));
    }

    private void fire(HubSetup.Periodic periodic) {
        if (!armed.containsKey(periodic)) {
            return;
        }
        arm(periodic);
        if (!loop.isLeased()) {
            // The next turn may be under a lease again; what owns the address meanwhile has a timer of its own.
            return;
        }
        Future<?> ran = loop.call(activation, "a timer", () -> {
            periodic.action().run();
            return Future.succeededFuture();
        });
        if (ran.failed()) {
            loop.metrics().fault("Timer of a hub", activation.hubClass(), ran.cause());
        }
    }

    void stopTimers() {
        armed.values().forEach(Pacer.Cancellable::cancel);
        armed.clear();
    }

    /**
     * Runs all dispose actions, the last one registered first, side by side: one that fails or hangs does not stop the
     * others.
     *
     * @param done called once, when every one has ended
     */
    void dispose(Runnable done) {
        pending = disposals.size() + 1;
        for (int i = disposals.size() - 1; i >= 0; i--) {
            Supplier<? extends Future<?>> action = disposals.get(i);
            loop.call(activation, "a dispose action", action::get)
                    .onComplete((value, cause) -> loop.execute(() -> ended(cause, done)));
        }
        ended(null, done);
    }

    private void ended(@Nullable Throwable cause, Runnable done) {
        if (cause != null) {
            loop.metrics().fault("Dispose action of a hub", activation.hubClass(), cause);
        }
        pending--;
        if (pending == 0) {
            done.run();
        }
    }
}
