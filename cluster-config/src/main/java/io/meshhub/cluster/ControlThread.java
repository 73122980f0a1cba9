package io.meshhub.cluster;

import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which a node keeps its part of the cluster: what happens there happens in order, and goes on while an
 * event loop is blocked.
 *
 * <p>Nothing blocks it; calls that block have threads of their own.
 */
public final class ControlThread implements Control, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);

    private final String node;
    private final ScheduledThreadPoolExecutor control;
    private final ExecutorService blocking;

    /** Starts the threads of the node of that name. */
    public ControlThread(String node) {
        this.node = node;
        this.control = new ScheduledThreadPoolExecutor(1, named("mesh-control-" + node));
        control.setRemoveOnCancelPolicy(true);
        control.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.blocking = Executors.newCachedThreadPool(named("mesh-cluster-io-" + node));
    }

    // No daemons: a program whose main method only starts a node must not end before that node has joined.
    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(false);
            return thread;
        };
    }

    /** Runs the task after all that were given before; at once, on the calling thread, when this one has ended. */
    @Override
    public void execute(Runnable task) {
        try {
            control.execute(() -> guarded(task));
        } catch (RejectedExecutionException ended) {
            // What completes after the end still has to reach whoever waits for it.
            guarded(task);
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A control task of node {} failed; the others go on", node, e);
        }
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        try {
            ScheduledFuture<?> scheduled =
                    control.schedule(() -> guarded(action), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException ended) {
            return Cancellable.NONE;
        }
    }

    /**
     * Runs a call that blocks beside all others, so that one which is stuck holds nothing up; the future completes on the
     * control thread.
     */
    <T> Future<T> blocking(Callable<T> call) {
        Promise<T> promise = Promise.promise();
        try {
            blocking.execute(() -> {
                try {
                    T result = call.call();
                    execute(() -> promise.complete(result));
                } catch (Exception | Error e) {
                    execute(() -> promise.fail(e));
                }
            });
        } catch (RejectedExecutionException ended) {
            promise.fail(ended);
        }
        return promise.future();
    }

    /**
     * Waits for a cluster operation, at most for the bound; the future completes on the control thread.
     *
     * @return fails with {@link Unavailable} that says what, when it failed or did not end in time
     */
    <T> Future<T> bounded(CompletionStage<T> stage, Duration bound, String what) {
        Promise<T> promise = Promise.promise();
        Cancellable timer = after(bound, () -> promise.tryFail(late(what, bound)));
        stage.whenCompleteAsync(
                (result, failure) -> {
                    timer.cancel();
                    if (failure == null) {
                        promise.tryComplete(result);
                    } else {
                        promise.tryFail(unavailable(what + " failed: " + failure));
                    }
                },
                this);
        return promise.future();
    }

    @Override
    public String node() {
        return node;
    }

    /** Ends the threads; what was to run later does not run. */
    @Override
    public void close() {
        control.shutdown();
        blocking.shutdown();
    }
}
