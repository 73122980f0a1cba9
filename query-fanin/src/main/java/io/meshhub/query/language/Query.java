package io.meshhub.query.language;

import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.CodePointOrder;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A parsed query; immutable. Two are equal when their canonical texts are. */
public final class Query {

    /** The most characters (code points) of a query's text. */
    public static final int MAX_LENGTH = 4096;

    /** The most nodes that a query can ask for. */
    public static final int MAX_LIMIT = 10_000;

    /** The most nodes that a query can skip. */
    public static final int MAX_SKIP = 100_000;

    /** The source of a query that names none. */
    public static final String NODES = "nodes";

    private final String text;

    private Query(String text) {
        this.text = text;
    }

    /**
     * Reads a query.
     *
     * @throws QuerySyntaxException with the position of the fault when the text is no query
     */
    public static Query parse(String text) {
        return new Query(text);
    }

    /** The canonical text: the same for queries that differ only in whitespace and in the order of their terms. */
    public String text() {
        return text;
    }

    /** Whom to ask: {@link #NODES}, or another source by its name. */
    public String source() {
        return NODES;
    }

    /** The base of the scope; null when all nodes are looked at. */
    public @Nullable MeshAddress path() {
        return null;
    }

    /** How far it goes from its path; without a path that is everywhere, and the scope a subtree. */
    public Scope scope() {
        return Scope.SUBTREE;
    }

    /** The most nodes of a result, after skipping. */
    public OptionalInt limit() {
        return OptionalInt.empty();
    }

    /** How many nodes of the ordered result are left out at its start. */
    public int skip() {
        return 0;
    }

    /** The sort keys, the first one first. */
    public List<SortKey> sort() {
        return List.of();
    }

    /** The same query without skip and limit: what is asked of each provider when only the merged result is cut. */
    public Query withoutWindow() {
        return this;
    }

    /** Whether the scope takes in the address, whatever stands there. */
    public boolean covers(MeshAddress address) {
        return true;
    }

    /** Whether the node is within the scope and meets all terms. */
    public boolean matches(QueryNode node) {
        return true;
    }

    /** How well the node meets the free text, greater is better; 1 for a query without. */
    public double score(QueryNode node) {
        return 1;
    }

    /** The order of results, total and the same everywhere: sort keys, then score, then path by code points. */
    public Comparator<QueryNode> order() {
        return Comparator.comparing(node -> node.path().toString(), CodePointOrder.INSTANCE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Query that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
