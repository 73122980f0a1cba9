package io.meshhub.testkit;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import java.time.Duration;
import java.util.List;
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

    /** Whether each of them sees all of them up, and every shard where it is to be: none will move any more. */
    static boolean isAtRest(List<MeshHub> hubs) {
        return hubs.stream().allMatch(hub -> hub.standing().shardsToMove() == 0
                && hub.membership().nodes().stream()
                                .filter(NodeInfo::isCandidate)
                                .count()
                        == hubs.size());
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
