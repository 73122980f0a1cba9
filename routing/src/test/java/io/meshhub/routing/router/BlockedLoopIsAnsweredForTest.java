package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** D11, the router's part: a hub loop is blocked for real, and what can be said without it is said. */
class BlockedLoopIsAnsweredForTest {

    private static final MeshAddress BLOCKER = TwoNodes.ADDRESS;
    private static final int LOOP = BLOCKER.loop(TwoNodes.LOOPS);
    private static final MeshAddress SUFFERER = other(LOOP);
    private static final MeshAddress ELSEWHERE = other(1 - LOOP);
    private static final ActivationId ID = ActivationId.of(TwoNodes.EPOCH, 7);

    private final TwoNodes nodes = new TwoNodes();
    private final CountDownLatch latch = new CountDownLatch(1);

    private static MeshAddress other(int loop) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> MeshAddress.of("orders/other-" + i))
                .filter(address -> address.loop(TwoNodes.LOOPS) == loop)
                .findFirst()
                .orElseThrow();
    }

    @BeforeEach
    void block() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        nodes.owner.loops.get(LOOP).context().runOnContext(turn -> {
            blocked.countDown();
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        blocked.await();
        nodes.owner.activator.blocked(LOOP, BLOCKER, ShuttingDown.refusal(BLOCKER, ID, RunLevel.DEAD, "b"));
    }

    @AfterEach
    void close() {
        latch.countDown();
        nodes.close();
    }

    private static Future<MeshReply> ask(TestNode node, MeshAddress to, boolean rideOut) {
        return node.mesh
                .call(to, "ping", MeshOptions.DEFAULT.withRideOut(rideOut))
                .answer();
    }

    @Test
    void theHubThatBlocksIsRefusedAsDeadOnBothNodes() {
        for (TestNode node : new TestNode[] {nodes.caller, nodes.owner}) {
            ShuttingDown failure = Await.failure(ask(node, BLOCKER, false), ShuttingDown.class);
            assertThat(failure.runLevel()).contains(RunLevel.DEAD);
            assertThat(failure.activation()).contains(ID);
        }
        assertThat(nodes.owner.activator.count()).isZero();
    }

    @Test
    void pingsAndTheOtherLoopsAreAnswered() {
        Await.value(nodes.caller.mesh.ping(nodes.owner.info, Duration.ofSeconds(5)));
        Await.value(ask(nodes.caller, ELSEWHERE, false));
        Await.value(ask(nodes.owner, ELSEWHERE, false));
    }

    @Test
    void whoeverWaitsForAnotherHubOfTheLoopHearsAtItsDeadline() {
        Future<MeshReply> here = ask(nodes.owner, SUFFERER, true);
        Future<MeshReply> there = ask(nodes.caller, SUFFERER, true);
        Await.until(() -> nodes.caller.mesh.inFlight() == 1);
        turn(nodes.owner.busContext);
        nodes.advance(Duration.ofSeconds(25));
        Await.failure(here, DeadlineExceeded.class);
        Await.failure(there, DeadlineExceeded.class);
        latch.countDown();
        nodes.settle();
        assertThat(nodes.owner.activator.count())
                .as("nobody waits for it any more")
                .isZero();
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void aCallerRidesUntilTheThreadComesBack() {
        Future<MeshReply> riding = ask(nodes.caller, BLOCKER, true);
        Await.until(() -> nodes.caller.mesh.resting() == 1);
        latch.countDown();
        nodes.owner.activator.freed();
        nodes.owner.mesh.released(BLOCKER, ID);
        Await.value(riding);
        assertThat(nodes.owner.activator.count()).isEqualTo(1);
    }

    @Test
    void aShardThatWasGivenAwayIsCorrectedWithoutTheLoop() {
        nodes.both(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.RELEASE));
        nodes.caller.shards.set(nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM));
        nodes.caller.shards.cluster(shard ->
                Future.succeededFuture(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.RELEASE)));
        Await.value(ask(nodes.caller, BLOCKER, false));
        assertThat(nodes.caller.activator.count()).isEqualTo(1);
    }

    @Test
    void theNodeStops() {
        Await.value(nodes.owner.mesh.stop());
    }

    private static void turn(Context context) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(turn -> done.complete());
        Await.value(done.future());
    }
}
