package io.meshhub.testkit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** How the thread of a test waits, in real time. */
final class Patience {

    private static final long LOOK_MS = 5;

    private Patience() {}

    /** Waits until it holds; whether it did in time. */
    static boolean until(Duration bound, BooleanSupplier condition) {
        long end = System.nanoTime() + bound.toNanos();
        CountDownLatch never = new CountDownLatch(1);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            try {
                never.await(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        return true;
    }

    /** Waits until the future has ended, however. */
    static void end(Future<?> future, Duration bound) {
        notOnALoop();
        CountDownLatch ended = new CountDownLatch(1);
        future.onComplete(done -> ended.countDown());
        try {
            if (!ended.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("no answer within " + bound.toMillis() + " ms of real time");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for the value. */
    static <T> T value(Future<T> future, Duration bound) {
        notOnALoop();
        try {
            return future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("it failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + bound.toMillis() + " ms of real time", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** A loop that waited for itself would wait for ever. */
    static void notOnALoop() {
        if (Context.isOnEventLoopThread() || Vertx.currentContext() != null) {
            throw new IllegalStateException("a test waits on its own thread, not on one of Vert.x");
        }
    }

    private static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("the test was interrupted while it waited", e);
    }
}
