package io.meshhub.query.gate;

import io.meshhub.query.language.Scored;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one provider has told: its rows, and behind which row there may be more of them. */
final class Told {

    private final Map<MeshAddress, Scored> rows = new HashMap<>();
    private final Comparator<Scored> order;
    private final int wanted;
    private boolean cut;
    private @Nullable Scored horizon;

    /**
     * Nothing so far.
     *
     * @param wanted how many rows it was asked for
     */
    Told(Comparator<Scored> order, int wanted) {
        this.order = order;
        this.wanted = wanted;
    }

    Map<MeshAddress, Scored> rows() {
        return rows;
    }

    int wanted() {
        return wanted;
    }

    /** Whether it may have more rows than it told. */
    boolean isCut() {
        return cut;
    }

    /** There may be more rows behind the last one. */
    void cut() {
        cut = true;
        horizon = rows.values().stream().max(order).orElse(null);
    }

    /** Whether it is not known what stands beside the row. */
    boolean isBeyond(Scored row) {
        return cut && (horizon == null || order.compare(row, horizon) > 0);
    }

    /** Whether what is known of it ends before what is known of another one; both are cut. */
    boolean isTighterThan(Told other) {
        return horizon == null || (other.horizon != null && order.compare(horizon, other.horizon) < 0);
    }

    /** Keeps as many rows as it was asked for, and what it has beyond is not known any more. */
    List<MeshAddress> trim() {
        List<Scored> all = new ArrayList<>(rows.values());
        all.sort(order);
        List<MeshAddress> dropped = all.subList(wanted, all.size()).stream()
                .map(row -> row.node().path())
                .toList();
        dropped.forEach(rows::remove);
        cut();
        return dropped;
    }
}
