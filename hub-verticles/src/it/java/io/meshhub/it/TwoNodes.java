package io.meshhub.it;

import static org.awaitility.Awaitility.await;

import io.meshhub.hub.MeshHub;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.testkit.FreePorts;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** A cluster of two processes: node {@code a} in the JVM of the test, node {@code b} in a child. */
final class TwoNodes implements AutoCloseable {

    static final Duration START = Duration.ofSeconds(60);

    private final MeshHub hub;
    private final ChildJvm child;
    private final String cluster;
    private final String seed;

    private TwoNodes(MeshHub hub, ChildJvm child, String cluster, String seed) {
        this.hub = hub;
        this.child = child;
        this.cluster = cluster;
        this.seed = seed;
    }

    /** Starts both, and waits until each owns its shards and none moves any more. */
    static TwoNodes start() {
        String cluster = "it-" + UUID.randomUUID();
        List<Integer> ports = FreePorts.of(2);
        String seed = "127.0.0.1:" + ports.get(0);
        MeshHub hub = get(TestNode.builder(TestNode.options("a", cluster, ports.get(0), seed))
                .start());
        ChildJvm child = ChildJvm.start("b", TestNode.class, "b", cluster, Integer.toString(ports.get(1)), seed);
        TwoNodes nodes = new TwoNodes(hub, child, cluster, seed);
        try {
            child.awaitLine("UP b", START);
            await().atMost(START)
                    .until(() -> nodes.owned("b") >= MeshAddress.SHARDS / 4
                            && hub.standing().shardsToMove() == 0);
        } catch (RuntimeException | AssertionError e) {
            nodes.close();
            throw e;
        }
        return nodes;
    }

    /** Starts one more child, and waits until it owns its shards; who asks for it ends it. */
    ChildJvm join(String name) {
        int port = FreePorts.of(1).get(0);
        ChildJvm joined = ChildJvm.start(name, TestNode.class, name, cluster, Integer.toString(port), seed);
        try {
            joined.awaitLine("UP " + name, START);
            await().atMost(START)
                    .until(() -> owned(name) >= MeshAddress.SHARDS / 6
                            && hub.standing().shardsToMove() == 0);
            return joined;
        } catch (RuntimeException | AssertionError e) {
            joined.close();
            throw e;
        }
    }

    static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(START.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no value: " + e, e);
        }
    }

    MeshHub hub() {
        return hub;
    }

    Mesh mesh() {
        return hub.mesh();
    }

    ChildJvm child() {
        return child;
    }

    String cluster() {
        return cluster;
    }

    String seed() {
        return seed;
    }

    /** How many shards the named node owns, as node a sees it. */
    long owned(String node) {
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

    /** Addresses below the prefix that live on the named node. */
    List<MeshAddress> addressesOn(String node, String prefix, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> MeshAddress.of(prefix + "/" + i))
                .filter(address -> isOwnedBy(address.shard(), node))
                .limit(count)
                .toList();
    }

    @Override
    public void close() {
        child.close();
        get(hub.stop(Duration.ofSeconds(5)));
    }
}
