package io.meshhub.it;

import static org.awaitility.Awaitility.await;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.testkit.FreePorts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** A cluster of {@link SyncNode}s: node {@code a} in the JVM of the test, the others in children. */
final class SyncNodes implements AutoCloseable {

    private final MeshHub hub;
    private final Map<String, ChildJvm> children = new LinkedHashMap<>();

    private SyncNodes(MeshHub hub) {
        this.hub = hub;
    }

    /** Starts a and the named ones, and waits until each owns its shards and none moves any more. */
    static SyncNodes start(String... names) {
        String cluster = "it-" + UUID.randomUUID();
        List<Integer> ports = FreePorts.of(names.length + 1);
        String seed = "127.0.0.1:" + ports.get(0);
        SyncNodes nodes =
                new SyncNodes(TwoNodes.get(SyncNode.start(TestNode.options("a", cluster, ports.get(0), seed))));
        try {
            for (int i = 0; i < names.length; i++) {
                String port = Integer.toString(ports.get(i + 1));
                nodes.children.put(names[i], ChildJvm.start(names[i], SyncNode.class, names[i], cluster, port, seed));
            }
            nodes.children.forEach((name, child) -> child.awaitLine("UP " + name, TwoNodes.START));
            await().atMost(TwoNodes.START)
                    .until(() -> nodes.hub.standing().shardsToMove() == 0
                            && nodes.children.keySet().stream()
                                    .allMatch(name -> nodes.owned(name) >= MeshAddress.SHARDS / 6));
        } catch (RuntimeException | AssertionError e) {
            nodes.close();
            throw e;
        }
        return nodes;
    }

    MeshHub hub() {
        return hub;
    }

    ChildJvm child(String name) {
        return children.get(name);
    }

    private long owned(String node) {
        return IntStream.range(0, MeshAddress.SHARDS)
                .filter(shard -> isOwnedBy(shard, node))
                .count();
    }

    private boolean isOwnedBy(int shard, String node) {
        String owner = hub.shards().row(shard).owner();
        return owner != null
                && hub.membership()
                        .node(owner)
                        .map(NodeInfo::name)
                        .filter(node::equals)
                        .isPresent();
    }

    /** Addresses below the prefix, numbered from some number on, that live on the named node. */
    List<MeshAddress> addressesOn(String node, String prefix, int from, int count) {
        return IntStream.iterate(from, i -> i + 1)
                .mapToObj(i -> MeshAddress.of(prefix + "/" + i))
                .filter(address -> isOwnedBy(address.shard(), node))
                .limit(count)
                .toList();
    }

    @Override
    public void close() {
        children.values().forEach(ChildJvm::close);
        TwoNodes.get(hub.stop(Duration.ofSeconds(5)));
    }
}
