package io.meshhub.routing.queues;

import io.vertx.core.internal.ContextInternal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for a turn on one context, in the order in which it came. An empty queue asks for a turn at once; what comes
 * until then shares it, so under load a hop from thread to thread is paid once for many.
 */
public final class TurnQueue<T> {

    private static final Logger LOG = LoggerFactory.getLogger(TurnQueue.class);

    // In one turn, before the loop does something else.
    private static final int TURN = 256;

    private final ContextInternal context;
    private final Consumer<T> taker;
    private final Runnable turned;
    private final Queue<T> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asked = new AtomicBoolean();

    /**
     * An empty queue.
     *
     * @param context where its turns are
     * @param taker takes each entry, in a turn
     * @param turned called at the end of each turn
     */
    public TurnQueue(ContextInternal context, Consumer<T> taker, Runnable turned) {
        this.context = context;
        this.taker = taker;
        this.turned = turned;
    }

    /** Puts an entry behind those that wait; any thread. */
    public void offer(T entry) {
        waiting.add(entry);
        ask();
    }

    private void ask() {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            context.runOnContext(turn -> run());
        }
    }

    private void run() {
        try {
            for (int i = 0; i < TURN; i++) {
                T entry = waiting.poll();
                if (entry == null) {
                    break;
                }
                take(entry);
            }
            turned.run();
        } finally {
            // What came after the last look asks for itself, or is seen here.
            asked.set(false);
            if (!waiting.isEmpty()) {
                ask();
            }
        }
    }

    private void take(T entry) {
        try {
            taker.accept(entry);
        } catch (RuntimeException e) {
            LOG.error("An entry was not taken; those behind it are", e);
        }
    }
}
