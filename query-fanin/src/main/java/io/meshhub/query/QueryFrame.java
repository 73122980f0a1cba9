package io.meshhub.query;

import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.List;

/**
 * What a live query tells: an {@link Initial} first, then changes, and at most one {@link Ended}, which is the last. A
 * query that ends before it has all first results tells only the end.
 */
public sealed interface QueryFrame {

    /**
     * The result as it is now.
     *
     * @param nodes the window, in the query's order
     * @param silent the providers that completed without a first result
     */
    record Initial(List<QueryNode> nodes, List<String> silent, ProviderCounts counts) implements QueryFrame {
        public Initial {
            nodes = List.copyOf(nodes);
            silent = List.copyOf(silent);
        }
    }

    /** Nodes that were not in the result, in the query's order. */
    record Added(List<QueryNode> nodes) implements QueryFrame {
        public Added {
            nodes = List.copyOf(nodes);
        }
    }

    /** Nodes of the result that are not as they were, in the query's order; their places may be others. */
    record Updated(List<QueryNode> nodes) implements QueryFrame {
        public Updated {
            nodes = List.copyOf(nodes);
        }
    }

    /** Nodes that are no longer in the result. */
    record Removed(List<MeshAddress> paths) implements QueryFrame {
        public Removed {
            paths = List.copyOf(paths);
        }
    }

    /**
     * The result anew: all that was told before is void.
     *
     * @param nodes the window, in the query's order
     * @param gone the providers that left and whose nodes are therefore not in it
     */
    record Reset(List<QueryNode> nodes, List<String> gone) implements QueryFrame {
        public Reset {
            nodes = List.copyOf(nodes);
            gone = List.copyOf(gone);
        }
    }

    /** Nothing more comes; not told to a listener that left by itself. */
    record Ended(QueryResult.Ended cause) implements QueryFrame {}
}
