package io.meshhub.cluster;

import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows that the cluster holds, one read at a time, and restores those that it has lost while their owner lives.
 * On the control thread.
 */
final class RowReader {

    private static final Logger LOG = LoggerFactory.getLogger(HazelcastShardTable.class);

    private final String role;
    private final RowMerge rows;
    private final ShardMap map;
    private final ClusterMembership membership;
    private final Consumer<ShardRow> offer;
    private final Runnable wasRead;
    private boolean reading;
    private boolean readAgain;

    RowReader(
            String role,
            RowMerge rows,
            ShardMap map,
            ClusterMembership membership,
            Consumer<ShardRow> offer,
            Runnable wasRead) {
        this.role = role;
        this.rows = rows;
        this.map = map;
        this.membership = membership;
        this.offer = offer;
        this.wasRead = wasRead;
    }

    /** Reads all rows soon; what is asked for while a read is under way is one more read. */
    void readSoon() {
        if (reading) {
            readAgain = true;
            return;
        }
        reading = true;
        read().onComplete(done -> {
            reading = false;
            if (done.failed()) {
                LOG.warn(
                        "The rows of role {} could not be read; what is known stands: {}",
                        role,
                        done.cause().toString());
            }
            wasRead.run();
            if (readAgain) {
                readAgain = false;
                readSoon();
            }
        });
    }

    /** Reads all rows now; fails when one could not be read. */
    Future<Void> read() {
        List<ShardRow> remembered = rows.all();
        return map.readAll().map(stored -> {
            stored.forEach(row -> merge(remembered.get(row.shard()), row));
            return null;
        });
    }

    /**
     * Takes in a row that was read.
     *
     * @param remembered what was known when the read began: what was learnt while it was under way says nothing about what
     *     the cluster held then
     */
    void merge(ShardRow remembered, ShardRow stored) {
        if (RowMerge.isLost(remembered, stored, membership::isDropped)) {
            LOG.warn(
                    "The cluster lost the row of shard {}/{} (epoch {}); it is restored, its owner lives",
                    role,
                    stored.shard(),
                    remembered.epoch());
            map.change(stored.shard(), new RowChange.Restore(remembered))
                    .onSuccess(offer::accept)
                    .onFailure(e -> LOG.warn("It could not be restored; the next read tries again: {}", e.toString()));
            return;
        }
        offer.accept(stored);
    }
}
