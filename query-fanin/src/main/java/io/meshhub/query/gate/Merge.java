package io.meshhub.query.gate;

import io.meshhub.query.gate.Told.Row;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What all providers of a query tell, as one result: each path once, in the query's order, cut by its skip and limit. Not
 * safe for several threads; it knows no time.
 *
 * <p>Of several values for a path the one with the higher score is shown, then the one with the higher version, then that
 * of the provider whose name comes first. A value that goes uncovers the next one.
 *
 * <p>A provider is asked for as many rows as the window reaches and may keep the others. How its rows go on behind the
 * last one is then not known, and nothing behind that is shown: what is shown is always a beginning of the exact result.
 * Where the window is not full for that reason, {@link #tooShort} says who must be asked for more.
 */
public final class Merge {

    /** How many rows above twice what was asked for are kept before those behind are let go. */
    private static final int SLACK = 64;

    private final Query query;
    private final int mostNodes;
    private final Comparator<QueryNode> order;
    private final boolean windowed;
    private final Map<String, Told> told = new TreeMap<>();
    private final Map<MeshAddress, Row> winners = new HashMap<>();
    private final TreeSet<QueryNode> sorted;
    private final Map<MeshAddress, QueryNode> shown = new HashMap<>();
    private final Set<MeshAddress> touched = new HashSet<>();
    private boolean dirty;

    /**
     * An empty result.
     *
     * @param mostNodes the most nodes of a result without a limit, at least 1
     */
    public Merge(Query query, int mostNodes) {
        this.query = query;
        this.mostNodes = mostNodes;
        this.order = query.order();
        this.sorted = new TreeSet<>(order);
        this.windowed = query.skip() > 0 || query.limit().isPresent();
    }

    /** How many rows each provider is to be asked for at first. */
    public int reach() {
        return query.skip() + query.limit().orElse(mostNodes);
    }

    /** The most rows that a provider is asked for, where what it told does not fill the window. */
    public int deepest() {
        return reach() + mostNodes;
    }

    /**
     * A provider told all that it has, or as much as it was asked for; what it told before is void.
     *
     * @param wanted how much it was asked for
     * @param cut whether it has more
     * @return whether a flush is due: nothing had waited for one
     */
    public boolean first(String provider, List<QueryNode> nodes, boolean cut, int wanted) {
        drop(provider);
        Told all = new Told(order, wanted);
        told.put(provider, all);
        for (QueryNode node : nodes) {
            put(all, node);
        }
        if (cut) {
            all.cut();
        }
        trim(all);
        return touch();
    }

    /**
     * A provider has a node, or has it in another version. One that does not match is not in the result; an older version
     * than the one it told changes nothing.
     *
     * @return whether a flush is due: nothing had waited for one
     */
    public boolean upsert(String provider, QueryNode node) {
        Told all = told.get(provider);
        if (all == null) {
            return false;
        }
        put(all, node);
        trim(all);
        return touch();
    }

    /**
     * A provider has a node no more.
     *
     * @return whether a flush is due: nothing had waited for one
     */
    public boolean remove(String provider, MeshAddress path) {
        Told all = told.get(provider);
        if (all == null || all.rows().remove(path) == null) {
            return false;
        }
        settle(path);
        return touch();
    }

    /**
     * What the provider told is void.
     *
     * @return whether a flush is due: nothing had waited for one
     */
    public boolean gone(String provider) {
        return drop(provider) && touch();
    }

    private boolean drop(String provider) {
        Told all = told.remove(provider);
        if (all == null) {
            return false;
        }
        List.copyOf(all.rows().keySet()).forEach(this::settle);
        return true;
    }

    private void put(Told all, QueryNode node) {
        Row known = all.rows().get(node.path());
        if (known != null && known.node().version() > node.version()) {
            return;
        }
        if (!query.matches(node) || all.isBeyond(node)) {
            all.rows().remove(node.path());
        } else {
            all.rows().put(node.path(), new Row(node, query.score(node)));
        }
        settle(node.path());
    }

    private void trim(Told all) {
        if (windowed && query.limit().isPresent() && all.rows().size() > 2 * all.wanted() + SLACK) {
            all.trim().forEach(this::settle);
        }
    }

    private boolean touch() {
        boolean first = !dirty && !touched.isEmpty();
        dirty |= first;
        return first;
    }

    // Finds who shows the path now.
    private void settle(MeshAddress path) {
        Row best = null;
        for (Told each : told.values()) {
            Row row = each.rows().get(path);
            if (row != null && (best == null || isBetter(row, best))) {
                best = row;
            }
        }
        Row before = winners.get(path);
        if (before != null) {
            sorted.remove(before.node());
        }
        if (best == null) {
            winners.remove(path);
        } else {
            winners.put(path, best);
            sorted.add(best.node());
        }
        touched.add(path);
    }

    // The providers come in the order of their names, so that of equal rows the first one stays.
    private static boolean isBetter(Row row, Row best) {
        int score = Double.compare(row.score(), best.score());
        return score > 0 || (score == 0 && row.node().version() > best.node().version());
    }

    /** Whether there are more nodes than a result may have. */
    public boolean isOverfull() {
        boolean unlimited = query.limit().isEmpty();
        return unlimited && (sorted.size() > reach() || told.values().stream().anyMatch(Told::isCut));
    }

    /**
     * Who must be asked again for the window to be full, and for how many rows: none but those that kept some, and for
     * more than {@link #deepest} where that would not do.
     */
    public Map<String, Integer> tooShort() {
        Map<String, Integer> more = new LinkedHashMap<>();
        if (query.limit().isEmpty()) {
            return more;
        }
        int reach = reach();
        told.forEach((provider, all) -> {
            if (all.isCut() && countUpTo(all.horizon(), reach) < reach) {
                more.put(provider, deeper(all.wanted()));
            }
        });
        return more;
    }

    private int deeper(int wanted) {
        return wanted < deepest() ? Math.min(Math.max(2 * wanted, wanted + SLACK), deepest()) : deepest() + 1;
    }

    private int countUpTo(@Nullable QueryNode horizon, int most) {
        int count = 0;
        for (QueryNode node : sorted) {
            if (count == most || horizon == null || order.compare(node, horizon) > 0) {
                break;
            }
            count++;
        }
        return count;
    }

    /** The window as it is now, in order. */
    public List<QueryNode> window() {
        long end = (long) query.skip() + query.limit().orElse(Integer.MAX_VALUE);
        List<QueryNode> window = new ArrayList<>();
        int position = 0;
        for (QueryNode node : sorted) {
            if (position >= end || isUnsure(node)) {
                break;
            }
            if (position >= query.skip()) {
                window.add(node);
            }
            position++;
        }
        return window;
    }

    private boolean isUnsure(QueryNode node) {
        for (Told each : told.values()) {
            if (each.isBeyond(node)) {
                return true;
            }
        }
        return false;
    }

    /** The window, which is thereby shown: {@link #flush} goes on from it. */
    public List<QueryNode> show() {
        List<QueryNode> window = window();
        shown.clear();
        window.forEach(node -> shown.put(node.path(), node));
        touched.clear();
        dirty = false;
        return window;
    }

    /** What became of the window since it was last shown; it is thereby shown as it is now. */
    public Changes flush() {
        Map<MeshAddress, QueryNode> now = new HashMap<>();
        Set<MeshAddress> looked = new TreeSet<>(touched);
        if (windowed || told.values().stream().anyMatch(Told::isCut)) {
            window().forEach(node -> now.put(node.path(), node));
            looked.addAll(shown.keySet());
            looked.addAll(now.keySet());
        } else {
            touched.forEach(path -> {
                Row row = winners.get(path);
                if (row != null) {
                    now.put(path, row.node());
                }
            });
        }
        List<MeshAddress> removed = new ArrayList<>();
        List<QueryNode> updated = new ArrayList<>();
        List<QueryNode> added = new ArrayList<>();
        for (MeshAddress path : looked) {
            QueryNode before = shown.get(path);
            QueryNode after = now.get(path);
            if (after == null) {
                if (before != null) {
                    removed.add(path);
                    shown.remove(path);
                }
            } else if (!after.equals(before)) {
                (before == null ? added : updated).add(after);
                shown.put(path, after);
            }
        }
        updated.sort(order);
        added.sort(order);
        touched.clear();
        dirty = false;
        return new Changes(removed, updated, added);
    }

    /** Whether what the provider told stands, even where that is nothing. */
    public boolean hasTold(String provider) {
        return told.containsKey(provider);
    }

    /** How many nodes there are, shown or not. */
    public int size() {
        return sorted.size();
    }
}
