package io.meshhub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.hub.HubRuntime;
import io.meshhub.hub.HubSetup;
import io.meshhub.hub.HubVerticle;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.guard.GuardOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** D11 on three nodes with a quorum of two: a handler that blocks its thread costs its own address, and nobody else. */
@Timeout(240)
class BlockedHubKeepsItsNodeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> NAMES = List.of("a", "b", "c");

    private final CountDownLatch latch = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final List<MeshHub> nodes = new ArrayList<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(HubRuntime.class);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    private final class Orders extends HubVerticle {

        @Override
        protected void configure(HubSetup setup) {
            setup.on(
                    "who",
                    MeshBody.class,
                    body -> Future.succeededFuture(hub().activation().value()));
            setup.on("block", MeshBody.class, body -> {
                entered.countDown();
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return Future.succeededFuture("late");
            });
        }
    }

    private void start() {
        String cluster = "it-" + UUID.randomUUID();
        List<Integer> ports = FreePorts.of(NAMES.size());
        Quorum quorum = new Quorum(2, 3, NAMES, Quorum.AfterLoss.SAFE, Quorum.DEFAULT_LEASE);
        for (int i = 0; i < NAMES.size(); i++) {
            nodes.add(TwoNodes.get(MeshHub.builder()
                    .cluster(TestNode.described(NAMES.get(i), cluster, ports.get(i), "127.0.0.1:" + ports.get(0))
                            .quorum(quorum)
                            .build())
                    // One of them carries the bus, and three the hubs.
                    .vertxOptions(new VertxOptions().setEventLoopPoolSize(4))
                    .guards(new GuardOptions(GuardOptions.DEFAULT_STORM_PER_SECOND, Duration.ofSeconds(1)))
                    .hub("orders", Orders::new)
                    .start()));
        }
        await().atMost(PATIENCE)
                .until(() -> nodes.stream()
                        .allMatch(node -> node.standing().isSound()
                                && node.standing().shardsToMove() == 0
                                && owned(node) > 200));
    }

    private long owned(MeshHub node) {
        String self = node.membership().self().incarnation();
        return IntStream.range(0, MeshAddress.SHARDS)
                .filter(shard -> nodes.stream()
                        .allMatch(each -> self.equals(each.shards().row(shard).owner())))
                .count();
    }

    private static List<MeshAddress> addressesOn(MeshHub node, int count) {
        String self = node.membership().self().incarnation();
        return IntStream.range(0, 10_000)
                .mapToObj(i -> MeshAddress.of("orders/" + i))
                .filter(address ->
                        self.equals(node.shards().row(address.shard()).owner()))
                .limit(count)
                .toList();
    }

    private Future<Long> who(MeshAddress address, boolean rideOut) {
        return nodes.get(0)
                .mesh()
                .request(
                        address,
                        "x",
                        Long.class,
                        MeshOptions.DEFAULT.withType("who").withRideOut(rideOut));
    }

    @AfterEach
    void end() {
        latch.countDown();
        log.detachAppender(said);
        for (MeshHub node : nodes) {
            TwoNodes.get(node.stop(Duration.ofSeconds(20)));
        }
    }

    @Test
    void otherLoopsAnswerTheAddressIsRefusedAsDeadAndTheNodeKeepsItsLease() throws InterruptedException {
        start();
        said.start();
        log.addAppender(said);
        MeshHub owner = nodes.get(1);
        String incarnation = owner.membership().self().incarnation();
        int loops = owner.membership().self().loops();
        List<MeshAddress> all = addressesOn(owner, 60);
        MeshAddress blocker = all.get(0);
        List<MeshAddress> elsewhere = all.stream()
                .filter(address -> address.loop(loops) != blocker.loop(loops))
                .toList();
        assertThat(elsewhere).hasSizeGreaterThan(10);
        Long before = TwoNodes.get(who(blocker, true));

        Future<Object> blocked =
                nodes.get(0).mesh().request(blocker, "x", Object.class, MeshOptions.DEFAULT.withType("block"));
        entered.await();
        await().atMost(PATIENCE).untilAsserted(() -> {
            Future<Long> refused = who(blocker, false);
            await().atMost(PATIENCE).until(refused::isComplete);
            assertThat(refused.cause()).isInstanceOfSatisfying(ShuttingDown.class, refusal -> {
                assertThat(refusal.runLevel()).contains(RunLevel.DEAD);
                assertThat(refusal.node()).contains("b");
                assertThat(refusal.activation().orElseThrow().value()).isEqualTo(before);
            });
        });
        assertThat(List.copyOf(said.list))
                .filteredOn(event -> event.getFormattedMessage().contains("Hub " + blocker + " has blocked loop"))
                .as("reported by name, once")
                .hasSize(1);

        // Longer than the lease that it had when it was blocked: it is renewed meanwhile.
        long until = System.nanoTime() + Quorum.DEFAULT_LEASE.plusSeconds(2).toNanos();
        int answers = 0;
        while (System.nanoTime() - until < 0) {
            for (MeshAddress address : elsewhere) {
                TwoNodes.get(who(address, false));
                answers++;
            }
            assertThat(owner.standing().lease().held()).isTrue();
        }
        assertThat(answers).isPositive();
        assertThat(owner.membership().self().incarnation()).isEqualTo(incarnation);

        Future<Long> rider = who(blocker, true);
        latch.countDown();
        assertThat(TwoNodes.get(rider)).as("served again by a new activation").isGreaterThan(before);
        await().atMost(PATIENCE).until(blocked::isComplete);
        // At its deadline, or when the thread came back: never as if its handler had not been entered.
        assertThat(blocked.cause())
                .isInstanceOfSatisfying(
                        MeshException.class, ended -> assertThat(ended.remedy()).isEqualTo(Remedy.RETRY_IF_IDEMPOTENT));
        assertThat(owner.membership().self().incarnation()).isEqualTo(incarnation);
    }
}
