package io.meshhub.hub.store;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of this process that writes: it commits what waits in groups, and answers after each commit. While a
 * group goes to disk the next one gathers, so a lone write waits for nobody and many share one trip to the disk.
 */
final class SqliteWriter implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

    private final SqliteFile file;
    private final WorkQueue<WriteJob> queue;
    private final int groupSize;
    private final LocalChangeFeed feed;
    private final MeshClock clock;
    private final MeshMetrics metrics;
    private @Nullable SqliteWrites connected;
    private boolean committing;
    private long failedGroups;

    SqliteWriter(
            SqliteFile file,
            SqliteWrites connected,
            WorkQueue<WriteJob> queue,
            int groupSize,
            LocalChangeFeed feed,
            MeshClock clock,
            MeshMetrics metrics) {
        this.file = file;
        this.connected = connected;
        this.queue = queue;
        this.groupSize = groupSize;
        this.feed = feed;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public void run() {
        for (List<WriteJob> group = queue.take(groupSize); !group.isEmpty(); group = queue.take(groupSize)) {
            try {
                write(group);
            } catch (RuntimeException | Error e) {
                abandon(group, e);
            }
        }
        disconnect();
    }

    private void write(List<WriteJob> group) {
        long begun = clock.nanoTime();
        try {
            commit(group);
        } catch (SQLException | RuntimeException | Error e) {
            fail(group, e);
            return;
        }
        long ended = clock.nanoTime();
        if (failedGroups > 0) {
            LOG.info("Store {} takes writes again, after {} groups that failed", file.path(), failedGroups);
            failedGroups = 0;
        }
        for (WriteJob job : group) {
            job.committed(feed, metrics);
        }
        metrics.time("store.commit", Duration.ofNanos(ended - begun));
        metrics.count("store.group", "size", sizeClass(group.size()));
    }

    // A listener or a meter threw what it must not throw. Nobody may wait for ever because of that.
    private void abandon(List<WriteJob> group, Throwable reason) {
        LOG.error("Store {} could not answer a group of {} writes", file.path(), group.size(), reason);
        StoreException failure = file.failure("could not answer a write, whose outcome is unknown", reason);
        for (WriteJob job : group) {
            job.failed(failure);
        }
    }

    private void commit(List<WriteJob> group) throws SQLException {
        committing = false;
        SqliteWrites writes = connected;
        if (writes == null) {
            writes = new SqliteWrites(file.connectToWrite());
            connected = writes;
        }
        writes.begin();
        Instant now = clock.now();
        for (WriteJob job : group) {
            job.apply(writes, now);
        }
        committing = true;
        writes.commit();
    }

    private void fail(List<WriteJob> group, Throwable reason) {
        disconnect();
        failedGroups++;
        metrics.count("store.group.failed");
        // A commit that failed may still have reached the disk.
        String outcome = committing ? "its outcome is unknown" : "nothing was written";
        StoreException failure =
                file.failure("could not commit a group of " + group.size() + " writes, " + outcome, reason);
        if (failedGroups == 1) {
            LOG.error("{}; the next failures are counted until writes succeed again", failure.getMessage(), reason);
        }
        for (WriteJob job : group) {
            job.failed(failure);
        }
    }

    // Ends the transaction, if one is open, and with a new connection the next group depends on nothing of this one.
    private void disconnect() {
        SqliteWrites writes = connected;
        connected = null;
        if (writes != null) {
            try {
                writes.close();
            } catch (SQLException e) {
                LOG.warn("Store {} did not close its writing connection: {}", file.path(), e.getMessage());
            }
        }
    }

    private static String sizeClass(int size) {
        if (size == 1) {
            return "1";
        }
        if (size <= 16) {
            return "2-16";
        }
        return size <= 128 ? "17-128" : "129-";
    }
}
