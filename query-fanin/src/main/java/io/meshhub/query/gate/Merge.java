package io.meshhub.query.gate;

import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.query.language.Scored;
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
    private final Comparator<Scored> order;
    private final boolean windowed;
    private final Map<String, Told> told = new TreeMap<>();
    private final Map<MeshAddress, Scored> winners = new HashMap<>();
    private final TreeSet<Scored> sorted;
    private final Map<MeshAddress, Scored> shown = new HashMap<>();
    private final Set<MeshAddress> touched = new HashSet<>();
    private boolean dirty;
    private boolean isShown;
    private @Nullable Window window;

    /**
     * What is in the window, until something changes.
     *
     * @param last the row that would be the last one of a full window; null where there are fewer
     */
    private record Window(
            List<Scored> rows,
            List<QueryNode> nodes,
            @Nullable Scored last) {}

    /**
     * An empty result.
     *
     * @param mostNodes the most nodes of a result without a limit, at least 1
     */
    public Merge(Query query, int mostNodes) {
        this.query = query;
        this.mostNodes = mostNodes;
        this.order = query.scoredOrder();
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
        changed();
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
        changed();
        List.copyOf(all.rows().keySet()).forEach(this::settle);
        return true;
    }

    private void put(Told all, QueryNode node) {
        Scored known = all.rows().get(node.path());
        if (known != null && known.node().version() > node.version()) {
            return;
        }
        Scored row = query.evaluate(node);
        if (row == null || all.isBeyond(row)) {
            all.rows().remove(node.path());
        } else {
            all.rows().put(node.path(), row);
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

    private void changed() {
        window = null;
        isShown = false;
    }

    // Finds who shows the path now.
    private void settle(MeshAddress path) {
        changed();
        Scored best = null;
        for (Told each : told.values()) {
            Scored row = each.rows().get(path);
            if (row != null && (best == null || isBetter(row, best))) {
                best = row;
            }
        }
        Scored before = winners.get(path);
        if (before != null) {
            sorted.remove(before);
        }
        if (best == null) {
            winners.remove(path);
        } else {
            winners.put(path, best);
            sorted.add(best);
        }
        touched.add(path);
    }

    // The providers come in the order of their names, so that of equal rows the first one stays.
    private static boolean isBetter(Scored row, Scored best) {
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
        if (query.limit().isEmpty() || reach() == 0) {
            return more;
        }
        Scored last = current().last();
        told.forEach((provider, all) -> {
            if (all.isCut() && (last == null || all.isBeyond(last))) {
                more.put(provider, deeper(all.wanted()));
            }
        });
        return more;
    }

    private int deeper(int wanted) {
        return wanted < deepest() ? Math.min(Math.max(2 * wanted, wanted + SLACK), deepest()) : deepest() + 1;
    }

    /** The window as it is now, in order. */
    public List<QueryNode> window() {
        return current().nodes();
    }

    private Window current() {
        Window known = window;
        if (known == null) {
            known = reckon();
            window = known;
        }
        return known;
    }

    private Window reckon() {
        long end = (long) query.skip() + query.limit().orElse(Integer.MAX_VALUE);
        Told tightest = null;
        for (Told each : told.values()) {
            if (each.isCut() && (tightest == null || each.isTighterThan(tightest))) {
                tightest = each;
            }
        }
        List<Scored> rows = new ArrayList<>();
        Scored last = null;
        boolean sure = true;
        long position = 0;
        for (Scored row : sorted) {
            position++;
            sure = sure && (tightest == null || !tightest.isBeyond(row));
            if (sure && position > query.skip() && position <= end) {
                rows.add(row);
            }
            if (position >= end) {
                last = row;
                break;
            }
        }
        return new Window(rows, rows.stream().map(Scored::node).toList(), last);
    }

    /** The window, which is thereby shown: {@link #flush} goes on from it. */
    public List<QueryNode> show() {
        shown.clear();
        current().rows().forEach(row -> shown.put(row.node().path(), row));
        done();
        return window();
    }

    /** What was shown last, in order: the window without what has not been flushed. */
    public List<QueryNode> shown() {
        return shown.values().stream().sorted(order).map(Scored::node).toList();
    }

    private void done() {
        touched.clear();
        dirty = false;
        isShown = true;
    }

    /** What became of the window since it was last shown; it is thereby shown as it is now. */
    public Changes flush() {
        if (isShown) {
            return Changes.NONE;
        }
        Map<MeshAddress, Scored> now = new HashMap<>();
        Set<MeshAddress> looked = new TreeSet<>(touched);
        if (windowed || told.values().stream().anyMatch(Told::isCut)) {
            current().rows().forEach(row -> now.put(row.node().path(), row));
            looked.addAll(shown.keySet());
            looked.addAll(now.keySet());
        } else {
            touched.forEach(path -> {
                Scored row = winners.get(path);
                if (row != null) {
                    now.put(path, row);
                }
            });
        }
        List<MeshAddress> removed = new ArrayList<>();
        List<Scored> updated = new ArrayList<>();
        List<Scored> added = new ArrayList<>();
        for (MeshAddress path : looked) {
            Scored before = shown.get(path);
            Scored after = now.get(path);
            if (after == null) {
                if (before != null) {
                    removed.add(path);
                    shown.remove(path);
                }
            } else if (before == null) {
                added.add(after);
                shown.put(path, after);
            } else if (!after.node().equals(before.node())) {
                updated.add(after);
                shown.put(path, after);
            }
        }
        done();
        return new Changes(removed, inOrder(updated), inOrder(added));
    }

    private List<QueryNode> inOrder(List<Scored> rows) {
        rows.sort(order);
        return rows.stream().map(Scored::node).toList();
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
