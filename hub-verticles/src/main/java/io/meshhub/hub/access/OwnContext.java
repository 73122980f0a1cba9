package io.meshhub.hub.access;

import io.meshhub.routing.spi.MeshMetrics;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context on which a verticle does its work, whoever calls, and its meter, which never fails it. Safe from any thread;
 * open between the verticle's start and its stop.
 */
public final class OwnContext {

    private static final Logger LOG = LoggerFactory.getLogger(OwnContext.class);

    private final String closed;
    private final MeshMetrics metrics;
    private final AtomicBoolean meterFailed = new AtomicBoolean();
    private volatile @Nullable ContextInternal own;

    /**
     * One that is not open yet.
     *
     * @param closed what is said to whoever comes while it is not open, such as "node a does not decide"
     */
    public OwnContext(String closed, MeshMetrics metrics) {
        this.closed = closed;
        this.metrics = metrics;
    }

    /** Opens it. */
    public void open(Context context) {
        own = (ContextInternal) context;
    }

    /** Takes no more. */
    public void close() {
        own = null;
    }

    /** Whether it is open. */
    public boolean isOpen() {
        return own != null;
    }

    /**
     * Runs the action there: at once when that is the current context. Never within the turn of a caller, whose principal is
     * not that of a reading which all share.
     *
     * @throws IllegalStateException while it is not open
     */
    public void execute(Runnable action) {
        ContextInternal there = own;
        if (there == null) {
            throw new IllegalStateException(closed);
        }
        if (Vertx.currentContext() == there) {
            action.run();
        } else {
            there.runOnContext(turn -> action.run());
        }
    }

    /** The same for what is of no use any more where it is not open. */
    public void executeIfOpen(Runnable action) {
        try {
            execute(action);
        } catch (RuntimeException e) {
            LOG.debug("It is too late for an action: {}", closed, e);
        }
    }

    /** Completes once all that was posted before has been done. */
    public Future<Void> settled() {
        Promise<Void> done = Promise.promise();
        execute(done::complete);
        return done.future();
    }

    /** A promise whose listeners run where the caller is. */
    public static <T> Promise<T> promise() {
        ContextInternal asking = (ContextInternal) Vertx.currentContext();
        return asking == null ? Promise.promise() : asking.promise();
    }

    /** Counts once for each provider, or for {@code none} where none is to blame. */
    public void countProviders(String name, List<String> providers) {
        try {
            (providers.isEmpty() ? List.of("none") : providers)
                    .forEach(provider -> metrics.count(name, "provider", provider));
        } catch (RuntimeException e) {
            if (meterFailed.compareAndSet(false, true)) {
                LOG.warn("A meter fails (first at {}); what it counts goes on without it", name, e);
            }
        }
    }
}
