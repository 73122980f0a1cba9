package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Where threads meet, switched at every read and write of shared memory: a model checker runs small scenarios in many
 * interleavings, and whatever it comes upon must leave the sums right.
 *
 * <p>The operations return nothing, since what they return may well depend on who comes first; what is checked is what
 * stands when all have ended.
 */
@Timeout(300)
class InterleavingsTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");

    private static final NodeInfo PEER =
            new NodeInfo("b", "b-1", NodeInfo.State.UP, 1, NodeInfo.DEFAULT_ROLE, Set.of(), "store", "test");

    private static void check(Class<?> operations, int actors, int scenarios) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(actors)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(scenarios)
                .invocationsPerIteration(150)
                .check(operations);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    /** One whose every method does that. The model checker asks all objects that it meets whether they are equal. */
    private static <T> T stub(Class<T> type, Supplier<?> every) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    case "toString" -> type.getSimpleName();
                    default -> every.get();
                }));
    }

    // ---- places

    /** Takes and gives places back, at the bound in count and in bytes. */
    public static final class PlacesOps {
        private final Places places = new Places(2, 15);
        private final ConcurrentLinkedQueue<Integer> held = new ConcurrentLinkedQueue<>();

        @Operation
        public void takeLittle() {
            take(5);
        }

        @Operation
        public void takeMuch() {
            take(11);
        }

        private void take(int bytes) {
            if (places.take(bytes).done()) {
                held.add(bytes);
            }
        }

        @Operation
        public void give() {
            Integer bytes = held.poll();
            if (bytes != null) {
                places.give(bytes);
            }
        }

        @Validate
        public void nothingIsLostOrOverfull() {
            int bytes = held.stream().mapToInt(Integer::intValue).sum();
            require(places.count() == held.size(), "counted " + places.count() + ", held " + held);
            require(places.bytes() == bytes, "bytes " + places.bytes() + ", held " + held);
            require(held.size() <= 2 && bytes <= 15, "over the bound: " + held);
        }
    }

    @Test
    void placesAddUpAndAreNeverMoreThanThereAre() {
        check(PlacesOps.class, 4, 10);
    }

    // ---- claims

    /** Messages that wait for the owner of their shard, while its claim ends well or badly. */
    public static final class ClaimsOps {
        private final Places held = new Places(3, 1_000);
        private final ConcurrentLinkedQueue<Promise<ShardRow>> flights = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Waiting> all = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ended = new AtomicInteger();
        private final Claims claims = new Claims(stub(ShardTable.class, this::claimed), held);

        public ClaimsOps() {
            claim();
        }

        private Object claimed() {
            Promise<ShardRow> flight = Promise.promise();
            flights.add(flight);
            return flight.future();
        }

        private static final class Waiting implements Claims.Waiter {
            final AtomicInteger heard = new AtomicInteger();

            @Override
            public int size() {
                return 10;
            }

            @Override
            public void owned(ShardRow row) {
                heard.incrementAndGet();
            }

            @Override
            public void unowned(String reason) {
                heard.incrementAndGet();
            }

            @Override
            public void overloaded(Places.Taken place) {
                heard.incrementAndGet();
            }
        }

        @Operation
        public void claim() {
            Waiting waiting = new Waiting();
            all.add(waiting);
            claims.claim(3, waiting);
        }

        @Operation
        public void join() {
            Waiting waiting = new Waiting();
            if (claims.join(3, waiting)) {
                all.add(waiting);
            }
        }

        /** A claim ends, every other one well. */
        @Operation
        public void end() {
            Promise<ShardRow> flight = flights.poll();
            if (flight == null) {
                return;
            }
            if (ended.incrementAndGet() % 2 == 1) {
                flight.complete(ShardRow.unowned(3));
            } else {
                flight.fail("nobody");
            }
        }

        @Validate
        public void eachHearsOnceAndNothingIsHeld() {
            while (!flights.isEmpty()) {
                end();
            }
            require(claims.isEmpty(), "a claim that nobody ends");
            require(held.count() == 0 && held.bytes() == 0, held.count() + " held");
            all.forEach(waiting -> require(waiting.heard.get() == 1, "heard " + waiting.heard + " times"));
        }
    }

    @Test
    void whoWaitsForAClaimHearsOnce() {
        check(ClaimsOps.class, 2, 10);
    }

    // ---- links

    /*
     * Parts without a Vert.x, since the model checker follows every object that it can reach. What is given to the bus's
     * loop is never run: what is asked stays asked.
     */
    private static Parts parts() {
        ContextInternal stuck = stub(ContextInternal.class, () -> null);
        return new Parts(
                null,
                stuck,
                oneLoop(stuck),
                null,
                null,
                null,
                new ManualClock(),
                null,
                new CountingMetrics(),
                RouterOptions.of(BudgetLadder.ofDefaults()));
    }

    private static MeshLoops oneLoop(ContextInternal context) {
        try {
            Constructor<MeshLoops> made = MeshLoops.class.getDeclaredConstructor(List.class);
            made.setAccessible(true);
            return made.newInstance(List.of(new MeshLoops.Loop(context, "host")));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** What is asked of another node, and all that can end it. */
    public static final class LinkOps {

        private static final class Asked implements Attempt {
            final AtomicInteger ended = new AtomicInteger();
            final AtomicInteger forgotten = new AtomicInteger();
            volatile long id;

            @Override
            public void ended(Outcome outcome) {
                ended.incrementAndGet();
            }
        }

        private final Queue<Asked> all = new ConcurrentLinkedQueue<>();
        private final PeerLink link = new PeerLink(PEER, "a", parts(), (loop, entries) -> Future.succeededFuture());
        private final Asked first = asked();

        private Asked asked() {
            Asked asked = new Asked();
            Envelope envelope =
                    new Envelope(ADDRESS, "t", MeshBody.of("xyz"), Verb.REQUEST, null, 1000, 0, null, null, null, 1);
            asked.id = link.ask(envelope, 0, asked);
            all.add(asked);
            return asked;
        }

        @Operation
        public void ask() {
            asked();
        }

        @Operation
        public void answered() {
            link.answered(first.id, new Outcome.Accepted(ActivationId.of(1, 1)));
        }

        @Operation
        public void forget() {
            first.forgotten.incrementAndGet();
            link.forget(first.id);
        }

        @Operation
        public void lose() {
            link.lose("it was lost");
        }

        @Operation
        public void left() {
            link.left(0, "it has left");
        }

        @Operation
        public void part() {
            link.part("it is leaving");
        }

        @Validate
        public void eachAttemptEndsOnceUnlessItIsForgotten() {
            link.lose("the end");
            require(link.inFlight() == 0 && link.inFlightBytes() == 0, link.inFlight() + " in flight");
            for (Asked asked : all) {
                int ended = asked.ended.get();
                require(ended <= 1, "ended " + ended + " times");
                require(ended == 1 || asked.forgotten.get() > 0, "never ended");
            }
        }
    }

    @Test
    void whatIsAskedOfALinkEndsOnceWhateverBecomesOfThePeer() {
        check(LinkOps.class, 3, 8);
    }

    // ---- the links of a node

    /** Links that are made while their node is dropped. */
    public static final class LinksOps {
        private final Links links =
                new Links(peer -> new PeerLink(peer, "a", parts(), (loop, entries) -> Future.succeededFuture()));
        private final Queue<LinkOps.Asked> all = new ConcurrentLinkedQueue<>();

        @Operation
        public void ask() {
            LinkOps.Asked asked = new LinkOps.Asked();
            Envelope envelope =
                    new Envelope(ADDRESS, "t", MeshBody.of("xyz"), Verb.REQUEST, null, 1000, 0, null, null, null, 1);
            links.to(PEER).ifPresent(link -> {
                all.add(asked);
                link.ask(envelope, 0, asked);
            });
        }

        @Operation
        public void drop() {
            links.drop(PEER.incarnation(), "it was dropped");
        }

        @Operation
        public void reset() {
            links.reset("begun anew");
        }

        @Validate
        public void nothingIsAskedOfANodeThatWasDropped() {
            String incarnation = PEER.incarnation();
            require(
                    !links.isDropped(incarnation) || links.find(incarnation).isEmpty(),
                    "a link to a node that was dropped");
            links.drop(incarnation, "the end");
            all.forEach(asked -> require(asked.ended.get() == 1, "ended " + asked.ended + " times"));
        }
    }

    @Test
    void noLinkToANodeOutlivesItsBeingDropped() {
        check(LinksOps.class, 2, 10);
    }
}
