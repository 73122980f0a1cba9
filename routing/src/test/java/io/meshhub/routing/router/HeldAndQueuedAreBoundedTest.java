package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What waits for a claim, a row, a takeover, a turn of a loop or to be written is bounded, in count and in bytes. */
class HeldAndQueuedAreBoundedTest {

    private static final MeshOptions ONCE = MeshOptions.DEFAULT.withRideOut(false);
    private static final int MOST = 3;
    private static final int MOST_BYTES = 400;

    private final TwoNodes nodes = new TwoNodes(new RouterOptions(
            BudgetLadder.ofDefaults(),
            RideOutPolicy.ofDefaults(),
            200,
            new InFlightBounds(MOST, MOST_BYTES, MOST, MOST_BYTES, MOST, MOST_BYTES)));
    private final CountDownLatch latch = new CountDownLatch(1);

    @AfterEach
    void close() {
        latch.countDown();
        nodes.close();
    }

    private static Future<MeshReply> ask(TestNode node, Object body) {
        return node.mesh.call(TwoNodes.ADDRESS, body, ONCE).answer();
    }

    private static List<Future<MeshReply>> askAll(TestNode node) {
        return IntStream.range(0, MOST).mapToObj(i -> ask(node, "m" + i)).toList();
    }

    private void block(Context context) {
        CountDownLatch blocked = new CountDownLatch(1);
        context.runOnContext(turn -> {
            blocked.countDown();
            awaitQuietly(latch);
        });
        awaitQuietly(blocked);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void messagesThatWaitForAClaimAreBounded() {
        Promise<ShardRow> claim = Promise.promise();
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        nodes.caller.shards.claimer(shard -> claim.future());
        List<Future<MeshReply>> held = askAll(nodes.caller);

        Overloaded failure = Await.failure(ask(nodes.caller, "one more"), Overloaded.class);

        assertThat(failure.getMessage()).contains("held=4");
        assertThat(failure.retryAfter()).isPresent();
        assertThat(nodes.caller.mesh.held()).isEqualTo(MOST);
        assertThat(nodes.caller.metrics.count("mesh.overloaded")).isEqualTo(1);
        nodes.caller.mesh.notify(TwoNodes.ADDRESS, "told", MeshOptions.DEFAULT);
        assertThat(nodes.caller.metrics.count("mesh.notify.dropped")).isEqualTo(1);
        ShardRow row = nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM);
        nodes.caller.shards.set(row);
        claim.complete(row);
        held.forEach(Await::value);
        assertThat(nodes.caller.mesh.held()).isZero();
        assertThat(nodes.caller.shards.claims).hasValue(1);
    }

    @Test
    void bytesThatWaitForAClaimAreBoundedAndAFailedClaimFreesThem() {
        Promise<ShardRow> claim = Promise.promise();
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        nodes.caller.shards.claimer(shard -> claim.future());
        Future<MeshReply> first = ask(nodes.caller, "x".repeat(200));
        Future<MeshReply> second = ask(nodes.caller, "y".repeat(150));

        Overloaded failure = Await.failure(ask(nodes.caller, "z".repeat(51)), Overloaded.class);

        assertThat(failure.getMessage()).contains("heldBytes=401");
        claim.fail("nobody");
        Await.failure(first, Unavailable.class);
        Await.failure(second, Unavailable.class);
        assertThat(nodes.caller.mesh.held()).isZero();
    }

    @Test
    void messagesThatWaitForATakeoverAreBounded() {
        nodes.owner.shards.taking(TwoNodes.shard());
        List<Future<MeshReply>> held = askAll(nodes.owner);
        nodes.settle();

        Overloaded failure = Await.failure(ask(nodes.owner, "one more"), Overloaded.class);

        assertThat(failure.getMessage()).contains("held=4");
        assertThat(nodes.owner.activator.count()).isZero();
        nodes.owner.shards.taken(TwoNodes.shard());
        held.forEach(Await::value);
        assertThat(nodes.owner.activator.bodies()).containsExactly("m0", "m1", "m2");
        assertThat(nodes.owner.mesh.held()).isZero();
    }

    @Test
    void messagesThatWaitForALoopOfTheOwnNodeAreBounded() {
        block(nodes.owner.loops.get(TwoNodes.ADDRESS.loop(TwoNodes.LOOPS)).context());
        List<Future<MeshReply>> waiting = askAll(nodes.owner);

        Overloaded failure = Await.failure(ask(nodes.owner, "one more"), Overloaded.class);

        assertThat(failure.getMessage()).contains("loopQueue=4");
        assertThat(nodes.owner.activator.count()).isZero();
        latch.countDown();
        waiting.forEach(Await::value);
        Await.value(ask(nodes.owner, "after"));
    }

    @Test
    void notificationsThatWaitToBeWrittenAreBoundedAndOnlyTheSurplusIsDropped() {
        block(nodes.caller.busContext);
        for (int i = 0; i < MOST + 2; i++) {
            nodes.caller.mesh.notify(TwoNodes.ADDRESS, "n" + i, MeshOptions.DEFAULT);
        }
        assertThat(nodes.caller.metrics.count("mesh.notify.dropped")).isEqualTo(2);
        assertThat(nodes.caller.metrics.count("mesh.overloaded")).isEqualTo(2);
        latch.countDown();
        Await.until(() -> nodes.owner.activator.count() == MOST);
        nodes.settle();
        nodes.caller.mesh.notify(TwoNodes.ADDRESS, "after", MeshOptions.DEFAULT);
        Await.until(() -> nodes.owner.activator.count() == MOST + 1);
        assertThat(nodes.owner.activator.bodies()).containsExactly("n0", "n1", "n2", "after");
    }

    @Test
    void boundsThatNoBodyCouldPassAreRefused() {
        InFlightBounds small = new InFlightBounds(1, 100, 1, 100, 1, 100);
        assertThatThrownBy(() -> RouterOptions.of(BudgetLadder.ofDefaults()).withBounds(small))
                .hasMessageContaining(Integer.toString(Envelope.DEFAULT_MAX_BODY_BYTES));
        assertThatThrownBy(() -> new InFlightBounds(0, 1, 1, 1, 1, 1)).hasMessageContaining("perNode = 0");
    }
}
