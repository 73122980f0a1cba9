package io.meshhub.hub.guard;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.spi.Delivery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one hub loop at its gate. Most pass at once; where the gate decides later, those that follow to the same
 * address wait behind, so that their order holds. Touched only on the loop.
 */
public final class GateQueue {

    /** The most messages of a loop that wait for a decision: 4096. */
    public static final int MOST = 4096;

    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    private record Waiting(Delivery delivery, Future<?> decision) {}

    private final String node;
    private final Supplier<Gates> gates;
    private final Executor loop;
    private final Consumer<Delivery> passed;
    private final BiConsumer<Delivery, MeshException> refused;
    private final Map<MeshAddress, ArrayDeque<Waiting>> lines = new HashMap<>();
    private int size;

    /**
     * Nobody waits yet.
     *
     * @param node the name of this node
     * @param loop runs something on the loop, at once when that is where it is
     * @param passed takes what may go on
     * @param refused takes what may not, and why
     */
    public GateQueue(
            String node,
            Supplier<Gates> gates,
            Executor loop,
            Consumer<Delivery> passed,
            BiConsumer<Delivery, MeshException> refused) {
        this.node = node;
        this.gates = gates;
        this.loop = loop;
        this.passed = passed;
        this.refused = refused;
    }

    /** Takes a message; it has left when its decision is known and all before it to its address have left. */
    public void offer(Delivery delivery) {
        Future<?> decision = gates.get().ask(delivery.envelope());
        if (size == 0 && decision == null) {
            passed.accept(delivery);
        } else {
            offer(delivery, decision == null ? Future.succeededFuture() : decision);
        }
    }

    private void offer(Delivery delivery, Future<?> decision) {
        MeshAddress address = delivery.envelope().to();
        ArrayDeque<Waiting> line = lines.get(address);
        if (line == null && decision.isComplete()) {
            leave(delivery, decision.cause());
            return;
        }
        if (size >= MOST) {
            refused.accept(delivery, Overloaded.at(address, node, "gate", size, RETRY_AFTER));
            return;
        }
        size++;
        lines.computeIfAbsent(address, absent -> new ArrayDeque<>(2)).add(new Waiting(delivery, decision));
        decision.onComplete((passes, cause) -> loop.execute(() -> settle(address)));
    }

    /** How many wait. */
    public int size() {
        return size;
    }

    private void settle(MeshAddress address) {
        ArrayDeque<Waiting> line = lines.get(address);
        while (line != null && !line.isEmpty() && line.element().decision().isComplete()) {
            Waiting first = line.remove();
            size--;
            if (line.isEmpty()) {
                lines.remove(address);
            }
            leave(first.delivery(), first.decision().cause());
        }
    }

    private void leave(Delivery delivery, @Nullable Throwable cause) {
        if (cause != null) {
            refused.accept(
                    delivery, MeshFailures.classify(cause, delivery.envelope().to(), node));
        } else if (!delivery.isEnded()) {
            passed.accept(delivery);
        }
    }
}
