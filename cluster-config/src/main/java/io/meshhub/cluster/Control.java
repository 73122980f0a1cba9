package io.meshhub.cluster;

import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Where a node's part of the cluster runs: one task at a time, in order. A seam, so that a simulation owns the time. */
interface Control extends Executor, Pacer {

    /** The node whose part this is. */
    String node();

    /**
     * Waits for something, at most for the bound; the future completes in here. Its own failure is passed on.
     *
     * @return fails with {@link Unavailable} that says what, when it did not end in time
     */
    default <T> Future<T> bounded(Future<T> future, Duration bound, String what) {
        Promise<T> promise = Promise.promise();
        Cancellable timer = after(bound, () -> promise.tryFail(late(what, bound)));
        future.onComplete(done -> execute(() -> {
            timer.cancel();
            if (done.succeeded()) {
                promise.tryComplete(done.result());
            } else {
                promise.tryFail(done.cause());
            }
        }));
        return promise.future();
    }

    /** Calls it again at once when it fails, so many times in all; fails as the last one did. */
    default <T> Future<T> tried(int times, Supplier<Future<T>> call) {
        return call.get().recover(e -> times > 1 ? tried(times - 1, call) : Future.failedFuture(e));
    }

    /** What is said of something that did not end in time. */
    default Unavailable late(String what, Duration bound) {
        return unavailable(what + " did not end within " + bound.toMillis() + " ms");
    }

    /** The failure of this node's cluster part, for the reason given. */
    default Unavailable unavailable(String reason) {
        return new Unavailable(
                reason + " (node=" + node() + "); nothing was executed", FailureDetail.NONE.on(node()), false);
    }
}
