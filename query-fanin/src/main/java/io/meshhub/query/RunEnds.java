package io.meshhub.query;

import io.meshhub.query.gate.ProviderCounts;
import io.meshhub.query.language.Query;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.HandlerFailed;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.QueryProviderStalled;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.Unavailable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends of a query, each with its failure, its line in the log and its count.
 *
 * <p>What a provider fails with is no verdict about the path of the query, which it may be one of many to look at: a
 * failure that is not of the family yet is about the provider, at {@code _query/<name>}.
 */
final class RunEnds {

    private static final Logger LOG = LoggerFactory.getLogger(QueryFanIn.class);
    private static final String PLACE = "_query/";

    private final QueryFanIn fanIn;
    private final Query query;

    RunEnds(QueryFanIn fanIn, Query query) {
        this.fanIn = fanIn;
        this.query = query;
    }

    QueryResult.Stalled stalled(List<Stall> stalls, Duration rung, ProviderCounts counts) {
        MeshAddress path = query.path();
        FailureDetail about = path == null ? FailureDetail.NONE : FailureDetail.about(path);
        return new QueryResult.Stalled(
                QueryProviderStalled.of(query.text(), about.on(fanIn.node()), stalls, rung, counts.providers()),
                counts);
    }

    QueryResult.Failed failed(String provider, Throwable cause, List<String> givenUp, ProviderCounts counts) {
        return new QueryResult.Failed(List.of(provider), givenUp, classify(provider, cause), counts);
    }

    private MeshException classify(String provider, Throwable cause) {
        return MeshFailures.classify(cause, MeshAddress.of(PLACE + provider), fanIn.node());
    }

    /** Whether the provider was not reached, so that it has done nothing. */
    boolean isConnectionFault(String provider, Throwable cause) {
        MeshException failure = classify(provider, cause);
        return failure instanceof Unavailable && failure.remedy() == Remedy.RIDE_OUT;
    }

    /** A provider is registered no more, and had not answered. */
    MeshException left(String provider) {
        return new Unavailable(
                "Query provider '" + provider + "' left before its first result (query '" + query.text() + "', node="
                        + fanIn.node() + "); the query can be asked again without it",
                about(provider),
                false);
    }

    QueryResult.Failed tooBroad(String provider, int nodes, ProviderCounts counts) {
        String who = provider.isEmpty() ? "" : ", most recently told by '" + provider + "'";
        return new QueryResult.Failed(
                List.of(),
                List.of(),
                new Rejected(
                        "Query '" + query.text() + "' finds more than it may (" + nodes + " nodes so far, mostNodes="
                                + fanIn.options().mostNodes() + who + "); narrow it, or set a limit",
                        FailureDetail.NONE.on(fanIn.node()),
                        -1),
                counts);
    }

    /** The end where a result of few large nodes would be no less to tell than one of too many; null where it may be told. */
    QueryResult.@Nullable Failed tooHeavy(List<QueryNode> window, ProviderCounts counts) {
        long weight = window.stream().mapToLong(QueryNode::weight).sum();
        if (weight <= fanIn.options().mostWeight()) {
            return null;
        }
        return new QueryResult.Failed(
                List.of(),
                List.of(),
                new Rejected(
                        "Query '" + query.text() + "' finds more than it may (" + window.size() + " nodes of about "
                                + weight
                                + " characters in all, mostWeight="
                                + fanIn.options().mostWeight()
                                + "); narrow it, or set a lower limit",
                        FailureDetail.NONE.on(fanIn.node()),
                        -1),
                counts);
    }

    QueryResult.Failed stopped(ProviderCounts counts) {
        return new QueryResult.Failed(
                List.of(),
                List.of(),
                new Unavailable(
                        "Query '" + query.text() + "' ended because the fan-in of node " + fanIn.node()
                                + " stops; it can be asked again on another one",
                        FailureDetail.NONE.on(fanIn.node()),
                        false),
                counts);
    }

    /** The run itself did wrong. */
    QueryResult.Failed broken(Throwable cause, ProviderCounts counts) {
        return new QueryResult.Failed(
                List.of(),
                List.of(),
                HandlerFailed.of(MeshAddress.of(PLACE + "fan-in"), "query", FailureDetail.NONE.on(fanIn.node()), cause),
                counts);
    }

    /** Tells people what {@link #broken} is about. */
    void logBroken(Throwable cause) {
        LOG.error("Query '{}' is broken on node {}", query.text(), fanIn.node(), cause);
    }

    private FailureDetail about(String provider) {
        return FailureDetail.about(PLACE + provider).on(fanIn.node());
    }

    /** Tells people, once for all who waited. */
    void log(QueryResult.Ended end) {
        if (end instanceof QueryResult.Stalled stalled) {
            stalled.failure().providers().forEach(name -> fanIn.count("query.provider.stalled", "provider", name));
            LOG.warn("{} (node {})", stalled.failure().getMessage(), fanIn.node());
        } else if (end instanceof QueryResult.Failed failed) {
            failed.providers().forEach(name -> fanIn.count("query.provider.failed", "provider", name));
            LOG.warn(
                    "Query '{}' ended on node {}: {} (providers {}, given up {})",
                    query.text(),
                    fanIn.node(),
                    failed.failure().getMessage(),
                    failed.providers(),
                    failed.givenUp());
        }
    }
}
