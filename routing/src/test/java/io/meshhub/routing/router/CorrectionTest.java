package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R8, R13: a stale route is put right unseen by the user, and a newer epoch makes its receiver read first. */
class CorrectionTest {

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private Future<MeshReply> ask(MeshOptions options) {
        return nodes.caller.mesh.call(TwoNodes.ADDRESS, "ping", options).answer();
    }

    private int corrections() {
        return (int) nodes.wire.entries(Frame.Answer.class).stream()
                .filter(answer -> answer.outcome() instanceof Outcome.Corrected)
                .count();
    }

    @Test
    void wrongNodeIsCorrectedOnceAndTheMessageDelivered() {
        ShardRow moved = nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.RELEASE);
        nodes.owner.shards.set(moved);
        nodes.caller.shards.cluster(shard -> Future.succeededFuture(moved));

        MeshReply reply = Await.value(ask(MeshOptions.DEFAULT.withRideOut(false)));

        assertThat(reply.node()).isEqualTo("a");
        assertThat(corrections()).isEqualTo(1);
        assertThat(nodes.caller.shards.refreshes).hasValue(1);
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void lowerEpochOfTheSameOwnerIsCorrected() {
        ShardRow anew = nodes.row(nodes.owner.info, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM);
        nodes.owner.shards.set(anew);
        nodes.caller.shards.cluster(shard -> Future.succeededFuture(anew));

        MeshReply reply = Await.value(ask(MeshOptions.DEFAULT.withRideOut(false)));

        assertThat(reply.activation().epoch()).isEqualTo(TwoNodes.EPOCH + 1);
        assertThat(nodes.owner.activator.count()).isEqualTo(1);
    }

    @Test
    void inboundAddressThatIsGoneMakesTheCallerLookAgain() {
        NodeInfo gone = FakeMembership.up("c", 2);
        nodes.caller.membership.join(gone);
        nodes.caller.shards.set(nodes.row(gone, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM));
        ShardRow next = nodes.row(nodes.owner.info, TwoNodes.EPOCH + 2, ShardRow.Via.CLAIM);
        nodes.owner.shards.set(next);
        nodes.caller.shards.cluster(shard -> Future.succeededFuture(next));

        MeshReply reply = Await.value(ask(MeshOptions.DEFAULT.withRideOut(false)));

        assertThat(reply.node()).isEqualTo("b");
        assertThat(nodes.caller.shards.refreshes).hasValue(1);
        assertThat(nodes.caller.mesh.inFlight()).isZero();
    }

