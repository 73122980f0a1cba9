package io.meshhub.hub.store;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.NodeChange;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces the changes of one store instance to listeners in this process. */
final class LocalChangeFeed implements ChangeFeed {

    private static final Logger LOG = LoggerFactory.getLogger(LocalChangeFeed.class);

    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private long sequence;

    /** Tells all listeners; called by one thread at a time, in the order of the commits. */
    void announce(NodeChange.Kind kind, MeshAddress address, long version) {
        NodeChange change = new NodeChange(++sequence, kind, address, version);
        for (Listening listening : listeners) {
            listening.hear(change);
        }
    }

    @Override
    public Subscription subscribe(Consumer<NodeChange> listener) {
        Listening listening = new Listening(listener);
        listeners.add(listening);
        return () -> {
            listeners.remove(listening);
            listening.end();
        };
    }

    /** One listener. Its lock is held during a call, so that none can begin once the end has returned. */
    private static final class Listening {

        private final Consumer<NodeChange> listener;
        private boolean ended;

        Listening(Consumer<NodeChange> listener) {
            this.listener = listener;
        }

        synchronized void hear(NodeChange change) {
            if (ended) {
                return;
            }
            try {
                listener.accept(change);
            } catch (RuntimeException e) {
                LOG.warn(
                        "A listener of the change feed failed at change {} ({} {}, version {}); it missed this change",
                        change.sequence(),
                        change.kind(),
                        change.address(),
                        change.version(),
                        e);
            }
        }

        synchronized void end() {
            ended = true;
        }
    }
}
