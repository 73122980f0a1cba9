package io.meshhub.routing.router;

import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What one node sees of the others, as a test says. */
final class FakeMembership implements Membership {

    private final Map<String, NodeInfo> nodes = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile NodeInfo self;

    FakeMembership(NodeInfo self) {
        this.self = self;
        nodes.put(self.incarnation(), self);
    }

    /** A node of the default role that is up. */
    static NodeInfo up(String name, int loops) {
        return new NodeInfo(
                name, name + "-1", NodeInfo.State.UP, loops, NodeInfo.DEFAULT_ROLE, Set.of("order"), "store", "1");
    }

    void join(NodeInfo node) {
        nodes.put(node.incarnation(), node);
        listeners.forEach(listener -> listener.changed(Change.JOINED, node));
    }

    @Override
    public boolean isLookupFailure(Throwable failure) {
        return failure instanceof UnsupportedOperationException;
    }

    void drop(NodeInfo node) {
        nodes.remove(node.incarnation());
        listeners.forEach(listener -> listener.changed(Change.DROPPED, node));
    }

    @Override
    public NodeInfo self() {
        return self;
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return nodes.values();
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return Optional.ofNullable(nodes.get(incarnation));
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        self = self.in(state);
        nodes.put(self.incarnation(), self);
        listeners.forEach(listener -> listener.changed(Change.STATE, self));
        return Future.succeededFuture();
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }
}
