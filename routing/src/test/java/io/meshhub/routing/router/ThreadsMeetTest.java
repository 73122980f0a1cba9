package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where several threads meet on one object: thousands of rounds that all begin at the same moment. */
class ThreadsMeetTest {

    private static final int ROUNDS = 3_000;
    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final ActivationId ID = ActivationId.of(1, 1);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.value(vertx.close());
    }

    private static Envelope envelope(int bytes) {
        return new Envelope(
                ADDRESS, "t", MeshBody.of("x".repeat(bytes)), Verb.REQUEST, null, 1000, 0, null, null, null, 1);
    }

    /** Runs each round of actions at once, each on its own thread; the check comes after each round. */
    private static void race(int rounds, Runnable before, Runnable after, Runnable... actions) {
        AtomicReference<Throwable> fault = new AtomicReference<>();
        CyclicBarrier barrier = new CyclicBarrier(actions.length + 1);
        List<Thread> threads = new ArrayList<>();
        for (Runnable action : actions) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    meet(barrier);
                    try {
                        action.run();
                    } catch (Throwable t) {
                        fault.compareAndSet(null, t);
                    }
                    meet(barrier);
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (int i = 0; i < rounds; i++) {
            before.run();
            meet(barrier);
            meet(barrier);
            if (fault.get() == null) {
                try {
                    after.run();
                } catch (Throwable t) {
                    fault.compareAndSet(null, t);
                }
            }
        }
        threads.forEach(thread -> {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(fault.get()).isNull();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aDeliveryEndsOnceWhoeverEndsIt() {
        AtomicReference<OwnerDelivery> delivery = new AtomicReference<>();
        AtomicInteger outcomes = new AtomicInteger();
        AtomicInteger abandoned = new AtomicInteger();
        race(
                ROUNDS,
                () -> {
                    outcomes.set(0);
                    delivery.set(new OwnerDelivery(envelope(1), 0, outcome -> outcomes.incrementAndGet()));
                },
                () -> {
                    assertThat(outcomes.get()).isLessThanOrEqualTo(1);
                    assertThat(delivery.get().isEnded()).isTrue();
                    assertThat(delivery.get().description())
                            .as("nothing is held on to")
                            .isNull();
                    abandoned.addAndGet(1 - outcomes.get());
                },
                () -> delivery.get().reply(MeshBody.NULL, ID),
                () -> delivery.get().fail(Unavailable.notSent(ADDRESS, "a", "test")),
                () -> delivery.get().abandon(),
                () -> delivery.get().describedBy(() -> Unavailable.notSent(ADDRESS, "a", "test")));
        assertThat(abandoned.get()).isLessThan(ROUNDS);
    }

    @Test
    void whatWaitsForAClaimHearsOnceAndGivesItsPlaceBack() {
        Places held = new Places(4, 1_000);
        AtomicReference<Promise<ShardRow>> claim = new AtomicReference<>();
        FakeShards shards = new FakeShards();
        shards.claimer(shard -> claim.get().future());
        Claims claims = new Claims(shards, held);
        AtomicInteger heard = new AtomicInteger();
        final class Counted implements Claims.Waiter {
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
        Runnable claiming = () -> {
            claims.claim(3, new Counted());
            claims.claim(3, new Counted());
        };
        AtomicInteger round = new AtomicInteger();
        race(
                ROUNDS,
                () -> {
                    heard.set(0);
                    claim.set(Promise.promise());
                    round.incrementAndGet();
                },
                () -> {
                    claim.get().tryComplete(ShardRow.unowned(3));
                    assertThat(heard).hasValue(6);
                    assertThat(held.count()).isZero();
                    assertThat(held.bytes()).isZero();
                    assertThat(claims.isEmpty()).isTrue();
                },
                claiming,
                claiming,
                claiming,
                () -> {
                    if (round.get() % 2 == 0) {
                        claim.get().tryComplete(ShardRow.unowned(3));
                    } else {
                        claim.get().tryFail("nobody");
                    }
                });
    }

    @Test
    void aPlaceOfALinkIsGivenBackOnceUnderEveryEnd() {
        TwoNodes nodes = new TwoNodes();
        try {
            AtomicReference<PeerLink> link = new AtomicReference<>();
            AtomicInteger outcomes = new AtomicInteger();
            AtomicInteger forgotten = new AtomicInteger();
            Parts parts = nodes.caller.parts;
            long[] ids = new long[2];
            race(
                    ROUNDS,
                    () -> {
                        outcomes.set(0);
                        link.set(new PeerLink(
                                nodes.owner.info, "a", parts, (loop, entries) -> Future.succeededFuture()));
                        ids[0] = link.get().ask(envelope(7), 0, outcome -> outcomes.incrementAndGet());
                        ids[1] = link.get().ask(envelope(9), 0, outcome -> outcomes.incrementAndGet());
                    },
                    () -> {
                        assertThat(link.get().inFlight()).isZero();
                        assertThat(link.get().inFlightBytes()).isZero();
                        // The third that is asked meanwhile, and the two unless they were forgotten.
                        assertThat(outcomes.get()).isBetween(2, 3);
                        forgotten.addAndGet(3 - outcomes.get());
                    },
                    () -> link.get().answered(ids[0], new Outcome.Accepted(ID)),
                    () -> link.get().forget(ids[0]),
                    () -> link.get().answered(ids[1], new Outcome.Accepted(ID)),
                    () -> link.get().ask(envelope(11), 0, outcome -> outcomes.incrementAndGet()),
                    () -> link.get().lose("it was lost"));
            assertThat(forgotten.get()).isLessThan(ROUNDS);
        } finally {
            nodes.close();
        }
    }

    @Test
    void aQueueLosesNothingAndKeepsTheOrderOfEachSender() {
        ContextInternal bus = ((VertxInternal) vertx).createEventLoopContext();
        ConcurrentLinkedQueue<Frame.Entry> written = new ConcurrentLinkedQueue<>();
        AtomicInteger told = new AtomicInteger();
        FrameQueue queue = new FrameQueue(
                bus,
                entries -> {
                    written.addAll(entries);
                    return Future.succeededFuture();
                },
                (entries, cause) -> told.addAndGet(entries.size()));
        int senders = 4;
        AtomicInteger[] next = new AtomicInteger[senders];
        Runnable[] actions = new Runnable[senders];
        for (int i = 0; i < senders; i++) {
            int sender = i;
            next[i] = new AtomicInteger();
            actions[i] =
                    () -> queue.offer(new Frame.Answer(next[sender].getAndIncrement(), new Outcome.Corrected(sender)));
        }
        race(ROUNDS, () -> {}, () -> {}, actions);
        Await.until(() -> told.get() == senders * ROUNDS);
        int[] expected = new int[senders];
        for (Frame.Entry entry : written) {
            Frame.Answer answer = (Frame.Answer) entry;
            int sender = (int) ((Outcome.Corrected) answer.outcome()).epoch();
            assertThat(answer.id()).isEqualTo(expected[sender]++);
        }
        assertThat(expected).containsOnly(ROUNDS);
    }
}
