package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.hub.store.InMemoryNodeStore;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RideOutPolicy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** O1: a stop takes every step, whatever hangs in it, and says what that was. */
@Timeout(60)
class StopIsBoundedTest {

    private static final Duration DRAIN = Duration.ofSeconds(3);

    private final CountDownLatch latch = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final List<String> steps = new CopyOnWriteArrayList<>();

    private final class HangingStore extends ForwardingNodeStore {

        HangingStore() {
            super(new InMemoryNodeStore());
        }

        @Override
        public Future<Void> close() {
            steps.add("store");
            return Promise.<Void>promise().future();
        }
    }

    @AfterEach
    void letGo() {
        latch.countDown();
    }

    private MeshHub.Builder builder() {
        MeshHub.Builder builder = MeshHub.builder()
                .name("a")
                .options(HubOptions.ofDefaults()
                        .withDisposal(
                                new DisposalBounds(Duration.ofMillis(100), Duration.ofMillis(500)),
                                RideOutPolicy.ofDefaults()))
                .hub(
                        "orders",
                        () -> new TestHub((self, setup) -> {
                            setup.on("block", Object.class, body -> {
                                block();
                                return Future.succeededFuture();
                            });
                            setup.on("quick", Object.class, body -> Future.succeededFuture("x"));
                            setup.onDispose(() -> {
                                steps.add("disposed " + self.self().address());
                                return Future.succeededFuture();
                            });
                        }));
        builder.tail = Duration.ofSeconds(2);
        return builder;
    }

    private void block() {
        entered.countDown();
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void ask(MeshHub hub, String address, String type) {
        hub.mesh().notify(MeshAddress.of(address), "x", MeshOptions.DEFAULT.withType(type));
    }

    @Test
    void aHubThatBlocksAStoreThatHangsAndAnActionThatHangsAreNamedAndAllElseIsDone() throws InterruptedException {
        MeshHub hub = HubHouse.await(builder()
                .store(vertx -> Future.succeededFuture(new HangingStore()), (store, own) -> {})
                .start());
        hub.onStop(() -> {
            steps.add("lastly");
            return Promise.promise().future();
        });
        hub.onStop(() -> {
            throw new IllegalStateException("on purpose");
        });
        String elsewhere = "orders/other";
        for (int i = 0;
                MeshAddress.of(elsewhere).loop(hub.membership().self().loops())
                        == MeshAddress.of("orders/42")
                                .loop(hub.membership().self().loops());
                i++) {
            elsewhere = "orders/other-" + i;
        }
        HubHouse.await(hub.mesh()
                .request(MeshAddress.of(elsewhere), "x", String.class, MeshOptions.DEFAULT.withType("quick")));
        ask(hub, "orders/42", "block");
        entered.await();

        Future<MeshHub.Stopped> stop = hub.stop(DRAIN);
        assertThat(hub.stop(Duration.ofHours(1))).as("there is one stop").isSameAs(stop);
        String cut = HubHouse.await(stop).cut().orElseThrow();
        assertThat(cut)
                .startsWith(
                        "hubs that do not end, since their thread is blocked: hub orders/42 in its handler of 'block' on"
                                + " loop ")
                .contains("; what runs at the stop did not end within ")
                .contains("; closing the store did not end within ")
                .contains("; closing Vert.x and the cluster did not end within ");
        assertThat(steps).containsExactly("disposed " + elsewhere, "lastly", "store");
    }

    @Test
    void aStopInWhichNothingHangsCutsNothing() {
        MeshHub hub = HubHouse.await(builder().start());
        hub.onStop(() -> {
            steps.add("lastly");
            return Future.succeededFuture();
        });
        HubHouse.await(hub.mesh()
                .request(MeshAddress.of("orders/42"), "x", String.class, MeshOptions.DEFAULT.withType("quick")));
        assertThat(HubHouse.await(hub.stop(DRAIN)).cut()).isEmpty();
        assertThat(steps).containsExactly("disposed orders/42", "lastly");
    }
}
