package io.meshhub.query;

import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.QueryProviderStalled;
import java.util.List;

/**
 * What became of a query. Only one that is complete has nodes, so that nobody can mistake a part of a result for the
 * whole; in each every provider is counted once.
 */
public sealed interface QueryResult {

    /** What became of the providers. */
    ProviderCounts counts();

    /**
     * Every provider answered or had nothing.
     *
     * @param nodes the page, in the query's order
     * @param silent the providers that completed without a first result
     */
    record Complete(List<QueryNode> nodes, List<String> silent, ProviderCounts counts) implements QueryResult {
        public Complete {
            nodes = List.copyOf(nodes);
            silent = List.copyOf(silent);
        }
    }

    /** There is no result. */
    sealed interface Ended extends QueryResult {

        /** Why there is none. */
        MeshException failure();
    }

    /**
     * A provider failed, or the query could not be asked or went beyond a bound.
     *
     * @param providers those that failed, as far as one is to blame
     * @param givenUp those that had not answered when it did, and are blamed for nothing
     */
    record Failed(List<String> providers, List<String> givenUp, MeshException failure, ProviderCounts counts)
            implements Ended {
        public Failed {
            providers = List.copyOf(providers);
            givenUp = List.copyOf(givenUp);
        }
    }

    /** Providers said nothing within the rung. */
    record Stalled(QueryProviderStalled failure, ProviderCounts counts) implements Ended {}
}
