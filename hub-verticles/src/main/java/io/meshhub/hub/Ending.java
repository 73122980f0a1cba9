package io.meshhub.hub;

import io.meshhub.routing.failure.StartFailed;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What an activation remembers of its own disposal; made when that begins. */
final class Ending {

    private final String reason;
    private final boolean passivation;
    private final @Nullable StartFailed failure;
    private final long since;
    // Without a context: listeners on the loop hear it while the entry still stands.
    private final Promise<Void> dead = Promise.promise();
    private final ArrayDeque<Delivery> held = new ArrayDeque<>(0);
    private Pacer.Cancellable quiesce = Pacer.Cancellable.NONE;
    private Pacer.Cancellable watchdog = Pacer.Cancellable.NONE;

    Ending(String reason, boolean passivation, @Nullable StartFailed failure, long since) {
        this.reason = reason;
        this.passivation = passivation;
        this.failure = failure;
        this.since = since;
    }

    String reason() {
        return reason;
    }

    /** Whether new messages are held for the next activation instead of being refused. */
    boolean isPassivation() {
        return passivation;
    }

    /** Why the start failed; null when the disposal has another reason. */
    @Nullable
    StartFailed failure() {
        return failure;
    }

    long since() {
        return since;
    }

    Future<Void> future() {
        return dead.future();
    }

    ArrayDeque<Delivery> held() {
        return held;
    }

    void bounds(Pacer.Cancellable newQuiesce, Pacer.Cancellable newWatchdog) {
        quiesce = newQuiesce;
        watchdog = newWatchdog;
    }

    /** Takes the bounds back and tells all listeners, once. */
    void complete() {
        quiesce.cancel();
        watchdog.cancel();
        dead.tryComplete();
    }
}