    @Test
    void nodesThatDisagreeForGoodEndAsUnavailableAfterFiveCorrections() {
        nodes.owner.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM));
        Future<MeshReply> answer = ask(MeshOptions.DEFAULT.withRideOut(false));

        nodes.advanceInSteps(Duration.ofMillis(400), 6);

        Unavailable failure = Await.failure(answer, Unavailable.class);
        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("corrected 5 times");
        assertThat(failure.attempts()).as("corrections burn no attempt").isZero();
        assertThat(corrections()).isEqualTo(6);
        assertThat(nodes.isIdle()).isTrue();
    }

    @Test
    void correctionsAfterTheFirstArePaced() {
        nodes.owner.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM));
        ask(MeshOptions.DEFAULT.withRideOut(false));

        nodes.settle();
        assertThat(corrections()).isEqualTo(2);
        nodes.settle();
        assertThat(corrections()).isEqualTo(2);
    }

    @Test
    void cancelDuringACorrectionPauseLeavesNoTimer() {
        nodes.owner.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM));
        var call = nodes.caller.mesh.call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT);
        Await.until(() -> corrections() == 2);
        nodes.settle();

        assertThat(call.cancel()).isTrue();

        assertThat(nodes.isIdle()).isTrue();
        nodes.advance(Duration.ofSeconds(1));
        nodes.settle();
        assertThat(corrections()).isEqualTo(2);
    }

    @Test
    void rowThatCannotBeReadIsUnavailable() {
        nodes.owner.shards.set(nodes.row(nodes.caller.info, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM));
        nodes.caller.shards.cluster(shard -> Future.failedFuture("the cluster is silent"));

        Unavailable failure = Await.failure(ask(MeshOptions.DEFAULT.withRideOut(false)), Unavailable.class);

        assertThat(failure.sent()).isFalse();
        assertThat(failure.getMessage()).contains("the cluster is silent");
    }

    /** R13. */
    @Test
    void newerEpochMakesTheReceiverReadTheRowFirst() {
        ShardRow anew = nodes.row(nodes.owner.info, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM);
        Promise<ShardRow> read = Promise.promise();
        nodes.owner.shards.cluster(shard -> read.future());
        nodes.caller.shards.set(anew);

        Future<MeshReply> first = ask(MeshOptions.DEFAULT.withRideOut(false));
        Future<MeshReply> second = ask(MeshOptions.DEFAULT.withRideOut(false));
        Await.until(() -> nodes.owner.shards.refreshes.get() == 1);
        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();
        read.complete(anew);

        assertThat(Await.value(first).activation().epoch()).isEqualTo(TwoNodes.EPOCH + 1);
        Await.value(second);
        assertThat(nodes.owner.shards.refreshes).as("one read for both").hasValue(1);
        assertThat(corrections()).isZero();
    }

    /** R13. */
    @Test
    void rowThatTheReceiverCannotReadIsUnavailable() {
        nodes.owner.shards.cluster(shard -> Future.failedFuture("the cluster is silent"));
        nodes.caller.shards.set(nodes.row(nodes.owner.info, TwoNodes.EPOCH + 1, ShardRow.Via.CLAIM));

        Unavailable failure = Await.failure(ask(MeshOptions.DEFAULT.withRideOut(false)), Unavailable.class);

        assertThat(failure.sent()).isFalse();
    }

    @Test
    void epochThatTheClusterDoesNotKnowHarmsNobodyElse() {
        Promise<ShardRow> read = Promise.promise();
        nodes.owner.shards.cluster(shard -> read.future());
        nodes.caller.shards.set(nodes.row(nodes.owner.info, TwoNodes.EPOCH + 5, ShardRow.Via.CLAIM));
        // The caller, once corrected, waits here: it would ask the owner again at once.
        Promise<ShardRow> corrected = Promise.promise();
        nodes.caller.shards.cluster(shard -> corrected.future());
        Future<MeshReply> unknown = ask(MeshOptions.DEFAULT.withRideOut(false));
        Await.until(() -> nodes.owner.shards.refreshes.get() == 1);
        Future<MeshReply> current = nodes.owner
                .mesh
                .call(TwoNodes.ADDRESS, "ping", MeshOptions.DEFAULT)
                .answer();
        nodes.settle();

        read.complete(nodes.owner.shards.row(TwoNodes.shard()));

        Await.value(current);
        assertThat(nodes.owner.shards.refreshes.get()).isEqualTo(1);
        corrected.complete(nodes.caller.shards.row(TwoNodes.shard()));
        nodes.advanceInSteps(Duration.ofMillis(400), 6);
        Await.failure(unknown, Unavailable.class);
    }

    @Test
    void messageThatWasRelayedTooOftenIsARoutingLoop() {
        var circling = new io.meshhub.routing.Envelope(
                TwoNodes.ADDRESS,
                "Ping",
                io.meshhub.routing.MeshBody.NULL,
                io.meshhub.routing.Verb.REQUEST,
                null,
                1_000,
                9,
                null,
                null,
                null,
                0);

        Await.failure(nodes.caller.mesh.call(circling, MeshOptions.DEFAULT).answer(), RoutingLoop.class);

        assertThat(nodes.owner.activator.count()).isZero();
    }
}
