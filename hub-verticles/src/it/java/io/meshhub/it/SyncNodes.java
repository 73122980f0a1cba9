package io.meshhub.it;

import static org.awaitility.Awaitility.await;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.sync.SyncOptions;
import io.meshhub.testkit.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** A cluster of {@link SyncNode}s: node {@code a} in the JVM of the test, the others in children. */
final class SyncNodes implements AutoCloseable {

    private final String cluster = "it-" + UUID.randomUUID();
    private final SyncCounts counts = new SyncCounts();
    private final Map<String, ChildJvm> children = new LinkedHashMap<>();
    private final SyncOptions sync;
    private final Path store;
    private final String seed;
    private final MeshHub hub;

    private SyncNodes(SyncOptions sync, Path store) {
        this.sync = sync;
        this.store = store;
        int port = FreePorts.of(1).get(0);
        this.seed = "127.0.0.1:" + port;
        this.hub = TwoNodes.get(SyncNode.start(TestNode.options("a", cluster, port, seed), sync, store, counts));
    }

    /**
     * Starts a and the named ones, and waits until each owns its shards and none moves any more.
     *
     * @param sync the bounds of a; the others have its beat interval
     * @param store the directory of the store that all share
     */
    static SyncNodes start(SyncOptions sync, Path store, String... names) {
        SyncNodes nodes = new SyncNodes(sync, store);
        try {
            nodes.join(names);
        } catch (RuntimeException | AssertionError e) {
            nodes.close();
            throw e;
        }
        return nodes;
    }

    /** Starts the named ones as well, and waits until each owns its shards. */
    void join(String... names) {
        List<Integer> ports = FreePorts.of(names.length);
        for (int i = 0; i < names.length; i++) {
            children.put(
                    names[i],
                    ChildJvm.start(
                            names[i],
                            SyncNode.class,
                            names[i],
                            cluster,
                            Integer.toString(ports.get(i)),
                            seed,
                            Long.toString(sync.beatInterval().toMillis()),
                            store.toString()));
        }
        children.forEach((name, child) -> child.awaitLine("UP " + name, TwoNodes.START));
        await().atMost(TwoNodes.START)
                .until(() -> hub.standing().shardsToMove() == 0
                        && children.keySet().stream().allMatch(name -> owned(name) >= MeshAddress.SHARDS / 6));
    }

    /** Ends a child as {@code kill -9} does. */
    void kill(String name) {
        child(name).kill();
        children.remove(name);
    }

    /** What node a counts. */
    SyncCounts counts() {
        return counts;
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
