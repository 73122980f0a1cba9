package io.meshhub.bench;

import com.hazelcast.core.Hazelcast;
import io.meshhub.hub.MeshHub;
import io.meshhub.it.ChildJvm;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A cluster of {@link BenchNode}s: the first one in this process, each other one in a process of its own. */
final class BenchCluster implements AutoCloseable {

    private static final MeshOptions TYPE = MeshOptions.DEFAULT.withType("message");
    private static final Duration START = Duration.ofSeconds(60);
    private static final List<String> FLAGS =
            ChildJvm.FLAGS.stream().filter(flag -> !flag.startsWith("-Xm")).toList();

    private final String name;
    private final String seed;
    private final int quorum;
    private final List<String> names;
    private final Map<String, ChildJvm> children = new LinkedHashMap<>();
    private @Nullable MeshHub hub;

    private BenchCluster(String name, String seed, int quorum, List<String> names) {
        this.name = name;
        this.seed = seed;
        this.quorum = quorum;
        this.names = new ArrayList<>(names);
    }

    /** Starts so many nodes, named a, b and so on, and waits until each owns its share of the shards. */
    static BenchCluster start(int nodes, int quorum) throws Exception {
        List<String> names =
                IntStream.range(0, nodes).mapToObj(i -> "" + (char) ('a' + i)).toList();
        int port = freePort();
        BenchCluster cluster = new BenchCluster("bench-" + UUID.randomUUID(), "127.0.0.1:" + port, quorum, names);
        // All at once: under a quorum the first one is not up before others are there.
        Future<MeshHub> first = BenchNode.start("a", cluster.name, port, cluster.seed, BenchNode.quorum(quorum, names));
        for (String node : names.subList(1, nodes)) {
            cluster.begin(node);
        }
        cluster.hub = get(first);
        cluster.children.values().forEach(child -> child.awaitLine("UP", START));
        cluster.awaitBalance();
        cluster.awaitSafe();
        return cluster;
    }

    // A node that is killed while copies of the cluster's data are on their way to it holds these up for seconds.
    private void awaitSafe() {
        long end = System.nanoTime() + START.toNanos();
        while (!Hazelcast.getAllHazelcastInstances().stream()
                .allMatch(member -> member.getPartitionService().isClusterSafe())) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "the data of the cluster was not in place within " + START.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private ChildJvm begin(String node) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BenchNode.class.getName()));
        command.addAll(List.of(node, name, Integer.toString(freePort()), seed, Integer.toString(quorum)));
        command.addAll(names);
        ChildJvm child = ChildJvm.start(node, command, Map.of());
        children.put(node, child);
        return child;
    }

    /** Starts one more node, and waits until it is up. */
    void join(String node) throws IOException {
        ChildJvm child = begin(node);
        names.add(node);
        child.awaitLine("UP", START);
    }

    /** Has a node leave in good order, and waits for its end. */
    void leave(String node) {
        ChildJvm child = children.remove(node);
        names.remove(node);
        if (child != null) {
            child.terminate();
            child.awaitExit(START);
        }
    }

    /** Ends a node at once. */
    void kill(String node) {
        ChildJvm child = children.remove(node);
        names.remove(node);
        if (child != null) {
            child.kill();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until every node owns about its share. */
    void awaitBalance() {
        int share = MeshAddress.SHARDS / names.size() * 9 / 10;
        long end = System.nanoTime() + START.toNanos();
        while (hub().standing().shardsToMove() > 0 || names.stream().anyMatch(node -> owned(node) < share)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the shards were not shared within " + START.toSeconds() + " s: "
                        + names.stream().map(node -> node + "=" + owned(node)).toList());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private long owned(String node) {
        return IntStream.range(0, MeshAddress.SHARDS)
                .filter(shard -> isOwner(node, shard))
                .count();
    }

    private boolean isOwner(String node, int shard) {
        String owner = hub().shards().row(shard).owner();
        return owner != null
                && hub().membership()
                        .node(owner)
                        .map(NodeInfo::name)
                        .filter(node::equals)
                        .isPresent();
    }

    /** The node of this process. */
    MeshHub hub() {
        return Objects.requireNonNull(hub);
    }

    List<String> names() {
        return names;
    }

    /** The first addresses {@code echo/0}, {@code echo/1} and so on that the node owns. */
    List<MeshAddress> addresses(String node, int count) {
        return addresses(node, 0, count);
    }

    /** The same, from that number on. */
    List<MeshAddress> addresses(String node, int first, int count) {
        return owned(node, i -> MeshAddress.of("echo/" + i), first, count);
    }

    /** The same of other addresses, by their numbers. */
    List<MeshAddress> owned(String node, IntFunction<MeshAddress> address, int first, int count) {
        return IntStream.iterate(first, i -> i + 1)
                .mapToObj(address)
                .filter(each -> isOwner(node, each.shard()))
                .limit(count)
                .toList();
    }

    /** Has a node open streams, and waits until they are there. */
    void order(String node, JsonObject what) throws Exception {
        DeliveryOptions patient = new DeliveryOptions().setSendTimeout(START.toMillis());
        get(hub().vertx().eventBus().request(BenchStreams.place(node), what, patient));
    }

    /** Raw requests to the consumers of a node, in turn. */
    IntFunction<Future<?>> raw(String node, Object body) {
        return i -> hub().vertx().eventBus().request("raw." + node + "." + Math.floorMod(i, BenchNode.RAW), body);
    }

    /** Requests to live hubs of a node, in turn. */
    IntFunction<Future<?>> mesh(String node, Object body) {
        List<MeshAddress> addresses = addresses(node, BenchNode.RAW * 4);
        return i -> hub().mesh()
                .call(addresses.get(Math.floorMod(i, addresses.size())), body, TYPE)
                .answer();
    }

    /** What the node has used so far. */
    JsonObject stats(String node, boolean gc) throws Exception {
        return get(hub().vertx().eventBus().<JsonObject>request(BenchNode.stats(node), new JsonObject().put("gc", gc)))
                .body();
    }

    /** Has the node record where its threads are, or stop that and write it into a file. */
    void profile(String node, String what) throws Exception {
        DeliveryOptions patient = new DeliveryOptions().setSendTimeout(START.toMillis());
        get(hub().vertx().eventBus().request(BenchNode.stats(node), new JsonObject().put("profile", what), patient));
    }

    /** Waits for the future, which fails after two minutes at the latest. */
    static <T> T get(Future<T> future) {
        try {
            return future.await(2, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer within two minutes", e);
        }
    }

    @Override
    public void close() {
        children.values().forEach(ChildJvm::close);
        get(hub().stop(Duration.ofSeconds(12)));
    }
}
