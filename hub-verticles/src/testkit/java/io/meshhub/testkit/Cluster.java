package io.meshhub.testkit;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** A cluster of its own on the loopback interface: free ports, a name that nobody else has, no multicast. */
final class Cluster {

    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration ROW_REREAD = Duration.ofMillis(500);
    private static final Duration QUIET_PERIOD = Duration.ofMillis(300);

    private final String name = "testkit-" + UUID.randomUUID();
    private final List<Integer> ports;

    Cluster(int nodes) {
        ports = FreePorts.of(nodes);
    }

    ClusterOptions options(String node, int index) {
        return ClusterOptions.builder(node)
                .clusterName(name)
                .seeds(ports.stream().map(port -> LOOPBACK + ":" + port).toList())
                .hazelcast(LOOPBACK, ports.get(index), 1)
                .bus(LOOPBACK, 0)
                .rowReread(ROW_REREAD)
                .quietPeriod(QUIET_PERIOD)
                .build();
    }

    /** Whether all of them see each shard with the same owner, and each owns its share, or nearly. */
    static boolean isBalanced(List<MeshHub> hubs) {
        Map<String, Integer> owned = new HashMap<>();
        for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
            String owner = hubs.get(0).shards().row(shard).owner();
            for (MeshHub hub : hubs) {
                if (owner == null || !owner.equals(hub.shards().row(shard).owner())) {
                    return false;
                }
            }
            owned.merge(String.valueOf(owner), 1, Integer::sum);
        }
        int least = MeshAddress.SHARDS / hubs.size() / 2;
        return owned.size() == hubs.size() && owned.values().stream().allMatch(count -> count >= least);
    }

    /** An address below the prefix that lives on the node now. */
    static MeshAddress addressOn(MeshHub hub, String prefix) {
        String incarnation = hub.membership().self().incarnation();
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> MeshAddress.of(prefix + "/" + i))
                .filter(address ->
                        incarnation.equals(hub.shards().row(address.shard()).owner()))
                .findFirst()
                .orElseThrow();
    }
}
