package io.meshhub.sync;

import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import io.vertx.core.streams.ReadStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A copy of what one address publishes, kept current until it is closed.
 *
 * <p>Safe from any thread. Listeners are called on the Vert.x context that the stream was made on; for one that was made
 * on no context, on one of the client's. A stream that a hub or a verticle made ends with it; one to which nobody listens
 * ends when it is unreachable.
 *
 * @param <T> what the value is read as
 */
public final class SyncStream<T> implements AutoCloseable {

    private final SyncClient client;
    private final LocalStream<T> local;

    SyncStream(SyncClient client, LocalStream<T> local) {
        this.client = client;
        this.local = local;
    }

    /** The address that is followed. */
    public MeshAddress address() {
        return local.key().address();
    }

    /** What of its state, as a JSON pointer; empty for all. */
    public String view() {
        return local.key().view();
    }

    /**
     * The value as it is known now; empty when none has come, or the view names nothing. The value is the caller's own.
     *
     * @throws IllegalArgumentException when it cannot be read as the class that was asked for
     */
    public Optional<T> value() {
        Object value = local.seen().value();
        return value == null ? Optional.empty() : local.read(value);
    }

    /** The version of the owner's state that the value is of; 0 when none has come. */
    public long version() {
        return local.seen().version();
    }

    /** How long ago the owner was last heard of; empty when it never was. A value that does not change grows no older. */
    public Optional<Duration> age() {
        Upstream upstream = local.upstream();
        return upstream == null ? Optional.empty() : upstream.age();
    }

    /** How the stream stands. */
    public SyncState state() {
        return local.seen().state();
    }

    /**
     * Completes with the value once a first one has come.
     *
     * @return fails when the stream ends before; with what ended it
     */
    public Future<Optional<T>> first() {
        return local.first().map(come -> value());
    }

    /** Calls the listener with the value that is known, if any, and with each that follows. */
    public SyncStream<T> onChange(Consumer<? super SyncChange<T>> listener) {
        local.onChange(listener);
        return this;
    }

    /** Calls the listener with the state as it is, and with each that follows. */
    public SyncStream<T> onState(Consumer<? super SyncState> listener) {
        local.onState(listener);
        return this;
    }

    /**
     * The changes for a reader that may be slow: it gets the value that is known and each that follows, but for what it
     * has not asked for only the latest. It ends with the stream.
     */
    public ReadStream<SyncChange<T>> changes() {
        return local.changes();
    }

    /**
     * Changes the owner's state: what the function makes of the value is compared with that, and the difference is sent.
     * The owner makes it to what it has by then; a leaf that was changed there as well is a {@link
     * io.meshhub.routing.failure.Conflict}, and nothing is written.
     *
     * <p>Updates of one address by one process are made one after the other, each to what the one before left. An update
     * is sent again at most twice, and only when it is known that nothing was executed.
     *
     * @param change makes the new value of the old one, which it may change; called on the context of the stream, at most
     *     once
     * @return the value that stands, which is durable where the owner's state is; fails when nothing was written, or when
     *     that is not known
     */
    public Future<T> update(UnaryOperator<T> change) {
        return local.update(change);
    }

    /** Completes when the stream has ended, in whatever way; {@link #state} says how. */
    public Future<Void> ended() {
        return local.ended();
    }

    /** Ends the stream here: listeners hear of that, readers complete, the value stays. Idempotent. */
    @Override
    public void close() {
        // One that has ended may have done so with its Vert.x, whose loops take nothing any more.
        if (!(state() instanceof SyncState.Ended)) {
            client.execute(local::close);
        }
    }
}
