package io.meshhub.routing.router;

import io.meshhub.routing.queues.TurnQueue;
import io.netty.channel.EventLoop;
import io.vertx.core.internal.ContextInternal;

/** The event loop of those who ask on it: their replies come back there together. */
final class Home {

    private record Arrived(CallAttempt attempt, Outcome outcome) {}

    private final EventLoop loop;
    private final TurnQueue<Arrived> arrived;

    Home(ContextInternal context) {
        this.loop = context.nettyEventLoop();
        this.arrived = new TurnQueue<>(
                context, entry -> entry.attempt().call().ended(entry.attempt(), entry.outcome()), () -> {});
    }

    /** Whether this thread is that of the loop. */
    boolean isHere() {
        return loop.inEventLoop();
    }

    /** The outcome of an attempt, for its call. */
    void bring(CallAttempt attempt, Outcome outcome) {
        arrived.offer(new Arrived(attempt, outcome));
    }
}
