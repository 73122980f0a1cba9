package io.meshhub.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.meshhub.cluster.lease.Beat;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.FenceStore;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Several Hazelcast members in this JVM, each with its part of the cluster, and the store that they share. */
final class TestCluster implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name = "test-" + UUID.randomUUID();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private int started;
    final MemoryFences fences = new MemoryFences();
    final DirectBeats beats = new DirectBeats();
    MeshClock clock = MeshClock.system();
    UnaryOperator<ClusterOptions.Builder> tuning = builder -> builder;

    TestCluster(int size) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports.add(socket.getLocalPort());
            }
            for (ServerSocket socket : held) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    ClusterOptions options(String node) {
        int port = ports.get(started++);
        ClusterOptions.Builder builder = ClusterOptions.builder(node)
                .clusterName(name)
                .hazelcast("127.0.0.1", port, 1)
                .seeds(ports.stream().map(p -> "127.0.0.1:" + p).toList())
                .rowReread(Duration.ofMillis(500))
                .quietPeriod(Duration.ofMillis(300));
        return tuning.apply(builder).build();
    }

    static NodeInfo info(String node) {
        return new NodeInfo(
                node,
                node + "-" + UUID.randomUUID().toString().substring(0, 8),
                NodeInfo.State.STARTING,
                1,
                NodeInfo.DEFAULT_ROLE,
                Set.of(),
                "store-1",
                "test");
    }

    /** A member that has joined and is STARTING. */
    Node start(String node) {
        return start(info(node), Map.of());
    }

    Node start(NodeInfo info, Map<String, String> prefixes) {
        ClusterOptions options = options(info.name());
        HazelcastInstance hazelcast = ClusteredVertx.startMember(options);
        ControlThread control = new ControlThread(options.nodeName());
        Node node = new Node(hazelcast, control, options, beats);
        nodes.add(node);
        node.join(info, prefixes);
        return node;
    }

    Node up(String node) {
        Node up = start(node);
        up.openTable(fences, clock);
        await(up.membership.announceUp(peer -> Future.succeededFuture()));
        return up;
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until every node sees every shard served by one that is alive, in shares that are not empty. */
    static void awaitBalanced(Node... alive) {
        org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> {
            int sum = 0;
            for (Node node : alive) {
                int served = node.servedCount();
                if (served < MeshAddress.SHARDS / alive.length / 2) {
                    return false;
                }
                sum += served;
            }
            return sum == MeshAddress.SHARDS;
        });
    }

    /** Waits until every shard is with its candidate, and all nodes know that. */
    void awaitSettled(Node... alive) {
        org.awaitility.Awaitility.await().atMost(PATIENCE).until(() -> {
            List<NodeInfo> infos = List.copyOf(alive[0].membership.nodes());
            Rendezvous rendezvous = Rendezvous.over(infos);
            List<ShardRow> rows = alive[0].rows();
            boolean placed = infos.size() == alive.length
                    && rows.stream()
                            .allMatch(row -> row.isOwnedBy(rendezvous
                                    .candidate(row.shard())
                                    .orElseThrow()
                                    .incarnation()));
            boolean known =
                    placed && Stream.of(alive).allMatch(node -> node.rows().equals(rows));
            return known && Stream.of(alive).mapToInt(Node::servedCount).sum() == MeshAddress.SHARDS;
        });
    }

    @Override
    public void close() {
        for (Node node : nodes) {
            node.hazelcast.getLifecycleService().terminate();
            node.control.close();
        }
    }

    /** Peers ask each other without a bus: on the control thread of the one that is asked, unless it is deaf. */
    static final class DirectBeats implements PeerBeats {
        final Map<String, Node> answers = new ConcurrentHashMap<>();
        final Set<String> deaf = ConcurrentHashMap.newKeySet();
        final Map<String, Long> answered = new ConcurrentHashMap<>();

        @Override
        public Future<Beat.Answer> beat(NodeInfo peer, Beat beat) {
            return ask(peer, answers -> answers.on(beat), deaf.contains(beat.from()))
                    .onSuccess(answer -> answered.merge(beat.from(), 1L, Long::sum));
        }

        @Override
        public Future<Remembered> remembered(NodeInfo peer, Set<Integer> shards) {
            return ask(peer, answers -> answers.remembered(shards), false);
        }

        private <T> Future<T> ask(NodeInfo peer, Function<PeerBeats.Answers, T> question, boolean mute) {
            Node node = answers.get(peer.incarnation());
            if (node == null || mute || deaf.contains(peer.incarnation())) {
                return Future.failedFuture("no answer from " + peer.name());
            }
            Promise<T> promise = Promise.promise();
            node.control.execute(() -> promise.complete(question.apply(node.table.answers())));
            return promise.future();
        }
    }

    /** One member of the cluster. */
    static final class Node {
        final HazelcastInstance hazelcast;
        final ControlThread control;
        final ClusterOptions options;
        final List<Set<Integer>> released = new CopyOnWriteArrayList<>();
        final List<ShardRow> told = new CopyOnWriteArrayList<>();
        HazelcastMembership membership;
        HazelcastShardTable table;
        private final DirectBeats beats;
        private volatile Consumer<Set<Integer>> onRelease = batch -> {};

        Node(HazelcastInstance hazelcast, ControlThread control, ClusterOptions options, DirectBeats beats) {
            this.beats = beats;
            this.hazelcast = hazelcast;
            this.control = control;
            this.options = options;
        }

        void join(NodeInfo info, Map<String, String> prefixes) {
            membership = await(HazelcastMembership.join(hazelcast, control, options, info, prefixes));
        }

        void openTable(FenceStore fences, MeshClock clock) {
            table = await(HazelcastShardTable.start(
                    hazelcast, membership.self().role(), membership, fences, clock, options, beats, control));
            beats.answers.put(incarnation(), this);
            table.onRow(told::add);
            table.activator(new Activator() {
                @Override
                public void deliver(Delivery delivery) {
                    throw new IllegalStateException("not in these tests");
                }

                @Override
                public Future<Void> release(Set<Integer> shards, String reason) {
                    released.add(Set.copyOf(shards));
                    onRelease.accept(shards);
                    return Future.succeededFuture();
                }
            });
        }

        /** Calls the listener with each batch whose activations are to end. */
        void onRelease(Consumer<Set<Integer>> listener) {
            onRelease = listener;
        }

        String incarnation() {
            return membership.self().incarnation();
        }

        boolean serves(int shard) {
            ShardRow row = table.row(shard);
            return table.serves(shard, row.epoch());
        }

        int servedCount() {
            int count = 0;
            for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
                if (serves(shard)) {
                    count++;
                }
            }
            return count;
        }

        List<ShardRow> rows() {
            List<ShardRow> rows = new ArrayList<>();
            for (int shard = 0; shard < MeshAddress.SHARDS; shard++) {
                rows.add(table.row(shard));
            }
            return rows;
        }

        IMap<Integer, ShardRow> shards() {
            return hazelcast.getMap(HazelcastConfigs.SHARDS + membership.self().role());
        }

        /** How many answers this node has had to its beats. */
        long rounds() {
            return beats.answered.getOrDefault(incarnation(), 0L);
        }

        void kill() {
            hazelcast.getLifecycleService().terminate();
        }
    }
}
