package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the cluster holds about one node.
 *
 * @param node what it tells about itself
 * @param member the Hazelcast member that it runs in
 * @param shards how many shards it counts per role
 * @param prefixes which role the addresses below a prefix belong to, as it was configured
 * @param terms what all nodes of a role must agree on, as configured
 */
record NodeRow(NodeInfo node, UUID member, int shards, Map<String, String> prefixes, String terms) {

    NodeRow {
        prefixes = Map.copyOf(prefixes);
    }

    String incarnation() {
        return node.incarnation();
    }

    NodeRow in(NodeInfo.State state) {
        return new NodeRow(node.in(state), member, shards, prefixes, terms);
    }

    /** Why this node and the other one cannot be in one mesh, as one line; empty when they can. */
    Optional<String> conflictWith(NodeRow other) {
        String me = "Node '" + node.name() + "'";
        String them = "node '" + other.node.name() + "'";
        if (node.name().equals(other.node.name())) {
            return Optional.of(me + " cannot join: its name is taken by a live member (incarnation "
                    + other.incarnation() + ", this one is " + incarnation() + ")");
        }
        if (shards != other.shards) {
            return Optional.of(
                    me + " cannot join: it counts " + shards + " shards, " + them + " counts " + other.shards);
        }
        if (!node.role().isEmpty()
                && node.role().equals(other.node.role())
                && !node.storeId().equals(other.node.storeId())) {
            return Optional.of(me + " cannot join role '" + node.role() + "': its store is '" + node.storeId()
                    + "', that of " + them + " is '" + other.node.storeId()
                    + "'; the nodes of a role share one store");
        }
        if (!node.role().isEmpty() && !other.node.role().isEmpty() && !terms.equals(other.terms)) {
            return Optional.of(me + " cannot join: its terms are '" + terms + "', those of " + them + " are '"
                    + other.terms + "'; they must be alike on all nodes");
        }
        return prefixes.entrySet().stream()
                .filter(mine -> !mine.getValue().equals(other.prefixes.getOrDefault(mine.getKey(), mine.getValue())))
                .min(Map.Entry.comparingByKey())
                .map(mine -> me + " cannot join: it gives prefix '" + mine.getKey() + "' to role '" + mine.getValue()
                        + "', " + them + " gives it to role '" + other.prefixes.get(mine.getKey()) + "'");
    }
}
