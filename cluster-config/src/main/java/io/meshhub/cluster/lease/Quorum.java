package io.meshhub.cluster.lease;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/**
 * Who must hear a node so that it may serve, and what follows when one is lost; immutable and valid once made.
 *
 * @param size how many voters, the node itself included, must acknowledge a node. 1: no lease, and a real cut makes two
 *     activations for as long as it lasts. From 2 on the right to serve is a lease
 * @param maxNodes the most voters that there will ever be; {@code size} exceeds half of it from 2 on
 * @param voters the names of the nodes that vote, alike on all nodes, at least {@code size} and at most {@code maxNodes}
 *     of them; empty with a size of 1
 * @param afterLoss what follows when a node is lost
 * @param lease how long an acknowledged round lets a node serve, counted from when the round was sent
 */
public record Quorum(int size, int maxNodes, List<String> voters, AfterLoss afterLoss, Duration lease) {

    /** The lease where nothing is set: 10 s. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    /** The pace of the rounds: 1 s. */
    public static final Duration ROUND = Duration.ofSeconds(1);

    /** What the clocks of two machines may differ in the course of a lease: 2 s. */
    public static final Duration MARGIN = Duration.ofSeconds(2);

    /** The shortest lease: two rounds may be lost and the third one still counts. */
    public static final Duration LEAST_LEASE = Duration.ofSeconds(3);

    /** One node is enough: no lease. */
    public static final Quorum NONE = new Quorum(1, 1, List.of(), AfterLoss.FAST, DEFAULT_LEASE);

    /** What follows when a node is lost. */
    public enum AfterLoss {
        /** Its shards are claimed once its lease has certainly ended. */
        SAFE,
        /** Its shards are claimed at once: two activations may exist until its lease ends. */
        FAST
    }

    public Quorum {
        voters = List.copyOf(voters);
        require(size >= 1, "quorum = " + size + " must be >= 1");
        require(
                lease.compareTo(LEAST_LEASE) >= 0,
                "lease = " + lease.toMillis() + " ms must be >= " + LEAST_LEASE.toMillis() + " ms");
        if (size == 1) {
            require(voters.isEmpty(), "voters = " + voters + " must be empty with quorum = 1: nobody is asked");
            require(
                    afterLoss == AfterLoss.FAST,
                    "afterLoss = SAFE needs quorum >= 2: without a lease nobody knows when a lost node has ended");
        } else {
            require(
                    2 * size > maxNodes,
                    "quorum = " + size + " must exceed half of maxNodes = " + maxNodes
                            + ": two sides of a cut could both have one");
            require(
                    voters.size() >= size && voters.size() <= maxNodes,
                    "voters = " + voters + " must name at least quorum = " + size + " and at most maxNodes = "
                            + maxNodes + " nodes");
            require(new HashSet<>(voters).size() == voters.size(), "voters = " + voters + " must name each node once");
        }
    }

    /** What all nodes must agree on, as one line; alike for two that agree. */
    public String terms() {
        return isLeased()
                ? "quorum " + size + " of " + maxNodes + ", voters "
                        + voters.stream().sorted().toList() + ", after-loss " + afterLoss + ", lease "
                        + lease.toMillis() + " ms"
                : "quorum 1";
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /** Whether the right to serve is a lease. */
    public boolean isLeased() {
        return size > 1;
    }

    /** Whether a lost node's shards wait until its lease has ended. */
    public boolean isSafe() {
        return afterLoss == AfterLoss.SAFE;
    }

    public boolean isVoter(String name) {
        return voters.contains(name);
    }

    /** How many voters must have given a node up so that no quorum can acknowledge it any more. */
    public int reportsOfLoss() {
        return isLeased() ? maxNodes - size + 1 : 1;
    }

    /** After how long a lease that nobody renews has certainly ended, and a promise need no longer be remembered. */
    public Duration certainEnd() {
        return lease.plus(MARGIN);
    }
}
