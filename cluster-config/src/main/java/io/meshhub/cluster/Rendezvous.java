package io.meshhub.cluster;

import io.meshhub.routing.spi.NodeInfo;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The owner that each shard should have, which every node computes alike: the candidate with the highest mix of its name
 * and the shard. A candidate that comes or goes moves only the shards that it gets or had.
 */
final class Rendezvous {

    private record Candidate(NodeInfo node, long seed) {}

    private final List<Candidate> candidates;

    private Rendezvous(List<Candidate> candidates) {
        this.candidates = candidates;
    }

    /** Over those of the nodes that may be given shards; the order does not matter. */
    static Rendezvous over(Collection<NodeInfo> nodes) {
        return new Rendezvous(nodes.stream()
                .filter(NodeInfo::isCandidate)
                .map(node -> new Candidate(node, seed(node.name())))
                .toList());
    }

    /** Who should own the shard; empty when there is no candidate. */
    Optional<NodeInfo> candidate(int shard) {
        Candidate best = null;
        long bestScore = 0;
        for (Candidate candidate : candidates) {
            long score = mix(candidate.seed() ^ (shard + 1) * 0x9e3779b97f4a7c15L);
            if (best == null || score > bestScore || (score == bestScore && isBefore(candidate, best))) {
                best = candidate;
                bestScore = score;
            }
        }
        return best == null ? Optional.empty() : Optional.of(best.node());
    }

    // Two incarnations of a name can both be listed for a moment, while the older one is not yet dropped.
    private static boolean isBefore(Candidate a, Candidate b) {
        int order = a.node().name().compareTo(b.node().name());
        return order < 0
                || (order == 0 && a.node().incarnation().compareTo(b.node().incarnation()) < 0);
    }

    private static long seed(String name) {
        long h = 0xcbf29ce484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            h = (h ^ (b & 0xff)) * 0x100000001b3L;
        }
        return mix(h);
    }

    // The 64-bit finalizer of MurmurHash3.
    private static long mix(long value) {
        long h = value;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }
}
