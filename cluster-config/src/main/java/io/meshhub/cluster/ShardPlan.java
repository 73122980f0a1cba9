package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.meshhub.routing.spi.ShardRow.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one node has to do about the shards of its role, given the rows and the nodes as it sees them.
 *
 * @param claims shards to claim for this node: unowned or of a dropped owner, and this node is their candidate
 * @param handOvers shards whose owner is to be asked to give them away; only the planner has any
 * @param releases shards that this node gives away as soon as their activations are dead
 */
record ShardPlan(List<ShardRow> claims, List<Move> handOvers, List<Move> releases) {

    /**
     * A shard that changes its owner.
     *
     * @param row the row as it stands
     * @param next the incarnation that is to get it; empty when there is nobody
     */
    record Move(ShardRow row, Optional<String> next) {}

    /**
     * What a plan follows from.
     *
     * @param rows all rows of the role
     * @param nodes the nodes of the role that are not dropped, oldest first
     * @param self this node, in its current state
     * @param dropped whether an incarnation is dropped
     * @param quiet whether the nodes have been the same for long enough to move shards
     * @param batch the most shards that may be moving at a time
     */
    record Situation(
            List<ShardRow> rows,
            List<NodeInfo> nodes,
            NodeInfo self,
            Predicate<String> dropped,
            boolean quiet,
            int batch) {

        /** Whether this node is the one that plans: the oldest that is UP. */
        boolean isPlanner() {
            return ShardPlan.isPlanner(nodes, self);
        }

        private boolean isFree(ShardRow row) {
            return row.owner() == null || dropped.test(row.owner());
        }
    }

    /** Whether that node is the oldest of them that is UP. */
    static boolean isPlanner(List<NodeInfo> nodes, NodeInfo self) {
        return nodes.stream()
                .filter(NodeInfo::isCandidate)
                .findFirst()
                .map(NodeInfo::incarnation)
                .filter(self.incarnation()::equals)
                .isPresent();
    }

    static ShardPlan of(Situation now) {
        Rendezvous rendezvous = Rendezvous.over(now.nodes());
        return new ShardPlan(claims(now, rendezvous), handOvers(now, rendezvous), releases(now));
    }

    private static List<ShardRow> claims(Situation now, Rendezvous rendezvous) {
        if (!now.self().isCandidate()) {
            return List.of();
        }
        String self = now.self().incarnation();
        return now.rows().stream()
                .filter(now::isFree)
                .filter(row -> rendezvous
                        .candidate(row.shard())
                        .map(NodeInfo::incarnation)
                        .filter(self::equals)
                        .isPresent())
                .toList();
    }

    private static List<Move> handOvers(Situation now, Rendezvous rendezvous) {
        if (!now.quiet() || !now.isPlanner()) {
            return List.of();
        }
        // A node that leaves gives its shards away by itself.
        Set<String> owners = new HashSet<>();
        now.nodes().stream().filter(NodeInfo::isCandidate).forEach(node -> owners.add(node.incarnation()));
        int free = now.batch();
        for (ShardRow row : now.rows()) {
            if (row.state() == State.HANDOFF && !now.isFree(row)) {
                free--;
            }
        }
        List<Move> moves = new ArrayList<>();
        for (ShardRow row : now.rows()) {
            if (moves.size() >= free) {
                break;
            }
            if (row.state() == State.OWNED && row.owner() != null && owners.contains(row.owner())) {
                rendezvous
                        .candidate(row.shard())
                        .map(NodeInfo::incarnation)
                        .filter(next -> !row.isOwnedBy(next))
                        .ifPresent(next -> moves.add(new Move(row, Optional.of(next))));
            }
        }
        return List.copyOf(moves);
    }

    private static List<Move> releases(Situation now) {
        boolean leaving = now.self().state() == NodeInfo.State.LEAVING;
        Heirs heirs = Heirs.of(now.nodes(), now.self());
        return now.rows().stream()
                .filter(row -> row.isOwnedBy(now.self().incarnation()))
                .filter(row -> leaving || row.state() == State.HANDOFF)
                .map(row -> new Move(row, heirs.of(row)))
                .toList();
    }

    /** How many shards are not with the node that should have them, or are on their way to it; any thread. */
    static int toMove(List<ShardRow> rows, List<NodeInfo> nodes) {
        Rendezvous rendezvous = Rendezvous.over(nodes);
        int count = 0;
        for (ShardRow row : rows) {
            boolean rests = row.state() == State.OWNED
                    && rendezvous
                            .candidate(row.shard())
                            .map(NodeInfo::incarnation)
                            .filter(row::isOwnedBy)
                            .isPresent();
            if (!rests) {
                count++;
            }
        }
        return count;
    }

    /**
     * Who gets the shards that one node gives away.
     *
     * @param others the incarnations of the others that may be given shards
     * @param rendezvous which of the others should have each shard
     * @param self the node that gives them away
     */
    record Heirs(Set<String> others, Rendezvous rendezvous, NodeInfo self) {

        static Heirs of(List<NodeInfo> nodes, NodeInfo self) {
            List<NodeInfo> others = nodes.stream()
                    .filter(NodeInfo::isCandidate)
                    .filter(node -> !node.incarnation().equals(self.incarnation()))
                    .toList();
            return new Heirs(
                    others.stream().map(NodeInfo::incarnation).collect(Collectors.toUnmodifiableSet()),
                    Rendezvous.over(others),
                    self);
        }

        /**
         * The node that the row names if it may still be given shards, else the candidate among the others, else the node
         * itself unless it leaves.
         */
        Optional<String> of(ShardRow row) {
            String named = row.next();
            if (named != null && others.contains(named)) {
                return Optional.of(named);
            }
            return rendezvous
                    .candidate(row.shard())
                    .map(NodeInfo::incarnation)
                    .or(() -> self.isCandidate() ? Optional.of(self.incarnation()) : Optional.empty());
        }
    }
}
