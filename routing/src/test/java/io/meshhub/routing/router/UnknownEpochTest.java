package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** R13: messages under an epoch that their receiver does not know make it read, but not once for each. */
class UnknownEpochTest {

    private static final int BURST = 100;

    private final TwoNodes nodes = new TwoNodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void oneReadAtATimeIsSharedByAllThatCameBefore() {
        Queue<Promise<ShardRow>> reads = new ConcurrentLinkedQueue<>();
        nodes.owner.shards.cluster(shard -> {
            Promise<ShardRow> read = Promise.promise();
            reads.add(read);
            return read.future();
        });
        ShardRow unknown = nodes.row(nodes.owner.info, TwoNodes.EPOCH + 5, ShardRow.Via.CLAIM);
        ShardRow known = nodes.row(nodes.owner.info, TwoNodes.EPOCH, ShardRow.Via.CLAIM);
        nodes.caller.shards.set(unknown);
        List<Future<MeshReply>> asked = IntStream.range(0, BURST)
                .mapToObj(i -> nodes.caller
                        .mesh
                        .call(TwoNodes.ADDRESS, i, MeshOptions.DEFAULT)
                        .answer())
                .toList();
        nodes.settle();
        assertThat(reads).as("one at a time").hasSize(1);
        reads.remove().complete(known);
        nodes.settle();
        assertThat(reads)
                .as("one for all that came while the first was under way")
                .hasSize(1);
        assertThat(nodes.owner.shards.refreshes).hasValue(2);
        nodes.caller.shards.set(known);
        nodes.owner.shards.cluster(shard -> Future.succeededFuture(known));
        reads.remove().complete(known);
        nodes.advanceInSteps(Duration.ofMillis(100), 10);
        asked.forEach(Await::value);
        assertThat(nodes.owner.activator.count()).isEqualTo(BURST);
        assertThat(nodes.owner.mesh.held()).isZero();
    }
}
