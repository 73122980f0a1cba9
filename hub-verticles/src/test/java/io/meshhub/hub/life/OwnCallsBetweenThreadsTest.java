package io.meshhub.hub.life;

import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A hub that sends from one thread, is answered on another and is ended by a third, switched at every read and write of
 * shared memory: nothing stays tracked, nothing that was sent stays without an end, and who waits hears of the last one.
 */
@Timeout(300)
class OwnCallsBetweenThreadsTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    /** What a hub, those that answer it and its end do. */
    public static final class Calls {
        private final Queue<Promise<Void>> open = new ConcurrentLinkedQueue<>();
        private final Queue<Future<Void>> heard = new ConcurrentLinkedQueue<>();
        private final AtomicInteger quiet = new AtomicInteger();
        private final AtomicInteger ends = new AtomicInteger();
        private final OwnCalls calls = new OwnCalls(
                mesh(),
                () -> Unavailable.notSent(ADDRESS, "a", "the hub has ended"),
                () -> null,
                quiet::incrementAndGet);

        public Calls() {
            calls.await();
        }

        private Mesh mesh() {
            return (Mesh) Proxy.newProxyInstance(
                    Mesh.class.getClassLoader(),
                    new Class<?>[] {Mesh.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "send" -> {
                            Promise<Void> sent = Promise.promise();
                            open.add(sent);
                            yield sent.future();
                        }
                        case "node" -> "a";
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> 1;
                        case "toString" -> "mesh";
                        default -> throw new IllegalStateException(method.getName());
                    });
        }

        @Operation(nonParallelGroup = "hub")
        public void send() {
            heard.add(calls.send(ADDRESS, "a message", MeshOptions.DEFAULT));
        }

        @Operation
        public void answer() {
            Promise<Void> sent = open.poll();
            if (sent != null) {
                sent.tryComplete();
            }
        }

        @Operation(nonParallelGroup = "end")
        public void close() {
            ends.incrementAndGet();
            calls.close();
        }

        @Validate
        public void nothingIsLeft() {
            for (Promise<Void> sent = open.poll(); sent != null; sent = open.poll()) {
                require(ends.get() > 0 || calls.pending() > 0, "what is under way is not tracked");
                sent.tryComplete();
            }
            require(calls.pending() == 0, calls.pending() + " are tracked and have ended");
            require(heard.stream().allMatch(Future::isComplete), "a send has no end");
            boolean answered = heard.stream().anyMatch(Future::succeeded);
            require(!answered || ends.get() > 0 || quiet.get() > 0, "nobody heard of the last one");
            if (ends.get() > 0) {
                require(calls.send(ADDRESS, "late", MeshOptions.DEFAULT).failed(), "a hub sent after its end");
                require(open.isEmpty(), "what was refused went out");
            }
        }
    }

    @Test
    void whatAHubSendsIsTrackedUntilItsEndAndNoLonger() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0)
                .iterations(8)
                .invocationsPerIteration(200)
                .check(Calls.class);
    }
}
