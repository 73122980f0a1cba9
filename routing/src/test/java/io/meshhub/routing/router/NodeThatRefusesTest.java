package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R7 and the gate of a node: what it may not take it refuses at once, and what waits for a node that is gone ends. */
class NodeThatRefusesTest {

    private static final String LOCAL = "own node";
    private static final String REMOTE = "other node";
    private static final MeshOptions ONCE = MeshOptions.DEFAULT.withRideOut(false);

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private Future<MeshReply> ask(String where, MeshOptions options) {
        MeshRouter mesh = where.equals(LOCAL) ? nodes.owner.mesh : nodes.caller.mesh;
        return mesh.call(TwoNodes.ADDRESS, "ping", options).answer();
    }

    private void assertRefused(String where, String reason) {
        Unavailable failure = Await.failure(ask(where, ONCE), Unavailable.class);
        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains(reason);
        assertThat(failure.node()).contains("b");
        assertThat(nodes.owner.activator.count()).isZero();
        assertThat(nodes.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void withoutALeaseNothingIsTaken(String where) {
        nodes.owner.lease.set(false);
        assertRefused(where, "no lease");
    }

    /** The node leaves, and the turn of the shard has come. */
    private void leave() {
        nodes.owner.membership.announce(NodeInfo.State.LEAVING);
        nodes.owner.shards.taking(TwoNodes.shard());
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void leavingNodeServesAShardUntilItsTurn(String where) {
        nodes.owner.membership.announce(NodeInfo.State.LEAVING);
        assertThat(Await.value(ask(where, ONCE)).node()).isEqualTo("b");

        nodes.owner.shards.taking(TwoNodes.shard());

        Unavailable failure = Await.failure(ask(where, ONCE), Unavailable.class);
        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("leaving");
        assertThat(nodes.owner.activator.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void leavingNodeTakesNothingOfAShardWhoseTurnHasCome(String where) {
        leave();
        assertRefused(where, "leaving");
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void expelledNodeTakesNothing(String where) {
        nodes.owner.membership.announce(NodeInfo.State.EXPELLED);
        assertRefused(where, "leaving");
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void shardThatIsMovingIsRefused(String where) {
        nodes.owner.shards.set(new ShardRow(
                TwoNodes.shard(),
                nodes.owner.incarnation(),
                TwoNodes.EPOCH,
                ShardRow.Via.CLAIM,
                ShardRow.State.HANDOFF,
                nodes.caller.incarnation()));
        assertRefused(where, "moving");
    }

    /** R7: the caller rides to the new owner and sees nothing of it. */
    @Test
    void callerRidesFromALeavingNodeToTheNewOwner() {
        leave();
        Future<MeshReply> answer = ask(REMOTE, MeshOptions.DEFAULT);
        nodes.settle();
        assertThat(answer.isComplete()).isFalse();

        nodes.both(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.RELEASE));

        assertThat(Await.value(answer).node()).isEqualTo("a");
        assertThat(nodes.owner.activator.count()).isZero();
    }

    /** R7: whatever is on its way while a node says goodbye is refused as never executed, or was answered. */
    @Test
    void nothingIsInDoubtWhenANodeHasSaidGoodbye() {
        List<Future<MeshReply>> answers = new ArrayList<>();
        leave();
        answers.add(ask(REMOTE, ONCE));
        Future<Void> stopped = nodes.owner.mesh.stop();
        while (!stopped.isComplete()) {
            answers.add(ask(REMOTE, ONCE));
            nodes.settle();
        }
        answers.add(ask(REMOTE, ONCE));

        for (Future<MeshReply> answer : answers) {
            assertThat(Await.failure(answer, Unavailable.class).sent()).isFalse();
        }
        assertThat(answers).hasSizeGreaterThan(2);
        assertThat(nodes.owner.activator.count()).isZero();
        assertThat(nodes.isIdle()).isTrue();
    }

    /** A peer that is frozen does not keep a node from leaving. */
    @Test
    void peerThatSaysNothingHoldsAGoodbyeForItsBoundOnly() {
        Await.value(nodes.caller.mesh.withdraw("frozen"));

        Await.value(nodes.owner.mesh.stop());

        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void takeoverThatFailsRefusesAllThatWaitedForIt() {
        nodes.owner.shards.taking(TwoNodes.shard());
        Future<MeshReply> remote = ask(REMOTE, ONCE);
        Future<MeshReply> local = ask(LOCAL, ONCE);
        nodes.settle();

        nodes.owner.shards.notTaken(TwoNodes.shard(), new IllegalStateException("fence refused"));

        assertThat(Await.failure(remote, Unavailable.class).sent()).isFalse();
        assertThat(Await.failure(local, Unavailable.class).getMessage()).contains("fence refused");
    }

    @Test
    void takeoverThatEndsWithoutServingRefusesAndDoesNotSpin() {
        nodes.owner.shards.taking(TwoNodes.shard());
        Future<MeshReply> remote = ask(REMOTE, ONCE);
        nodes.settle();

        nodes.owner.shards.endTakeover(TwoNodes.shard());

        assertThat(Await.failure(remote, Unavailable.class).sent()).isFalse();
    }

    @Test
    void shardWithoutAnOwnerIsClaimedAndTheMessageDelivered() {
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        ShardRow claimed = nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM);
        nodes.caller.shards.claimer(shard -> Future.succeededFuture(claimed));

        assertThat(Await.value(ask(REMOTE, ONCE)).node()).isEqualTo("b");
        assertThat(nodes.caller.shards.claims).hasValue(1);
    }

    @Test
    void whatWasGivenUpBeforeItsShardWasClaimedIsNotSent() {
        Promise<ShardRow> claimed = Promise.promise();
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        nodes.caller.shards.claimer(shard -> claimed.future());
        var call = nodes.caller.mesh.call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT);

        assertThat(call.cancel()).isTrue();
        claimed.complete(nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM));

        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void shardThatNobodyCanOwnIsUnavailable() {
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));

        Unavailable failure = Await.failure(ask(REMOTE, ONCE), Unavailable.class);

        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("could not be claimed");
    }

    private List<Future<MeshReply>> waiting(int count) {
        nodes.owner.activator.behave(delivery -> {});
        List<Future<MeshReply>> answers = IntStream.range(0, count)
                .mapToObj(i -> nodes.caller
                        .mesh
                        .call(MeshAddress.of("orders/" + i), "ping", MeshOptions.DEFAULT)
                        .answer())
                .toList();
        Await.until(() -> nodes.owner.activator.count() == count);
        return answers;
    }

    @Test
    void lostNodeFailsAllThatWaitsForItAtOnce() {
        List<Future<MeshReply>> answers = waiting(50);

        nodes.caller.membership.drop(nodes.owner.info);

        answers.forEach(answer ->
                assertThat(Await.failure(answer, Unavailable.class).sent()).isTrue());
        assertThat(nodes.caller.mesh.inFlight()).isZero();
    }

    @Test
    void frameOfANodeThatWasDroppedIsNotHeard() {
        waiting(1);
        nodes.caller.membership.drop(nodes.owner.info);

        nodes.owner.activator.deliveries().forEach(RecordingActivator::echo);

        Await.until(() -> nodes.caller.metrics.count("mesh.frames.dropped") == 1);
    }

    /** The last answers of a node that leaves come on all loops, and none is overtaken by its word that it has left. */
    @Test
    void leftComesAfterTheLastAnswersAndEndsWhatRemains() {
        List<Future<MeshReply>> answers = waiting(60);
        List<Delivery> deliveries = nodes.owner.activator.deliveries();
        java.util.Set<MeshAddress> silent = deliveries.subList(0, 10).stream()
                .map(delivery -> delivery.envelope().to())
                .collect(java.util.stream.Collectors.toSet());

        deliveries.subList(10, 60).forEach(RecordingActivator::echo);
        Future<Void> stopped = nodes.owner.mesh.stop();

        Await.value(stopped);
        for (int i = 0; i < 60; i++) {
            if (silent.contains(MeshAddress.of("orders/" + i))) {
                assertThat(Await.failure(answers.get(i), Unavailable.class).sent())
                        .isTrue();
            } else {
                Await.value(answers.get(i));
            }
        }
        assertThat(nodes.caller.mesh.inFlight()).isZero();
    }

    @Test
    void nothingIsSentToANodeThatHasLeft() {
        waiting(1);
        Await.value(nodes.owner.mesh.stop());
        Await.until(() -> nodes.caller.mesh.inFlight() == 0);

        Unavailable failure = Await.failure(ask(REMOTE, ONCE), Unavailable.class);

        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("has left");
    }

    @Test
    void stoppedNodeFailsWhatItWaitsFor() {
        List<Future<MeshReply>> answers = waiting(3);

        Await.value(nodes.caller.mesh.stop());

        answers.forEach(answer ->
                assertThat(Await.failure(answer, Unavailable.class).sent()).isTrue());
    }

    /** M5: also what no link waits for, a call that rests and one to the own node, ends when its node stops. */
    @Test
    void stoppedNodeEndsWhatRestsAndWhatWaitsOnIt() {
        nodes.owner.activator.behave(delivery -> {});
        Future<MeshReply> own = nodes.owner
                .mesh
                .call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT)
                .answer();
        Await.until(() -> nodes.owner.activator.count() == 1);

        Await.value(nodes.owner.mesh.stop());

        assertThat(Await.failure(own, Unavailable.class).sent()).isTrue();
        Future<MeshReply> late = nodes.owner
                .mesh
                .call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT)
                .answer();
        assertThat(Await.failure(late, Unavailable.class).sent()).isFalse();
    }

    @Test
    void stoppedNodeNoLongerRelays() {
        Await.value(nodes.owner.mesh.stop());
        Await.value(nodes.caller.mesh.stop());

        Future<?> answer = nodes.vertx.eventBus().request(RouteRelay.ADDRESS, "ping");

        Await.ended(answer);
        assertThat(answer.cause().getMessage()).contains("No handlers");
    }

    @Test
    void pingReachesEveryInboundAddress() {
        Await.value(nodes.caller.mesh.ping(nodes.owner.info, Duration.ofSeconds(5)));
        Await.ended(nodes.caller.mesh.ping(FakeMembership.up("nobody", 1), Duration.ofSeconds(5)));
    }
}
