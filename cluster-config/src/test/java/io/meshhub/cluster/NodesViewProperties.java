package io.meshhub.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.spi.Membership.Change;
import io.meshhub.routing.spi.NodeInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The view of the nodes: whatever is told late, twice or not at all, nobody comes back and no step is told twice. */
final class NodesViewProperties {

    private static final int NODES = 4;

    private static NodeRow row(int node, NodeInfo.State state) {
        return new NodeRow(RendezvousProperties.node("n" + node, state), new UUID(0, node), 1024, Map.of(), "");
    }

    @Property
    void eventsTellALifeInOrderAndOnce(@ForAll Random random) {
        List<UUID> members = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            members.add(new UUID(0, node));
        }
        NodesView view = NodesView.EMPTY;
        Map<String, NodeInfo.State> told = new HashMap<>();
        Set<String> gone = new HashSet<>();
        NodeInfo.State[] states = NodeInfo.State.values();
        for (int step = 0; step < 60; step++) {
            if (random.nextInt(12) == 0 && !members.isEmpty()) {
                members.remove(random.nextInt(members.size()));
            }
            NodeRow row = row(random.nextInt(NODES), states[random.nextInt(random.nextInt(6) == 0 ? 4 : 3)]);
            NodesView.Step next = view.on(members, random.nextInt(4) == 0 ? List.of() : List.of(row, row));
            for (NodesView.Event event : next.events()) {
                String incarnation = event.node().incarnation();
                assertThat(gone).doesNotContain(incarnation);
                NodeInfo.State before = told.put(incarnation, event.node().state());
                switch (event.change()) {
                    case JOINED -> assertThat(before).isNull();
                    case STATE -> assertThat(event.node().state()).isGreaterThan(before);
                    case DROPPED -> gone.add(incarnation);
                }
                if (event.change() != Change.JOINED) {
                    assertThat(before).isNotNull();
                }
            }
            view = next.view();
            List<String> live = view.live().stream().map(NodeRow::incarnation).toList();
            assertThat(live).noneMatch(view.dropped()::contains);
            assertThat(view.live()).allSatisfy(one -> assertThat(members).contains(one.member()));
            assertThat(view.live().stream().map(one -> members.indexOf(one.member())))
                    .isSorted();
        }
    }

    @Property
    void theOrderInWhichRowsAreToldDoesNotMatter(@ForAll Random random) {
        List<UUID> members = List.of(new UUID(0, 0), new UUID(0, 1), new UUID(0, 2), new UUID(0, 3));
        List<NodeRow> rows = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            for (NodeInfo.State state : List.of(NodeInfo.State.STARTING, NodeInfo.State.UP, NodeInfo.State.LEAVING)) {
                if (random.nextBoolean()) {
                    rows.add(row(node, state));
                }
            }
        }
        NodesView inOrder = NodesView.EMPTY.on(members, rows).view();
        Collections.shuffle(rows, random);
        NodesView shuffled = NodesView.EMPTY;
        for (NodeRow row : rows) {
            shuffled = shuffled.on(members, List.of(row)).view();
        }

        assertThat(shuffled).isEqualTo(inOrder);
    }

    @Property(tries = 1)
    void theDroppedThatAreRememberedAreBounded() {
        NodesView view = NodesView.EMPTY;
        for (int node = 0; node < NodesView.MAX_DROPPED + 50; node++) {
            view = view.on(List.of(new UUID(0, node)), List.of(row(node, NodeInfo.State.UP)))
                    .view();
        }
        view = view.on(List.of(), List.of()).view();

        assertThat(view.dropped()).hasSize(NodesView.MAX_DROPPED).contains("n" + (NodesView.MAX_DROPPED + 49) + "-1");
    }
}
