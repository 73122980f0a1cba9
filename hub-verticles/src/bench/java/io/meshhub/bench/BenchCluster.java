package io.meshhub.bench;

import io.meshhub.hub.MeshHub;
import io.meshhub.it.ChildJvm;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A cluster of {@link BenchNode}s: the first one in this process, each other one in a process of its own. */
final class BenchCluster implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final List<String> FLAGS =
            ChildJvm.FLAGS.stream().filter(flag -> !flag.startsWith("-Xm")).toList();

    private final List<String> names;
    private final MeshHub hub;
    private final List<ChildJvm> children = new ArrayList<>();

    private BenchCluster(List<String> names, MeshHub hub) {
        this.names = names;
        this.hub = hub;
    }

    /** Starts so many nodes, named a, b and so on, and waits until each owns its share of the shards. */
    static BenchCluster start(int nodes, int quorum) throws Exception {
        List<String> names =
                IntStream.range(0, nodes).mapToObj(i -> "" + (char) ('a' + i)).toList();
        String name = "bench-" + UUID.randomUUID();
        int port = freePort();
        String seed = "127.0.0.1:" + port;
        Future<MeshHub> first = BenchNode.start("a", name, port, seed, BenchNode.quorum(quorum, names));
        List<ChildJvm> begun = new ArrayList<>();
        for (String node : names.subList(1, nodes)) {
            begun.add(ChildJvm.start(node, command(node, name, seed, quorum, names), Map.of()));
        }
        BenchCluster cluster = new BenchCluster(names, get(first));
        cluster.children.addAll(begun);
        for (ChildJvm child : begun) {
            child.awaitLine("UP", START);
        }
        cluster.awaitBalance();
        return cluster;
    }

    private static List<String> command(String node, String cluster, String seed, int quorum, List<String> names)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BenchNode.class.getName()));
        command.addAll(List.of(node, cluster, Integer.toString(freePort()), seed, Integer.toString(quorum)));
        command.addAll(names);
        return command;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until every node owns its share. */
    void awaitBalance() {
        int share = MeshAddress.SHARDS / names.size();
        while (names.stream().anyMatch(node -> owned(node) < share)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private long owned(String node) {
        return IntStream.range(0, MeshAddress.SHARDS)
                .filter(shard -> isOwner(node, shard))
                .count();
    }

    private boolean isOwner(String node, int shard) {
        String owner = hub.shards().row(shard).owner();
        return owner != null
                && hub.membership()
                        .node(owner)
                        .map(NodeInfo::name)
                        .filter(node::equals)
                        .isPresent();
    }

    /** The node of this process. */
    MeshHub hub() {
        return hub;
    }

    List<String> names() {
        return names;
    }

    /** The first addresses {@code echo/0}, {@code echo/1} and so on that the node owns. */
    List<MeshAddress> addresses(String node, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> MeshAddress.of("echo/" + i))
                .filter(address -> isOwner(node, address.shard()))
                .limit(count)
                .toList();
    }

    /** What the node has used so far. */
    JsonObject stats(String node, boolean gc) throws Exception {
        return get(hub.vertx().eventBus().<JsonObject>request(BenchNode.stats(node), new JsonObject().put("gc", gc)))
                .body();
    }

    /** Waits for the future, which fails after two minutes at the latest. */
    static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        children.forEach(ChildJvm::close);
        get(hub.stop(Duration.ofSeconds(12)));
    }
}
