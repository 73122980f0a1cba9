package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R12: what one context sends to one address arrives in the order in which it was sent. */
class MessageOrderTest {

    private static final String LOCAL = "own node";
    private static final String REMOTE = "other node";
    private static final long MESSAGES = 3_000;

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    private MeshRouter from(String where) {
        return where.equals(LOCAL) ? nodes.owner.mesh : nodes.caller.mesh;
    }

    private static List<Object> upTo(long count) {
        return LongStream.range(0, count).mapToObj(number -> (Object) number).toList();
    }

    /** All verbs share one order: requests, sends and notifications in turn. */
    private static Future<?> sendOne(MeshRouter mesh, long number) {
        if (number % 3 == 0) {
            return mesh.call(TwoNodes.ADDRESS, number, MeshOptions.DEFAULT).answer();
        }
        if (number % 3 == 1) {
            return mesh.send(TwoNodes.ADDRESS, number);
        }
        mesh.notify(TwoNodes.ADDRESS, number);
        return Future.succeededFuture();
    }

    private void flood(Context context, MeshRouter mesh) {
        Promise<List<Future<?>>> sent = Promise.promise();
        context.runOnContext(turn -> {
            List<Future<?>> answers = new ArrayList<>();
            for (long i = 0; i < MESSAGES; i++) {
                answers.add(sendOne(mesh, i));
            }
            sent.complete(answers);
        });
        Await.value(Future.join(Await.value(sent.future())));
        Await.until(() -> nodes.owner.activator.count() == MESSAGES);
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void burstArrivesInOrder(String where) {
        flood(nodes.vertx.getOrCreateContext(), from(where));

        assertThat(nodes.owner.activator.bodies()).isEqualTo(upTo(MESSAGES));
        if (where.equals(REMOTE)) {
            assertThat(nodes.wire.frames().size()).as("coalesced").isLessThan((int) MESSAGES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void burstFromTheAddressesOwnLoopArrivesInOrder(String where) {
        TestNode sender = where.equals(LOCAL) ? nodes.owner : nodes.caller;
        flood(sender.loops.get(TwoNodes.ADDRESS.loop(TwoNodes.LOOPS)).context(), sender.mesh);

        assertThat(nodes.owner.activator.bodies()).isEqualTo(upTo(MESSAGES));
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void singleMessagesArriveInOrder(String where) {
        for (long i = 0; i < 50; i++) {
            Await.value(
                    from(where).call(TwoNodes.ADDRESS, i, MeshOptions.DEFAULT).answer());
        }

        assertThat(nodes.owner.activator.bodies()).isEqualTo(upTo(50));
    }

    @ParameterizedTest
    @ValueSource(strings = {LOCAL, REMOTE})
    void whatIsHeldForATakeoverKeepsItsOrderAlsoAgainstWhatComesLater(String where) {
        nodes.owner.shards.taking(TwoNodes.shard());
        List<Future<?>> answers = new CopyOnWriteArrayList<>();
        for (long i = 0; i < 30; i++) {
            answers.add(sendOne(from(where), i));
        }
        nodes.settle();
        assertThat(nodes.owner.activator.count()).isZero();

        nodes.owner.shards.taken(TwoNodes.shard());
        for (long i = 30; i < 60; i++) {
            answers.add(sendOne(from(where), i));
        }

        answers.forEach(Await::ended);
        Await.until(() -> nodes.owner.activator.count() == 60);
        assertThat(nodes.owner.activator.bodies()).isEqualTo(upTo(60));
    }

    /** The first message of all finds a shard that nobody owns; the second finds it owned already. */
    @Test
    void whatWaitsForAClaimIsNotOvertaken() {
        Promise<ShardRow> claimed = Promise.promise();
        nodes.caller.shards.set(ShardRow.unowned(TwoNodes.shard()));
        nodes.caller.shards.claimer(shard -> claimed.future());
        ShardRow row = nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM);

        Future<MeshReply> first = nodes.caller
                .mesh
                .call(TwoNodes.ADDRESS, 0L, MeshOptions.DEFAULT)
                .answer();
        nodes.caller.shards.set(row);
        Future<MeshReply> second = nodes.caller
                .mesh
                .call(TwoNodes.ADDRESS, 1L, MeshOptions.DEFAULT)
                .answer();
        nodes.settle();
        claimed.complete(row);
        Future<MeshReply> third = nodes.caller
                .mesh
                .call(TwoNodes.ADDRESS, 2L, MeshOptions.DEFAULT)
                .answer();

        Await.value(first);
        Await.value(second);
        Await.value(third);
        assertThat(nodes.owner.activator.bodies()).isEqualTo(upTo(3));
        assertThat(nodes.caller.shards.claims).hasValue(1);
    }
}
