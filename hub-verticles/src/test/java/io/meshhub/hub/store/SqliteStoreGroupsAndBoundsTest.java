package io.meshhub.hub.store;

import static io.meshhub.hub.store.StoreFixture.await;
import static io.meshhub.hub.store.StoreFixture.creation;
import static io.meshhub.hub.store.StoreFixture.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Conflict;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that wait share a commit, inside bounds (W8: in a group commit only the refused write's caller fails). */
class SqliteStoreGroupsAndBoundsTest {

    private static final String ALONE = "store.group size=1";

    @TempDir
    Path directory;

    private final CountingMetrics metrics = new CountingMetrics();
    private Vertx vertx;
    private SqliteNodeStore store;

    @BeforeEach
    void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        await(store.close());
        await(vertx.close());
    }

    private void open(int groupSize, int queueBound, Duration busyTimeout) {
        store = await(SqliteNodeStore.open(
                vertx, new StoreOptions(directory, groupSize, queueBound, 1, busyTimeout), metrics));
    }

    /** Another process that holds the write lock. */
    private Connection hold() throws SQLException {
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteFile.NAME));
        try (Statement statement = other.createStatement()) {
            statement.execute("begin immediate");
        }
        return other;
    }

    @Test
    void whatGathersDuringACommitIsCommittedTogether() throws SQLException {
        open(16, 100, Duration.ofSeconds(20));
        List<Future<NodeRecord>> writes = new ArrayList<>();
        try (Connection other = hold()) {
            writes.add(store.write(creation("first")));
            await().until(() -> metrics.gauged("store.queue of=writes") == 0);
            for (int i = 0; i < 40; i++) {
                writes.add(store.write(creation(i == 5 ? "n/4" : "n/" + i)));
            }
            assertThat(metrics.gauged("store.queue of=writes")).isEqualTo(40);
            assertThat(writes).noneMatch(Future::isComplete);
            assertThat(other.isClosed()).isFalse();
        }
        assertThat(failureOf(writes.remove(6))).isInstanceOf(Conflict.class);
        writes.forEach(write -> assertThat(await(write).version()).isEqualTo(1));
        await().until(() -> metrics.counted("store.commit") == 4);
        assertThat(metrics.counted(ALONE)).isEqualTo(1);
        assertThat(metrics.counted("store.group size=2-16")).isEqualTo(3);
        assertThat(metrics.counted("store.write result=written")).isEqualTo(40);
        assertThat(metrics.counted("store.write result=conflict")).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitIntoTheQueueIsRefusedAndTheRestIsDone() throws SQLException {
        open(1, 4, Duration.ofSeconds(20));
        List<Future<NodeRecord>> writes = new ArrayList<>();
        try (Connection other = hold()) {
            writes.add(store.write(creation("first")));
            await().until(() -> metrics.gauged("store.queue of=writes") == 0);
            for (int i = 0; i < 7; i++) {
                writes.add(store.write(creation("n/" + i)));
            }
            for (int i = 5; i < 8; i++) {
                Overloaded refused = (Overloaded) failureOf(writes.get(i));
                assertThat(refused.retryAfter()).isPresent();
                assertThat(refused.getMessage()).contains("4 calls wait");
            }
            // Reads do not wait for writers.
            assertThat(await(store.count())).isZero();
            assertThat(other.isClosed()).isFalse();
        }
        writes.subList(0, 5).forEach(StoreFixture::await);
        assertThat(await(store.count())).isEqualTo(5);
    }

    @Test
    void groupThatCannotBeginFailsForAllItsCallersAndTheNextOneSucceeds() throws SQLException {
        open(16, 100, Duration.ofMillis(50));
        try (Connection other = hold()) {
            List<Future<NodeRecord>> writes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                writes.add(store.write(creation("n/" + i)));
            }
            for (Future<NodeRecord> write : writes) {
                assertThat(failureOf(write))
                        .isExactlyInstanceOf(StoreException.class)
                        .hasMessageContaining("nothing was written")
                        .hasMessageContaining("another process held it");
            }
            assertThat(other.isClosed()).isFalse();
        }
        assertThat(await(store.count())).isZero();
        assertThat(await(store.write(creation("n/1"))).version()).isEqualTo(1);
        assertThat(metrics.counted("store.group.failed")).isPositive();
    }

    @Test
    void answersComeOnTheContextOfTheCaller() {
        open(16, 100, Duration.ofSeconds(5));
        Context context = vertx.getOrCreateContext();
        Promise<List<Context>> seen = Promise.promise();
        context.runOnContext(ignored -> store.write(creation("a"))
                .compose(written -> {
                    Context first = Vertx.currentContext();
                    return store.read(MeshAddress.of("a")).map(read -> List.of(first, Vertx.currentContext()));
                })
                .onComplete(seen));
        assertThat(await(seen.future())).containsExactly(context, context);
    }

    @Test
    void closeFinishesWhatWasBegun() {
        open(16, 1000, Duration.ofSeconds(5));
        List<Future<NodeRecord>> writes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            writes.add(store.write(creation("n/" + i)));
        }
        Future<Long> count = store.count();
        Future<Void> closed = store.close();
        writes.forEach(write -> assertThat(await(write).version()).isEqualTo(1));
        await(closed);
        await(count);
        open(16, 1000, Duration.ofSeconds(5));
        assertThat(await(store.count())).isEqualTo(500);
    }
}
