package io.meshhub.routing.router;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What waits to go to one inbound address of another node. Behind a {@link Frame.Parted} no message is written any more.
 *
 * <p>An empty queue sends at once: its first entry schedules a turn of the bus loop, which the channel needs anyway. What
 * comes before that turn travels with it, so frames grow with the load and a lone message never waits.
 */
final class FrameQueue {

    // Bounds of one frame: past them the rest goes in the next one, so that a frame never blocks a link for long.
    static final int MAX_ENTRIES = 1024;
    static final int MAX_BYTES = 256 * 1024;
    // From this on an entry begins a frame, so that what is before it is not read only with it.
    static final int LARGE = 64 * 1024;

    /** The peer was told that no more messages come; this one was not written. */
    static final class ClosedException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("it is leaving");
        }
    }

    private final Queue<Frame.Entry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ContextInternal busContext;
    private final Function<List<Frame.Entry>, Future<Void>> sender;
    private final BiConsumer<List<Frame.Entry>, @Nullable Throwable> written;
    // Of the bus loop alone.
    private boolean parted;

    /**
     * A queue of its own.
     *
     * @param busContext the context whose loop carries the connection
     * @param sender writes one frame of these entries
     * @param written hears of the entries of each frame, once: without a cause they were written
     */
    FrameQueue(
            ContextInternal busContext,
            Function<List<Frame.Entry>, Future<Void>> sender,
            BiConsumer<List<Frame.Entry>, @Nullable Throwable> written) {
        this.busContext = busContext;
        this.sender = sender;
        this.written = written;
    }

    /** Queues an entry behind those that wait; any thread. */
    void offer(Frame.Entry entry) {
        waiting.add(entry);
        if (scheduled.compareAndSet(false, true)) {
            busContext.runOnContext(turn -> flush());
        }
    }

    private void flush() {
        // Cleared first: an entry that is added from here on schedules a turn of its own, at worst an idle one.
        scheduled.set(false);
        List<Frame.Entry> entries = new ArrayList<>();
        int bytes = 0;
        for (Frame.Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
            boolean message = entry instanceof Frame.Ask || entry instanceof Frame.Tell;
            if (parted && message) {
                written.accept(List.of(entry), new ClosedException());
                continue;
            }
            parted |= entry instanceof Frame.Parted;
            int size = entry.size();
            if (size >= LARGE && !entries.isEmpty()) {
                write(entries);
                entries = new ArrayList<>();
                bytes = 0;
            }
            entries.add(entry);
            bytes += size;
            if (entries.size() == MAX_ENTRIES || bytes >= MAX_BYTES) {
                write(entries);
                entries = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!entries.isEmpty()) {
            write(entries);
        }
    }

    private void write(List<Frame.Entry> entries) {
        Future<Void> writing;
        try {
            writing = sender.apply(entries);
        } catch (RuntimeException e) {
            writing = Future.failedFuture(e);
        }
        writing.onComplete((nothing, cause) -> written.accept(entries, cause));
    }
}
