package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits in tests, under a watchdog. */
final class Await {

    private static final int WATCHDOG_SECONDS = 10;

    private Await() {}

    static <T> T value(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WATCHDOG_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    static <E extends Throwable> E failure(Future<?> future, Class<E> type) {
        ended(future);
        assertThat(future.failed()).as("failed, not: %s", future).isTrue();
        assertThat(future.cause()).isExactlyInstanceOf(type);
        return type.cast(future.cause());
    }

    static void ended(Future<?> future) {
        until(future::isComplete);
    }

    static void until(Callable<Boolean> condition) {
        await().pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(WATCHDOG_SECONDS))
                .until(condition);
    }
}
