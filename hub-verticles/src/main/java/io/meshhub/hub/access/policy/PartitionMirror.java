package io.meshhub.hub.access.policy;

import io.meshhub.hub.access.AccessDecision.Undetermined;
import io.meshhub.query.QueryFrame;
import io.meshhub.query.QueryResult;
import io.meshhub.query.language.QueryNode;
import io.meshhub.routing.MeshAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of one partition as its live query tells them. A state machine without a clock; not safe for several threads.
 *
 * <p>Established only by an answer of every provider: one that completed without a word did not say that it has none, and
 * one that left took rules along of which nobody knows. Both end the reading, like a stall and a fault.
 */
final class PartitionMirror {

    private final String partition;
    private final Map<MeshAddress, QueryNode> nodes = new HashMap<>();

    /** Nothing told yet. */
    PartitionMirror(String partition) {
        this.partition = partition;
    }

    /** Takes in a frame. */
    PartitionState on(QueryFrame frame) {
        if (frame instanceof QueryFrame.Ended ended) {
            return unestablished(blamed(ended.cause()), String.valueOf(ended.cause().failure().getMessage()));
        }
        if (frame instanceof QueryFrame.Initial initial) {
            if (!initial.silent().isEmpty()) {
                return unestablished(
                        initial.silent(), "providers " + initial.silent() + " completed without a first result");
            }
            nodes.clear();
            put(initial.nodes());
        } else if (frame instanceof QueryFrame.Reset reset) {
            if (!reset.gone().isEmpty()) {
                return unestablished(reset.gone(), "providers " + reset.gone() + " left");
            }
            nodes.clear();
            put(reset.nodes());
        } else if (frame instanceof QueryFrame.Added added) {
            put(added.nodes());
        } else if (frame instanceof QueryFrame.Updated updated) {
            put(updated.nodes());
        } else if (frame instanceof QueryFrame.Removed removed) {
            removed.paths().forEach(nodes::remove);
        }
        return new PartitionState.Established(PartitionRows.of(nodes.values()));
    }

    private void put(List<QueryNode> told) {
        told.forEach(node -> nodes.put(node.path(), node));
    }

    private static List<String> blamed(QueryResult.Ended cause) {
        return cause instanceof QueryResult.Stalled stalled
                ? stalled.failure().providers()
                : ((QueryResult.Failed) cause).providers();
    }

    private PartitionState.Unestablished unestablished(List<String> providers, String why) {
        return new PartitionState.Unestablished(new Undetermined(
                providers, "the access model of partition '" + partition + "' could not be established: " + why));
    }
}
