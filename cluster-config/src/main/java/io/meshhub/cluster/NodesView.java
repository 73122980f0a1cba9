package io.meshhub.cluster;

import io.meshhub.routing.spi.Membership.Change;
import io.meshhub.routing.spi.NodeInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Who is in the mesh, as one node sees it; immutable. It follows from the member list and the node rows, in whatever
 * order and however often they are told; who is dropped once stays so.
 *
 * @param live the rows of the nodes that are not dropped, in the order in which their members joined
 * @param waiting rows of members that the list did not show yet
 * @param dropped the incarnations that are dropped; the oldest are forgotten past {@link #MAX_DROPPED}
 */
record NodesView(List<NodeRow> live, Map<String, NodeRow> waiting, Set<String> dropped) {

    /** The most dropped incarnations that are remembered. */
    static final int MAX_DROPPED = 1024;

    static final NodesView EMPTY = new NodesView(List.of(), Map.of(), Set.of());

    /** Something that became of a node. */
    record Event(Change change, NodeInfo node) {}

    /** The next view, and what became of the nodes. */
    record Step(NodesView view, List<Event> events) {}

    /**
     * Takes in the member list as it is now, and rows that were read or told.
     *
     * @param members all members, oldest first
     */
    Step on(List<UUID> members, Collection<NodeRow> told) {
        Map<String, NodeRow> before = new LinkedHashMap<>();
        live.forEach(row -> before.put(row.incarnation(), row));
        Map<String, NodeRow> now = new LinkedHashMap<>(before);
        now.putAll(waiting);
        for (NodeRow row : told) {
            if (!dropped.contains(row.incarnation())) {
                now.merge(row.incarnation(), row, NodesView::later);
            }
        }
        Set<String> newDropped = new LinkedHashSet<>(dropped);
        Map<String, NodeRow> newWaiting = new LinkedHashMap<>();
        List<NodeRow> newLive = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        for (NodeRow row : now.values()) {
            NodeRow old = before.get(row.incarnation());
            boolean listed = members.contains(row.member());
            boolean expelled = row.node().state() == NodeInfo.State.EXPELLED;
            if (listed && !expelled) {
                newLive.add(row);
                if (old == null) {
                    events.add(new Event(Change.JOINED, row.node()));
                } else if (old.node().state() != row.node().state()) {
                    events.add(new Event(Change.STATE, row.node()));
                }
            } else if (old != null || expelled) {
                newDropped.add(row.incarnation());
                if (old != null) {
                    events.add(new Event(Change.DROPPED, row.node()));
                }
            } else {
                newWaiting.put(row.incarnation(), row);
            }
        }
        newLive.sort(Comparator.comparingInt(row -> members.indexOf(row.member())));
        trim(newDropped);
        return new Step(
                new NodesView(
                        List.copyOf(newLive),
                        Collections.unmodifiableMap(newWaiting),
                        Collections.unmodifiableSet(newDropped)),
                List.copyOf(events));
    }

    private static void trim(Set<String> dropped) {
        var names = dropped.iterator();
        while (dropped.size() > MAX_DROPPED) {
            names.next();
            names.remove();
        }
    }

    // States only go forward, so a row that was told late never takes a node back.
    private static NodeRow later(NodeRow a, NodeRow b) {
        return b.node().state().compareTo(a.node().state()) > 0 ? b : a;
    }

    /** Takes an incarnation for dropped whose row is nowhere to be found, or which no list shows. */
    NodesView withDropped(String incarnation) {
        Set<String> newDropped = new LinkedHashSet<>(dropped);
        newDropped.add(incarnation);
        trim(newDropped);
        Map<String, NodeRow> newWaiting = new LinkedHashMap<>(waiting);
        newWaiting.remove(incarnation);
        List<NodeRow> newLive = live.stream()
                .filter(row -> !row.incarnation().equals(incarnation))
                .toList();
        return new NodesView(newLive, Collections.unmodifiableMap(newWaiting), Collections.unmodifiableSet(newDropped));
    }

    Optional<NodeRow> find(String incarnation) {
        return live.stream()
                .filter(row -> row.incarnation().equals(incarnation))
                .findFirst();
    }
}
