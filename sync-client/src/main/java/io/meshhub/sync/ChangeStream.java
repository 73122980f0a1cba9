package io.meshhub.sync;

import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a stream for a reader that may be slow: what it has not asked for is conflated to the latest, so nothing
 * piles up. It ends with the stream, with the failure first where one ended it.
 */
final class ChangeStream<T> implements ReadStream<SyncChange<T>> {

    private @Nullable Handler<SyncChange<T>> handler;
    private @Nullable Handler<Void> endHandler;
    private @Nullable Handler<Throwable> exceptionHandler;
    private @Nullable SyncChange<T> latest;
    private long demand = Long.MAX_VALUE;
    private boolean over;
    private boolean told;
    private @Nullable Throwable failure;

    void offer(SyncChange<T> change) {
        synchronized (this) {
            latest = change;
        }
        drain();
    }

    void end(@Nullable Throwable cause) {
        synchronized (this) {
            over = true;
            failure = cause;
        }
        drain();
    }

    private void drain() {
        SyncChange<T> next = null;
        Handler<SyncChange<T>> reader;
        boolean ends;
        synchronized (this) {
            reader = handler;
            if (reader != null && demand > 0 && latest != null) {
                next = latest;
                latest = null;
                demand = demand == Long.MAX_VALUE ? demand : demand - 1;
            }
            ends = over && !told && (latest == null);
            told |= ends;
        }
        if (reader != null && next != null) {
            reader.handle(next);
        }
        if (ends) {
            tellEnd();
        }
    }

    private void tellEnd() {
        Handler<Throwable> onFailure;
        Handler<Void> onEnd;
        Throwable cause;
        synchronized (this) {
            onFailure = exceptionHandler;
            onEnd = endHandler;
            cause = failure;
        }
        if (cause != null && onFailure != null) {
            onFailure.handle(cause);
        }
        if (onEnd != null) {
            onEnd.handle(null);
        }
    }

    @Override
    public synchronized ReadStream<SyncChange<T>> exceptionHandler(@Nullable Handler<Throwable> newHandler) {
        exceptionHandler = newHandler;
        return this;
    }

    @Override
    public ReadStream<SyncChange<T>> handler(@Nullable Handler<SyncChange<T>> newHandler) {
        synchronized (this) {
            handler = newHandler;
        }
        drain();
        return this;
    }

    @Override
    public synchronized ReadStream<SyncChange<T>> pause() {
        demand = 0;
        return this;
    }

    @Override
    public ReadStream<SyncChange<T>> resume() {
        return fetch(Long.MAX_VALUE);
    }

    @Override
    public ReadStream<SyncChange<T>> fetch(long amount) {
        synchronized (this) {
            demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
        }
        drain();
        return this;
    }

    @Override
    public synchronized ReadStream<SyncChange<T>> endHandler(@Nullable Handler<Void> newHandler) {
        endHandler = newHandler;
        return this;
    }
}
