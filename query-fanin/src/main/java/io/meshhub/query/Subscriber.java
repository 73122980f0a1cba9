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
    private boolean left;
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

    /** Takes the first frame: nothing is waited for any more. */
    void begin(QueryFrame frame) {
        probe.cancel();
        tell(frame, List::of);
    }

    /**
     * Tells a frame.
     *
     * @param window what a reset would tell, where the listener has fallen behind
     */
    void tell(QueryFrame frame, Supplier<List<QueryNode>> window) {
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
        tellsOn.runOnContext(turn -> {
            hear(frame);
            fanIn.execute(() -> heard(window));
        });
    }

    private void heard(Supplier<List<QueryNode>> window) {
        waiting--;
        if (waiting == 0 && behind && !left) {
            behind = false;
            tell(new QueryFrame.Reset(window.get(), List.of()), window);
        }
    }

    private void hear(QueryFrame frame) {
        if (silent) {
            return;
        }
        try {
            listener.accept(frame);
        } catch (RuntimeException e) {
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

    /** It is of no run any more. Whether it was of one. */
    boolean gone() {
        if (left) {
            return false;
        }
        left = true;
        probe.cancel();
        whenLeft.run();
        fanIn.subscriberLeft();
        return true;
    }

    boolean hasLeft() {
        return left;
    }
}
