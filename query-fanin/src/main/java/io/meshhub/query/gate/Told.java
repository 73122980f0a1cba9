package io.meshhub.query.gate;

import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one provider has told: its rows, and behind which row there may be more of them. */
final class Told {

    /** A node, and how well it meets the query. */
    record Row(QueryNode node, double score) {}

    private final Map<MeshAddress, Row> rows = new HashMap<>();
    private final Comparator<QueryNode> order;
    private final int wanted;
    private boolean cut;
    private @Nullable QueryNode horizon;

    /**
     * Nothing so far.
     *
     * @param wanted how many rows it was asked for
     */
    Told(Comparator<QueryNode> order, int wanted) {
        this.order = order;
        this.wanted = wanted;
    }

    Map<MeshAddress, Row> rows() {
        return rows;
    }

    int wanted() {
        return wanted;
    }

    /** Whether it may have more rows than it told. */
    boolean isCut() {
        return cut;
    }

    /** The last row before those that it may have kept; null when that is before all. */
    @Nullable
    QueryNode horizon() {
        return horizon;
    }

    /** There may be more rows behind the last one. */
    void cut() {
        cut = true;
        horizon = rows.values().stream().map(Row::node).max(order).orElse(null);
    }

    /** Whether it is not known what stands beside the node. */
    boolean isBeyond(QueryNode node) {
        return cut && (horizon == null || order.compare(node, horizon) > 0);
    }

    /** Keeps as many rows as it was asked for, and what it has beyond is not known any more. */
    List<MeshAddress> trim() {
        List<QueryNode> all = new ArrayList<>();
        rows.values().forEach(row -> all.add(row.node()));
        all.sort(order);
        List<MeshAddress> dropped =
                all.subList(wanted, all.size()).stream().map(QueryNode::path).toList();
        dropped.forEach(rows::remove);
        cut();
        return dropped;
    }
}
