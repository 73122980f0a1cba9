package io.meshhub.routing.router;

import io.meshhub.routing.queues.TurnQueue;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Queues that a thread fills and a loop empties, switched at every read and write of shared memory: nothing is
 * forgotten without a turn that takes it, nothing is taken twice, and what was offered stays in order.
 */
@Timeout(300)
class QueuesBetweenThreadsTest {

    private static void check(Class<?> operations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0)
                .iterations(8)
                .invocationsPerIteration(200)
                .check(operations);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    /** A loop that runs a turn when it is told to. */
    private static final class Loop {
        private final Queue<Handler<Void>> turns = new ConcurrentLinkedQueue<>();

        ContextInternal context() {
            return (ContextInternal) Proxy.newProxyInstance(
                    ContextInternal.class.getClassLoader(),
                    new Class<?>[] {ContextInternal.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> 1;
                        case "toString" -> "loop";
                        case "runOnContext" -> {
                            @SuppressWarnings("unchecked")
                            Handler<Void> turn = (Handler<Void>) arguments[0];
                            turns.add(turn);
                            yield null;
                        }
                        default -> throw new IllegalStateException(method.getName());
                    });
        }

        boolean turn() {
            Handler<Void> next = turns.poll();
            if (next == null) {
                return false;
            }
            next.handle(null);
            return true;
        }
    }

    private static void requireOnceAndInOrder(List<Integer> taken, int offered) {
        require(
                taken.equals(IntStream.range(0, offered).boxed().toList()),
                "taken " + taken + " of " + offered + " that were offered in order");
    }

    /** Entries for one context. */
    public static final class TurnQueueOps {
        private final Loop loop = new Loop();
        private final List<Integer> taken = new ArrayList<>();
        private final AtomicInteger offered = new AtomicInteger();
        private final TurnQueue<Integer> queue = new TurnQueue<>(loop.context(), taken::add, () -> {});

        @Operation(nonParallelGroup = "sender")
        public void offer() {
            queue.offer(offered.getAndIncrement());
        }

        @Operation(nonParallelGroup = "loop")
        public void turn() {
            loop.turn();
        }

        @Validate
        public void eachIsTakenOnceAndInOrder() {
            while (loop.turn()) {
                // Until nobody asks for a turn.
            }
            requireOnceAndInOrder(taken, offered.get());
        }
    }

    @Test
    void whatWaitsForATurnIsTakenOnceAndInOrder() {
        check(TurnQueueOps.class);
    }

    /** Entries of frames for one inbound address. */
    public static final class FrameQueueOps {
        private final Loop loop = new Loop();
        private final List<Integer> sent = new ArrayList<>();
        private final AtomicInteger heard = new AtomicInteger();
        private final AtomicInteger offered = new AtomicInteger();
        private final FrameQueue queue = new FrameQueue(
                loop.context(),
                entries -> {
                    entries.forEach(entry -> sent.add((int) ((Frame.Unreadable) entry).id()));
                    return Future.succeededFuture();
                },
                (entries, cause) -> heard.addAndGet(entries.size()));

        @Operation(nonParallelGroup = "sender")
        public void offer() {
            queue.offer(new Frame.Unreadable(offered.getAndIncrement(), 0, ""));
        }

        @Operation(nonParallelGroup = "loop")
        public void turn() {
            loop.turn();
        }

        @Validate
        public void eachIsWrittenOnceAndInOrder() {
            while (loop.turn()) {
                // Until nobody asks for a turn.
            }
            requireOnceAndInOrder(sent, offered.get());
            require(heard.get() == sent.size(), "heard of " + heard + " of " + sent.size());
        }
    }

    @Test
    void whatGoesToAPeerIsWrittenOnceAndInOrder() {
        check(FrameQueueOps.class);
    }
}
