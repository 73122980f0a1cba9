package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.router.MeshLoops;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** D11, the bus's half: the loop that is found to carry the bus does carry it, and no other one does. */
@Timeout(180)
final class HubLoopsDoNotSilenceTheBusTest {

    private static final int LOOPS = 4;

    private final TestCluster cluster = new TestCluster(2);
    private ClusteredVertx asking;
    private ClusteredVertx asked;
    private MeshLoops hubs;

    @BeforeEach
    void start() {
        VertxOptions options = new VertxOptions().setEventLoopPoolSize(LOOPS);
        asked = TestCluster.await(ClusteredVertx.start(cluster.options("asked"), options, builder -> {}));
        asking = TestCluster.await(ClusteredVertx.start(cluster.options("asking"), options, builder -> {}));
        hubs = TestCluster.await(MeshLoops.create(asked.vertx(), LOOPS, asked::isBusLoop));
        List<Future<Void>> registered = new ArrayList<>();
        for (int i = 0; i < hubs.size(); i++) {
            String address = "loop." + i;
            Promise<Void> done = Promise.promise();
            hubs.get(i)
                    .context()
                    .runOnContext(v -> asked.vertx()
                            .eventBus()
                            .consumer(address, message -> message.reply("pong"))
                            .completion()
                            .onComplete(done));
            registered.add(done.future());
        }
        Promise<Void> warm = Promise.promise();
        asking.busContext()
                .runOnContext(v -> asking.vertx()
                        .eventBus()
                        .consumer("warm", message -> message.reply("warm"))
                        .completion()
                        .onComplete(warm));
        registered.add(warm.future());
        TestCluster.await(Future.all(registered));
        // Each direction has a connection of its own, which the first message on that way opens on its own loop.
        TestCluster.await(request(asked, "warm", Duration.ofSeconds(10)));
    }

    @AfterEach
    void end() {
        TestCluster.await(asking.close(Duration.ofSeconds(10)));
        TestCluster.await(asked.close(Duration.ofSeconds(10)));
    }

    private static Future<String> request(ClusteredVertx from, String address, Duration timeout) {
        Promise<String> answer = Promise.promise();
        from.busContext()
                .runOnContext(v -> from.vertx()
                        .eventBus()
                        .<String>request(address, "ping", new DeliveryOptions().setSendTimeout(timeout.toMillis()))
                        .map(message -> message.body())
                        .onComplete(answer));
        return answer.future();
    }

    private Future<String> ping(int loop, Duration timeout) {
        return request(asking, "loop." + loop, timeout);
    }

    private static CountDownLatch block(Context context) throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        context.runOnContext(v -> {
            blocked.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        blocked.await();
        return release;
    }

    @Test
    void withAnyHubLoopBlockedTheOthersAnswer() throws InterruptedException {
        assertThat(hubs.size()).isEqualTo(LOOPS - 1);
        for (int i = 0; i < hubs.size(); i++) {
            assertThat(TestCluster.await(ping(i, Duration.ofSeconds(10)))).isEqualTo("pong");
        }
        for (int blocked = 0; blocked < hubs.size(); blocked++) {
            CountDownLatch release = block(hubs.get(blocked).context());
            try {
                for (int other = 0; other < hubs.size(); other++) {
                    if (other != blocked) {
                        assertThat(TestCluster.await(ping(other, Duration.ofSeconds(10))))
                                .isEqualTo("pong");
                    }
                }
            } finally {
                release.countDown();
            }
        }
    }

    /** Watches the private field: were another loop found, a ping would be answered here. */
    @Test
    void withTheBusLoopBlockedNobodyAnswers() throws InterruptedException {
        assertThat(TestCluster.await(ping(0, Duration.ofSeconds(10)))).isEqualTo("pong");
        CountDownLatch release = block(asked.busContext());
        try {
            for (int i = 0; i < hubs.size(); i++) {
                int loop = i;
                assertThatThrownBy(() -> TestCluster.await(ping(loop, Duration.ofSeconds(1))))
                        .hasMessageContaining("Timed out");
            }
        } finally {
            release.countDown();
        }
        assertThat(TestCluster.await(ping(0, Duration.ofSeconds(10)))).isEqualTo("pong");
    }

    /** The connection to a peer is opened by the first message from the bus's context, and lives on its loop. */
    @Test
    void theAskersHubLoopsCarryNoConnectionEither() throws InterruptedException {
        MeshLoops askers = TestCluster.await(MeshLoops.create(asking.vertx(), LOOPS, asking::isBusLoop));
        assertThat(TestCluster.await(ping(0, Duration.ofSeconds(10)))).isEqualTo("pong");
        for (int i = 0; i < askers.size(); i++) {
            CountDownLatch release = block(askers.get(i).context());
            try {
                assertThat(TestCluster.await(ping(0, Duration.ofSeconds(10)))).isEqualTo("pong");
            } finally {
                release.countDown();
            }
        }
    }

    @Test
    void aVertxThatHangsIsCutOffAndSaysSo() throws InterruptedException {
        ClusteredVertx hanging = asked;
        CountDownLatch release = block(hubs.get(0).context());
        try {
            List<String> cut = TestCluster.await(hanging.close(Duration.ofSeconds(3)));

            // What the member needs is kept back for it.
            assertThat(cut).singleElement().asString().contains("Vert.x: Closing Vert.x did not end within 2000 ms");
            assertThat(hanging.hazelcast().getLifecycleService().isRunning()).isFalse();
        } finally {
            release.countDown();
        }
    }
}
