package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeListing;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in one SQLite file, which several processes of one machine may open at a time (never over a network file
 * system).
 *
 * <p>A write is on disk before its future completes. Writes are committed in groups by one thread, in the order in which
 * they came; each has its own result in its group. If the commit of a group fails, each of its writes fails with {@link
 * StoreException}, and whether it is stored is not known. Reads have threads of their own and see what was committed
 * last, by any process. Futures complete on the Vert.x context of the caller.
 *
 * <p>Writes, and apart from them reads, wait in a bounded queue; past its bound calls fail with {@link Overloaded} and
 * nothing was done. Queries, which may take long, leave one of several reading threads to the other reads, and wait for
 * each other. A write whose type, name or content is no Unicode or no JSON fails with {@link Rejected}. The feed
 * announces what was written through this instance, not what other processes write.
 */
public final class SqliteNodeStore implements NodeStore, QueryableStore {

    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private final Vertx vertx;
    private final SqliteFile file;
    private final MeshClock clock;
    private final WorkQueue<WriteJob> writes;
    private final WorkQueue<SqliteReader.ReadJob<?>> reads;
    private final QueryTurns queries;
    private final LocalChangeFeed feed = new LocalChangeFeed();
    private final Promise<Void> ended = Promise.promise();

    private SqliteNodeStore(Vertx vertx, SqliteFile file, StoreOptions options, MeshClock clock) {
        this.vertx = vertx;
        this.file = file;
        this.clock = clock;
        this.writes = new WorkQueue<>(options.queueBound(), WorkQueue.MAX_WEIGHT);
        this.reads = new WorkQueue<>(options.queueBound(), WorkQueue.MAX_WEIGHT);
        this.queries = new QueryTurns(
                reads,
                Math.max(1, options.readers() - 1),
                options.queueBound(),
                (query, offer) -> query.answer().fail(refusal(offer, null, reads.size())));
    }

    /**
     * Opens the store, and makes it when it is missing.
     *
     * @return fails with {@link StoreException}, which names the file and the reason, when it cannot be made or opened,
     *     is damaged, or belongs to another application or to software of another schema
     */
    public static Future<SqliteNodeStore> open(Vertx vertx, StoreOptions options, MeshMetrics metrics) {
        return open(vertx, options, metrics, MeshClock.system());
    }

    static Future<SqliteNodeStore> open(Vertx vertx, StoreOptions options, MeshMetrics metrics, MeshClock clock) {
        return vertx.executeBlocking(
                () -> {
                    SqliteNodeStore store = new SqliteNodeStore(vertx, SqliteFile.open(options), options, clock);
                    store.start(options, metrics);
                    return store;
                },
                false);
    }

    private void start(StoreOptions options, MeshMetrics metrics) {
        List<Connection> opened = new ArrayList<>();
        List<Runnable> workers = new ArrayList<>();
        try {
            Connection writing = file.connectToWrite();
            opened.add(writing);
            workers.add(new SqliteWriter(
                    file, new SqliteWrites(writing), writes, options.groupSize(), feed, clock, metrics));
            for (int i = 0; i < options.readers(); i++) {
                Connection reading = file.connectToRead();
                opened.add(reading);
                workers.add(new SqliteReader(file, new SqliteReads(reading), reads, clock, metrics));
            }
        } catch (SQLException e) {
            StoreException failure = file.failure("cannot be opened", e);
            opened.forEach(connection -> close(connection, failure));
            throw failure;
        }
        AtomicInteger running = new AtomicInteger(workers.size());
        for (int i = 0; i < workers.size(); i++) {
            Runnable worker = workers.get(i);
            Runnable lastEnds = () -> {
                try {
                    worker.run();
                } finally {
                    if (running.decrementAndGet() == 0) {
                        ended.complete();
                    }
                }
            };
            Thread thread = new Thread(lastEnds, i == 0 ? "meshhub-store-writer" : "meshhub-store-reader-" + (i - 1));
            thread.setDaemon(true);
            thread.start();
        }
        metrics.gauge("store.queue", writes::size, "of", "writes");
        metrics.gauge("store.queue", reads::size, "of", "reads");
        metrics.gauge("store.queue", queries::size, "of", "queries");
    }

