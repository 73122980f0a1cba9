package io.meshhub.query;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One who waits for a result, or follows it. Touched on the context of the fan-in, but for {@link #silence}.
 *
 * <p>Frames for another context wait there, a bounded number of them: one that is further behind gets a reset in the
 * place of what it missed, once it has read on.
 */
final class Subscriber {

    private static final Logger LOG = LoggerFactory.getLogger(QueryFanIn.class);

    private final QueryFanIn fanIn;
    private final SharedRun.Key key;
    private final boolean once;
    private final Duration bound;
    private final Consumer<QueryFrame> listener;
    private final @Nullable Context tellsOn;
    private volatile boolean silent;
    private int waiting;
    private boolean behind;
    private Pacer.Cancellable probe = Pacer.Cancellable.NONE;
    private @Nullable SharedRun run;
    private volatile boolean left;
    private Runnable whenLeft = () -> {};

    /**
     * Somebody who has not joined a run yet.
     *
     * @param once whether it leaves after the first frame
     * @param bound how long it waits for that
     * @param tellsOn where the listener is called; null for the context of the fan-in
     */
    Subscriber(
            QueryFanIn fanIn,
            SharedRun.Key key,
            boolean once,
            Duration bound,
            Consumer<QueryFrame> listener,
            @Nullable Context tellsOn) {
        this.fanIn = fanIn;
        this.key = key;
        this.once = once;
        this.bound = bound;
        this.listener = listener;
        this.tellsOn = tellsOn;
    }

    SharedRun.Key key() {
        return key;
    }

    Duration bound() {
        return bound;
    }

    boolean isOnce() {
        return once;
    }

    void joined(SharedRun newRun) {
        run = newRun;
    }

    void arm(Pacer.Cancellable newProbe) {
        probe = newProbe;
    }

    void whenLeft(Runnable action) {
        whenLeft = action;
    }

    /** Takes the first frame: nothing is waited for any more. Never throws. */
    void begin(QueryFrame frame) {
        probe.cancel();
        tell(frame, List::of);
    }

    /** Takes the last frame, unless it has left. Never throws. */
    void end(QueryFrame.Ended frame) {
        if (gone()) {
            tell(frame, List::of);
        }
    }

    /**
     * Tells a frame. Never throws: one whose context is closed leaves.
     *
     * @param shown what has been told all in all, where the listener has fallen behind
     */
    void tell(QueryFrame frame, Supplier<List<QueryNode>> shown) {
        if (tellsOn == null) {
            hear(frame);
            return;
        }
        boolean last = frame instanceof QueryFrame.Ended;
        if (!last && (behind || waiting >= fanIn.options().mostBehind())) {
            if (!behind) {
                behind = true;
                fanIn.count("query.listeners.behind");
            }
            return;
        }
        waiting++;
        try {
            tellsOn.runOnContext(turn -> {
                try {
                    hear(frame);
                } finally {
                    fanIn.execute(() -> heard(shown));
                }
            });
        } catch (RuntimeException e) {
            waiting--;
            silence();
            leave();
        }
    }

    private void heard(Supplier<List<QueryNode>> shown) {
        waiting--;
        if (waiting == 0 && behind && !left) {
            behind = false;
            tell(new QueryFrame.Reset(shown.get(), List.of()), shown);
        }
    }

    private void hear(QueryFrame frame) {
        if (silent) {
            return;
        }
        try {
            listener.accept(frame);
        } catch (Throwable e) {
            // Also an error is that of the listener alone.
            LOG.warn("A listener of query '{}' failed on node {}", key.text(), fanIn.node(), e);
        }
    }

    /** Tells nothing any more; from any thread. */
    void silence() {
        silent = true;
    }

    /** Leaves its run; idempotent. */
    void leave() {
        if (gone() && run != null) {
            run.left(this);
        }
    }

    /** It is of no run any more. Whether it was of one. Never throws. */
    boolean gone() {
        if (left) {
            return false;
        }
        left = true;
        fanIn.subscriberLeft();
        probe.cancel();
        try {
            whenLeft.run();
        } catch (RuntimeException e) {
            LOG.warn(
                    "A listener of query '{}' left on node {}, and its context knows it still",
                    key.text(),
                    fanIn.node(),
                    e);
        }
        return true;
    }

    /** From any thread. */
    boolean hasLeft() {
        return left;
    }
}
