package io.meshhub.query.language;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.CodePointOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A parsed query; immutable. Two are equal when their canonical texts are. */
public final class Query {

    /** The most characters (code points) of a query's text. */
    public static final int MAX_LENGTH = 4096;

    /** The most parentheses within each other. */
    public static final int MAX_DEPTH = 32;

    /** The most words and values, taken together. */
    public static final int MAX_TERMS = 128;

    /** The most names in one field below {@code content}. */
    public static final int MAX_MEMBERS = 32;

    /** The most nodes that a query can ask for. */
    public static final int MAX_LIMIT = 10_000;

    /** The most nodes that a query can skip. */
    public static final int MAX_SKIP = 100_000;

    /** The source of a query that names none. */
    public static final String NODES = "nodes";

    private final String source;
    private final @Nullable MeshAddress path;
    private final Scope scope;
    private final Condition condition;
    private final List<SortKey> sort;
    private final int skip;
    private final OptionalInt limit;
    private final String text;
    private final List<String> wanted;
    private final Comparator<Scored> order;

    Query(
            String source,
            @Nullable MeshAddress path,
            Scope scope,
            Condition condition,
            List<SortKey> sort,
            int skip,
            OptionalInt limit) {
        this.source = source;
        this.path = path;
        this.scope = scope;
        this.condition = condition;
        this.sort = List.copyOf(sort);
        this.skip = skip;
        this.limit = limit;
        this.text = canonical();
        this.wanted = FreeText.wanted(condition);
        this.order = inOrder();
    }

    /**
     * Reads a query. An empty text asks for all nodes.
     *
     * @throws QuerySyntaxException with the position of the fault when the text is no query
     */
    public static Query parse(String text) {
        return Parser.parse(text);
    }

    private String canonical() {
        List<String> parts = new ArrayList<>();
        if (!source.equals(NODES)) {
            parts.add(Keyword.FROM.word() + ":" + source);
        }
        if (path != null) {
            parts.add(Keyword.PATH.word() + ":" + Quoting.text(path.toString()));
            if (scope != Scope.EXACT) {
                parts.add(Keyword.SCOPE.word() + ":" + scope.word());
            }
        }
        if (!condition.equals(Condition.all(List.of()))) {
            parts.add(condition.toString());
        }
        if (!sort.isEmpty()) {
            parts.add(Keyword.SORT.word() + ":" + Quoting.join(",", sort, SortKey::toString));
        }
        if (skip > 0) {
            parts.add(Keyword.SKIP.word() + ":" + skip);
        }
        limit.ifPresent(most -> parts.add(Keyword.LIMIT.word() + ":" + most));
        return String.join(" ", parts);
    }

    private Comparator<Scored> inOrder() {
        Comparator<Scored> byPath =
                Comparator.comparing(row -> row.node().path().toString(), CodePointOrder.INSTANCE);
        Comparator<Scored> last = wanted.isEmpty()
                ? byPath
                : Comparator.comparingDouble(Scored::score).reversed().thenComparing(byPath);
        return sort.stream()
                .map(Evaluator::order)
                .reduce(Comparator::thenComparing)
                .map(keys -> Comparator.comparing(Scored::node, keys).thenComparing(last))
                .orElse(last);
    }

    /** The canonical text: the same for queries that differ only in white space and in the order of their terms. */
    public String text() {
        return text;
    }

    /** Whom to ask: {@link #NODES}, or another source by its name. */
    public String source() {
        return source;
    }

    /** The base of the scope; null when all nodes are looked at. */
    public @Nullable MeshAddress path() {
        return path;
    }

    /** How far it goes from its path; without a path it is a subtree, and goes everywhere. */
    public Scope scope() {
        return scope;
    }

    /** What nodes within the scope must meet. */
    public Condition condition() {
        return condition;
    }

    /** The most nodes of a result, after skipping. */
    public OptionalInt limit() {
        return limit;
    }

    /** How many nodes of the ordered result are left out at its start. */
    public int skip() {
        return skip;
    }

    /** The sort keys, the first one first. */
    public List<SortKey> sort() {
        return sort;
    }

    /** Whether free text is looked for, so that scores count in the order. */
    public boolean isScored() {
        return !wanted.isEmpty();
    }

    /** The same query without skip and limit: what is asked of each provider when only the merged result is cut. */
    public Query withoutWindow() {
        return new Query(source, path, scope, condition, sort, 0, OptionalInt.empty());
    }

    /** Whether the scope takes in the address, whatever stands there. */
    public boolean covers(MeshAddress address) {
        return path == null || scope.covers(path, address);
    }

    /** Whether the node is within the scope and meets all terms. */
    public boolean matches(QueryNode node) {
        return covers(node.path()) && Evaluator.meets(new Folded(node), condition);
    }

    /** The node with its score where it matches, else null. Cheaper than asking for both: its texts are folded once. */
    public @Nullable Scored evaluate(QueryNode node) {
        if (!covers(node.path())) {
            return null;
        }
        Folded folded = new Folded(node);
        return Evaluator.meets(folded, condition) ? new Scored(node, score(folded)) : null;
    }

    /** How well the node meets the free text, greater is better; 1 for a query without. */
    public double score(QueryNode node) {
        return score(new Folded(node));
    }

    private double score(Folded node) {
        return wanted.isEmpty() ? 1 : FreeText.score(wanted, node);
    }

    /** The order of results, total and the same everywhere: sort keys, then score, then path by code points. */
    public Comparator<Scored> scoredOrder() {
        return order;
    }

    /** The same order for nodes alone, which reckons their scores at each comparison. */
    public Comparator<QueryNode> order() {
        return (a, b) -> order.compare(new Scored(a, score(a)), new Scored(b, score(b)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Query that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The canonical text. */
    @Override
    public String toString() {
        return text;
    }
}
