package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The membership of one simulated process: the view that is shipped, over made-up members. */
final class SimMembership implements ClusterMembership {

    private final SimNode node;
    private final SimHazelcast hazelcast;
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<String, Integer> unknown = new HashMap<>();
    private final Map<String, Integer> unlisted = new HashMap<>();
    private NodeRow self;
    private NodesView view = NodesView.EMPTY;

    SimMembership(SimNode node, SimHazelcast hazelcast, NodeRow self) {
        this.node = node;
        this.hazelcast = hazelcast;
        this.self = self;
    }

    void refresh(List<UUID> members, Collection<NodeRow> rows) {
        NodesView.Step step = view.on(members, rows);
        view = step.view();
        for (String incarnation : List.copyOf(view.waiting().keySet())) {
            if (unlisted.merge(incarnation, 1, Integer::sum) > 4) {
                view = view.withDropped(incarnation);
                if (incarnation.equals(self.incarnation())) {
                    self = self.in(NodeInfo.State.EXPELLED);
                    listeners.forEach(listener -> listener.changed(Change.DROPPED, self()));
                }
            }
        }
        for (String incarnation : List.copyOf(unknown.keySet())) {
            boolean known = rows.stream().anyMatch(row -> row.incarnation().equals(incarnation));
            if (!known && unknown.merge(incarnation, 1, Integer::sum) > 3) {
                view = view.withDropped(incarnation);
                unknown.remove(incarnation);
            }
        }
        for (NodesView.Event event : step.events()) {
            if (event.change() == Change.DROPPED && event.node().incarnation().equals(self.incarnation())) {
                self = self.in(NodeInfo.State.EXPELLED);
            }
            listeners.forEach(listener -> listener.changed(event.change(), event.node()));
        }
    }

    @Override
    public boolean isDropped(String incarnation) {
        if (view.dropped().contains(incarnation)) {
            return true;
        }
        if (view.find(incarnation).isEmpty()) {
            unknown.putIfAbsent(incarnation, 0);
        }
        return false;
    }

    @Override
    public void drop(String incarnation) {
        if (!view.dropped().contains(incarnation)) {
            view = view.withDropped(incarnation);
        }
    }

    @Override
    public Future<Void> expel(String incarnation) {
        node.world.check.expelled(incarnation);
        return view.find(incarnation)
                .map(row -> hazelcast.putNode(node, row.in(NodeInfo.State.EXPELLED)))
                .orElse(Future.succeededFuture());
    }

    @Override
    public boolean holdsDropped() {
        return false;
    }

    @Override
    public void forget(String role, Set<String> owners) {}

    @Override
    public NodeInfo self() {
        return self.node();
    }

    @Override
    public Collection<NodeInfo> nodes() {
        return view.live().stream().map(NodeRow::node).toList();
    }

    @Override
    public Optional<NodeInfo> node(String incarnation) {
        return view.find(incarnation).map(NodeRow::node);
    }

    @Override
    public Future<Void> announce(NodeInfo.State state) {
        if (state.compareTo(self.node().state()) < 0) {
            return state == NodeInfo.State.LEAVING
                    ? Future.succeededFuture()
                    : Future.failedFuture("this incarnation was given up");
        }
        self = self.in(state);
        return hazelcast.putNode(node, self).onSuccess(told -> hazelcast.refresh(node));
    }

    @Override
    public void onChange(Listener listener) {
        listeners.add(listener);
    }
}
