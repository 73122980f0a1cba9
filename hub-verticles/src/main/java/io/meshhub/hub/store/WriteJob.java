package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StaleFenceException;
import io.meshhub.routing.spi.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One statement of a group: first done inside the transaction, and answered when that has been committed.
 *
 * <p>A job checks everything before it changes anything, so one that is refused leaves nothing to roll back.
 */
sealed interface WriteJob {

    /** Where refused writes are told of. */
    Logger LOG = LoggerFactory.getLogger(WriteJob.class);

    /** Does it inside the transaction; what it throws fails the whole group. */
    void apply(SqliteWrites transaction, Instant now) throws SQLException;

    /** The transaction is on disk: tells the feed, then the caller. */
    void committed(LocalChangeFeed feed, MeshMetrics metrics);

    /** The transaction failed. */
    void failed(StoreException reason);

    /** A write of a node. */
    final class Node implements WriteJob {

        private final EncodedWrite encoded;
        private final Answer<NodeRecord> answer;
        private WriteRules.@Nullable Decision decision;

        Node(EncodedWrite encoded, Answer<NodeRecord> answer) {
            this.encoded = encoded;
            this.answer = answer;
        }

        @Override
        public void apply(SqliteWrites transaction, Instant now) throws SQLException {
            ShardFence fence = encoded.write().fence();
            StoredFence held = transaction.fence(StoredFence.Key.of(fence));
            WriteRules.Decision made = decide(transaction, held, now);
            decision = made;
            if (made instanceof WriteRules.Refused) {
                return;
            }
            transaction.raise(fence, held);
            if (made instanceof WriteRules.Written written) {
                transaction.put(written.row(), encoded.write().activation());
            }
        }

        private WriteRules.Decision decide(SqliteWrites transaction, @Nullable StoredFence held, Instant now)
                throws SQLException {
            try {
                return WriteRules.decide(
                        encoded, transaction.node(encoded.write().address()), held, now);
            } catch (RuntimeException e) {
                // The row that stands cannot be read, as after an edit by hand: that concerns nobody else.
                return new WriteRules.Refused(
                        new StoreException(
                                "Node '" + encoded.write().address() + "' is unreadable in the store (" + e
                                        + "); nothing was written",
                                e),
                        "failed");
            }
        }

        @Override
        public void committed(LocalChangeFeed feed, MeshMetrics metrics) {
            if (decision instanceof WriteRules.Written written) {
                feed.announce(
                        written.kind(), written.row().address(), written.row().version());
                answer.succeed(written.record());
            } else if (decision instanceof WriteRules.Unchanged unchanged) {
                answer.succeed(unchanged.record());
            } else if (decision instanceof WriteRules.Refused refused) {
                if (refused.reason() instanceof StaleFenceException stale) {
                    LOG.info("A write to '{}' is refused: {}", encoded.write().address(), stale.getMessage());
                }
                answer.fail(refused.reason());
            } else {
                throw new IllegalStateException("answered before it was applied");
            }
            metrics.count("store.write", "result", decision.word());
        }

        @Override
        public void failed(StoreException reason) {
            answer.fail(reason);
        }
    }

    /** The fences of shards that are about to be served. */
    final class Fences implements WriteJob {

        private final List<ShardFence> fences;
        private final Answer<Map<Integer, Long>> answer;
        private final Map<Integer, Long> refused = new HashMap<>();

        Fences(Collection<ShardFence> fences, Answer<Map<Integer, Long>> answer) {
            this.fences = List.copyOf(fences);
            this.answer = answer;
        }

        @Override
        public void apply(SqliteWrites transaction, Instant now) throws SQLException {
            for (ShardFence fence : fences) {
                StoredFence held = transaction.fence(StoredFence.Key.of(fence));
                if (held == null || StoredFence.passes(fence, held)) {
                    transaction.raise(fence, held);
                } else {
                    refused.put(fence.shard(), held.epoch());
                }
            }
        }

        @Override
        public void committed(LocalChangeFeed feed, MeshMetrics metrics) {
            answer.succeed(refused);
        }

        @Override
        public void failed(StoreException reason) {
            answer.fail(reason);
        }
    }
}
