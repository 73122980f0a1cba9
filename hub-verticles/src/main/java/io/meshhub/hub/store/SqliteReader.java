package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that reads, on a connection of its own; several share a queue. */
final class SqliteReader implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteReader.class);

    private final SqliteFile file;
    private final SqliteReads reads;
    private final WorkQueue<ReadJob<?>> queue;
    private final MeshClock clock;
    private final MeshMetrics metrics;

    SqliteReader(
            SqliteFile file, SqliteReads reads, WorkQueue<ReadJob<?>> queue, MeshClock clock, MeshMetrics metrics) {
        this.file = file;
        this.reads = reads;
        this.queue = queue;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** What is asked of a connection. */
    @FunctionalInterface
    interface Query<T> {

        T ask(SqliteReads reads) throws SQLException;
    }

    /** A query and whom to answer. */
    record ReadJob<T>(Query<T> query, Answer<T> answer) {

        private void perform(SqliteReads reads, SqliteFile file) {
            try {
                answer.succeed(query.ask(reads));
            } catch (SQLException | RuntimeException | Error e) {
                answer.fail(file.failure("could not be read", e));
            }
        }
    }

    @Override
    public void run() {
        for (List<ReadJob<?>> next = queue.take(1); !next.isEmpty(); next = queue.take(1)) {
            long begun = clock.nanoTime();
            next.get(0).perform(reads, file);
            try {
                metrics.time("store.read", Duration.ofNanos(clock.nanoTime() - begun));
            } catch (RuntimeException e) {
                // A meter that fails must not end the thread: later reads would wait for ever.
                LOG.warn("Store {} could not time a read: {}", file.path(), e.toString());
            }
        }
        try {
            reads.close();
        } catch (SQLException e) {
            LOG.warn("Store {} did not close a reading connection: {}", file.path(), e.getMessage());
        }
    }
}
