package io.meshhub.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A1: an address that is asked from two nodes at once has one life at a time. */
@Timeout(180)
class OneActivationAcrossNodesTest {

    private static final int ADDRESSES = 200;
    private static final int ASKERS = 4;

    /** The lives that go on now, of both nodes: they share this JVM. */
    private static final Map<MeshAddress, Set<ActivationId>> LIVING = new ConcurrentHashMap<>();

    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static final AtomicInteger TWICE = new AtomicInteger();

    @RegisterExtension
    static final MeshExtension MESH =
            MeshExtension.cluster(2).hub("lives", Life::new).build();

    record WhoAreYou() {}

    record Me(String node, long activation, int handled) {}

    /** Says that it has begun before it handles anything, and that it ends before it is over. */
    private static final class Life extends HubVerticle {
        private int handled;

        @Override
        protected void configure(HubSetup setup) {
            setup.idleTimeout(Duration.ofMinutes(1));
            setup.init(() -> {
                Set<ActivationId> living =
                        LIVING.computeIfAbsent(hub().address(), address -> ConcurrentHashMap.newKeySet());
                living.add(hub().activation());
                BEGUN.incrementAndGet();
                if (living.size() > 1) {
                    TWICE.incrementAndGet();
                }
                return Future.succeededFuture();
            });
            setup.onDispose(() -> {
                LIVING.get(hub().address()).remove(hub().activation());
                return Future.succeededFuture();
            });
            setup.on(
                    WhoAreYou.class,
                    ask -> Future.succeededFuture(
                            new Me(hub().node(), hub().activation().value(), ++handled)));
        }
    }

    @BeforeEach
    void forget() {
        LIVING.clear();
        BEGUN.set(0);
        TWICE.set(0);
    }

    private Future<Me> ask(int node, MeshAddress address) {
        return MESH.mesh(node).request(address, new WhoAreYou(), Me.class);
    }

    /** Longer than the deadline of a request: what comes late on a slow machine is no fault. */
    private static <T> T await(Future<T> future) {
        return Patience.value(future, Duration.ofSeconds(60));
    }

    /** A1. */
    @Test
    void twoNodesThatAskTheSameColdAddressAtTheSameInstantMeetOneActivation() throws InterruptedException {
        Map<MeshAddress, List<Future<Me>>> answers = new HashMap<>();
        for (int i = 0; i < ADDRESSES; i++) {
            MeshAddress address = MeshAddress.of("lives/cold/" + i);
            List<Future<Me>> asked = Collections.synchronizedList(new ArrayList<>());
            answers.put(address, asked);
            atOnce(() -> asked.add(ask(1, address)), () -> asked.add(ask(2, address)));
        }

        answers.forEach((address, asked) -> {
            List<Me> met =
                    asked.stream().map(OneActivationAcrossNodesTest::await).toList();
            assertThat(met).extracting(Me::activation).containsOnly(met.get(0).activation());
            assertThat(met).extracting(Me::node).containsOnly(met.get(0).node());
            assertThat(met).extracting(Me::handled).containsExactlyInAnyOrderElementsOf(numbers(ASKERS));
        });
        assertThat(TWICE).hasValue(0);
        assertThat(BEGUN).hasValue(ADDRESSES);
    }

    /** A1: the address grows cold again and again while both nodes ask. */
    @Test
    void anAddressThatIsRecycledWhileTwoNodesAskHasOneLifeAtATime() throws InterruptedException {
        for (int owner = 1; owner <= 2; owner++) {
            MeshAddress address = MESH.addressOn(owner, "lives");
            List<Future<?>> all = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 50; i++) {
                atOnce(
                        () -> all.add(ask(1, address)),
                        () -> all.add(ask(2, address)),
                        () -> all.add(MESH.mesh(1).recycle(address)));
            }
            all.forEach(OneActivationAcrossNodesTest::await);
        }

        assertThat(TWICE).hasValue(0);
        assertThat(BEGUN).hasValueGreaterThan(10);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }

    /** Does each of these several times on threads that begin together. */
    private static void atOnce(Runnable... actions) throws InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (Runnable action : actions) {
            for (int i = 0; i < ASKERS / 2; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        begin.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    action.run();
                });
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
