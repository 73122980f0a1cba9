package io.meshhub.hub.store;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.query.language.Scored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/** Collects what belongs to the result of a query, and never holds more than its skip, its limit and one. */
final class Harvest {

    private final Query query;
    private final int skip;
    private final int most;
    private final boolean inOrder;
    private final List<Scored> found = new ArrayList<>();
    private final PriorityQueue<Scored> best;
    private int skipped;

    /**
     * A new one.
     *
     * @param skip how many are left out at the start
     * @param most the most nodes to answer with
     * @param inOrder whether nodes are offered in the order of the query
     */
    Harvest(Query query, int skip, int most, boolean inOrder) {
        this.query = query;
        this.skip = skip;
        this.most = most;
        this.inOrder = inOrder;
        this.best = new PriorityQueue<>(Collections.reverseOrder(query.scoredOrder()));
    }

    /** How many nodes are needed after skipping: one more than the answer holds tells whether it is cut. */
    static int wanted(Query query, int most) {
        int limit = query.limit().orElse(Integer.MAX_VALUE);
        return limit <= most ? limit : most + 1;
    }

    private int wanted() {
        return wanted(query, most);
    }

    /** Takes a node that matches; says whether more are needed. */
    boolean offer(Scored row) {
        if (!inOrder) {
            best.add(row);
            if (best.size() > skip + wanted()) {
                best.remove();
            }
            return true;
        }
        if (skipped < skip) {
            skipped++;
        } else {
            found.add(row);
        }
        return found.size() < wanted();
    }

    /** The result, as far as the answer holds it. */
    List<QueryNode> nodes() {
        List<Scored> all = all();
        return all.subList(0, Math.min(most, all.size())).stream()
                .map(Scored::node)
                .toList();
    }

    /** Whether the answer does not hold all of the result. */
    boolean isCut() {
        return all().size() > most;
    }

    private List<Scored> all() {
        if (inOrder) {
            return found;
        }
        List<Scored> sorted = new ArrayList<>(best);
        sorted.sort(query.scoredOrder());
        return sorted.subList(Math.min(skip, sorted.size()), sorted.size());
    }
}