    private static void close(Connection connection, StoreException reason) {
        try {
            connection.close();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    @Override
    public String storeId() {
        return file.storeId();
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return ask(address, connection -> connection.read(address));
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        EncodedWrite encoded;
        try {
            encoded = EncodedWrite.of(write);
        } catch (Rejected e) {
            return Future.failedFuture(e);
        }
        Answer<NodeRecord> answer = new Answer<>(vertx);
        WriteJob job = new WriteJob.Node(encoded, answer);
        return queued(writes.offer(job, encoded.weight()), answer, write.address(), writes);
    }

    @Override
    public Future<List<NodeRecord>> list(NodeListing listing) {
        return ask(listing.path(), connection -> connection.list(listing));
    }

    @Override
    public Future<StoreAnswer> query(Query query, int most, Runnable begun) {
        return query(query, most, begun, () -> false);
    }

    @Override
    public Future<StoreAnswer> query(Query query, int most, Runnable begun, BooleanSupplier isOver) {
        QueryableStore.checkMost(most);
        long offered = clock.nanoTime();
        Answer<StoreAnswer> answer = new Answer<>(vertx);
        SqliteReader.Query<StoreAnswer> question = connection -> {
            try {
                if (isOver.getAsBoolean()) {
                    throw new SQLException("nobody waits for the answer any more");
                }
                long started = clock.nanoTime();
                begun.run();
                Harvest harvest = connection.query(query, most, isOver);
                return new StoreAnswer(
                        harvest.nodes(),
                        harvest.isCut(),
                        Duration.ofNanos(started - offered),
                        Duration.ofNanos(clock.nanoTime() - started));
            } finally {
                queries.done();
            }
        };
        WorkQueue.Offer offer = queries.offer(new SqliteReader.ReadJob<>(question, answer));
        return offer == WorkQueue.Offer.TAKEN
                ? answer.future()
                : Future.failedFuture(refusal(offer, query.path(), queries.size()));
    }

    @Override
    public Future<List<String>> partitions(@Nullable String after, int limit) {
        return ask(null, reads -> reads.partitions(after, limit));
    }

    @Override
    public Future<Long> count() {
        return ask(null, SqliteReads::count);
    }

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        Answer<Map<Integer, Long>> answer = new Answer<>(vertx);
        return queued(writes.offer(new WriteJob.Fences(fences, answer), fences.size()), answer, null, writes);
    }

    @Override
    public Future<Long> highestFence() {
        return ask(null, SqliteReads::highestFence);
    }

    @Override
    public ChangeFeed changes() {
        return feed;
    }

    /** Finishes what waits, which at the worst takes the busy time-out for each group, and closes; idempotent. */
    @Override
    public Future<Void> close() {
        Answer<Void> answer = new Answer<>(vertx);
        writes.close();
        reads.close();
        ended.future().onSuccess(answer::succeed).onFailure(answer::fail);
        return answer.future();
    }

    private <T> Future<T> ask(@Nullable MeshAddress address, SqliteReader.Query<T> query) {
        Answer<T> answer = new Answer<>(vertx);
        return queued(reads.offer(new SqliteReader.ReadJob<>(query, answer), 1), answer, address, reads);
    }

    private <T> Future<T> queued(
            WorkQueue.Offer offer, Answer<T> answer, @Nullable MeshAddress address, WorkQueue<?> queue) {
        return offer == WorkQueue.Offer.TAKEN
                ? answer.future()
                : Future.failedFuture(refusal(offer, address, queue.size()));
    }

    private RuntimeException refusal(WorkQueue.Offer offer, @Nullable MeshAddress address, int waiting) {
        return offer == WorkQueue.Offer.CLOSED
                ? new StoreException("Store " + file.path() + " is closed", null)
                : overloaded(address, waiting);
    }

    private Overloaded overloaded(@Nullable MeshAddress address, int waiting) {
        FailureDetail detail = address == null ? FailureDetail.NONE : FailureDetail.about(address);
        return new Overloaded(
                "Store " + file.path() + " cannot take more (" + waiting + " calls wait); nothing was done, retry in "
                        + RETRY_AFTER.toMillis() + " ms",
                detail.retryAfter(RETRY_AFTER));
    }
}
