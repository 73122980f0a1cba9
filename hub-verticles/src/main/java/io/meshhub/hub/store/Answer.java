package io.meshhub.hub.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.RejectedExecutionException;

/** The answer to one call, given by a thread of the store and heard on the context of the caller. */
final class Answer<T> {

    private final Promise<T> promise = Promise.promise();
    private final Context context;

    /** An answer to whoever calls now. */
    Answer(Vertx vertx) {
        context = vertx.getOrCreateContext();
    }

    Future<T> future() {
        return promise.future();
    }

    void succeed(T result) {
        onContext(() -> promise.tryComplete(result));
    }

    void fail(Throwable reason) {
        onContext(() -> promise.tryFail(reason));
    }

    private void onContext(Runnable action) {
        try {
            context.runOnContext(ignored -> action.run());
        } catch (RejectedExecutionException e) {
            // Vert.x is closed: better answered here than never.
            action.run();
        }
    }
}
