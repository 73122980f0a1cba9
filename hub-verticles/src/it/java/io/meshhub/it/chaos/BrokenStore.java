package io.meshhub.it.chaos;

import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.ShardFence;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A store that does not look at fences, or now and then acknowledges what it has not written. */
final class BrokenStore extends ForwardingNodeStore {

    private static final int EVERY = 8;

    private final boolean unfenced;
    private final boolean forgetful;
    private final AtomicLong writes = new AtomicLong();

    BrokenStore(NodeStore store, boolean unfenced, boolean forgetful) {
        super(store);
        this.unfenced = unfenced;
        this.forgetful = forgetful;
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        var content = write.content();
        if (forgetful && content != null && writes.incrementAndGet() % EVERY == 0) {
            return Future.succeededFuture(
                    new NodeRecord(write.address(), write.nodeType(), write.name(), content, 1, false, Instant.EPOCH));
        }
        return super.write(unfenced ? unfenced(write) : write);
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
