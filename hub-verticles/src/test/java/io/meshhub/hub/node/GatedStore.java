package io.meshhub.hub.node;

import io.meshhub.hub.store.ForwardingNodeStore;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeRecord;
import io.meshhub.routing.spi.NodeStore;
import io.meshhub.routing.spi.NodeWrite;
import io.meshhub.routing.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store that a test breaks, or lets answer late. */
final class GatedStore extends ForwardingNodeStore {

    final List<NodeWrite> writes = new CopyOnWriteArrayList<>();
    volatile boolean readsFail;
    volatile boolean writesFail;
    /** Writes are done at once and acknowledged when this completes. */
    volatile Promise<Void> gate;

    GatedStore(NodeStore store) {
        super(store);
    }

    @Override
    public Future<Optional<NodeRecord>> read(MeshAddress address) {
        return readsFail ? Future.failedFuture(new StoreException("disk on fire", null)) : super.read(address);
    }

    @Override
    public Future<NodeRecord> write(NodeWrite write) {
        writes.add(write);
        if (writesFail) {
            return Future.failedFuture(new StoreException("disk on fire", null));
        }
        Promise<Void> wait = gate;
        Future<NodeRecord> written = super.write(write);
        return wait == null ? written : wait.future().compose(open -> written);
    }
}
