package io.meshhub.it.chaos;

import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A store that does not look at fences, or now and then acknowledges what it has not written, or is slow. */
final class BrokenStore extends ForwardingNodeStore {

    private static final int EVERY = 8;

    // So slow that a kill finds handlers at work.
    private static final long SLOW_MS = 200;

    private final boolean unfenced;
    private final boolean forgetful;
    private final boolean slow;
    private final AtomicLong writes = new AtomicLong();

    BrokenStore(NodeStore store, Plant plant) {
        super(store);
        this.unfenced = plant == Plant.IGNORE_FENCES;
        this.forgetful = plant == Plant.LOSE_WRITE;
        this.slow = plant == Plant.RESEND;
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        var content = write.content();
        if (forgetful && content != null && writes.incrementAndGet() % EVERY == 0) {
            return Future.succeededFuture(
                    new NodeRecord(write.address(), write.nodeType(), write.name(), content, 1, false, Instant.EPOCH));
        }
        Future<NodeRecord> written = super.write(unfenced ? unfenced(write) : write);
        return slow ? later(written) : written;
    }

    private static Future<NodeRecord> later(Future<NodeRecord> written) {
        Promise<NodeRecord> promise = Promise.promise();
        Executor later = CompletableFuture.delayedExecutor(SLOW_MS, TimeUnit.MILLISECONDS);
        written.onComplete(done -> later.execute(() -> promise.complete(done.result(), done.cause())));
        return promise.future();
    }

    private static NodeWrite unfenced(NodeWrite write) {
        ShardFence fence = write.fence();
        return new NodeWrite(
                write.address(),
                write.nodeType(),
                write.name(),
                write.content(),
                write.expectedVersion(),
                write.activation(),
                new ShardFence(fence.role(), fence.shard(), ActivationId.MAX_EPOCH, "everybody"));
    }

    @Override
    public Future<Map<Integer, Long>> take(Collection<ShardFence> fences) {
        return unfenced ? Future.succeededFuture(Map.of()) : super.take(fences);
    }

    @Override
    public Future<Long> highestFence() {
        return unfenced ? Future.succeededFuture(0L) : super.highestFence();
    }
}
