package io.meshhub.it;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.MeshHub;
import java.time.Duration;
import java.util.List;

/** A node with the {@link TestHubs}, in a process of its own. */
final class TestNode {

    // Shorter than the default: no test waits for a share longer than it must.
    private static final Duration QUIET_PERIOD = Duration.ofSeconds(1);

    private TestNode() {}

    /** Arguments: node name, cluster name, own Hazelcast port, seed (host:port). Prints {@code UP} when it is. */
    public static void main(String[] args) {
        MeshHub.Builder builder = builder(options(args[0], args[1], Integer.parseInt(args[2]), args[3]));
        builder.start().onComplete(started -> {
            if (started.failed()) {
                ToParent.say("FAILED " + started.cause());
                Runtime.getRuntime().halt(1);
                return;
            }
            MeshHub hub = started.result();
            Failures.replyRaw(hub.vertx());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                hub.stop(Duration.ofSeconds(10))
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join();
                ToParent.say("STOPPED");
            }));
            ToParent.say("UP " + args[0]);
        });
    }

    static MeshHub.Builder builder(ClusterOptions options) {
        return MeshHub.builder()
                .cluster(options)
                .hub("witness", TestHubs.Witness::new)
                .hub("failing", TestHubs.Failing::new);
    }

    static ClusterOptions options(String node, String cluster, int hazelcastPort, String seed) {
        return described(node, cluster, hazelcastPort, seed).build();
    }

    static ClusterOptions.Builder described(String node, String cluster, int hazelcastPort, String seed) {
        return ClusterOptions.builder(node)
                .clusterName(cluster)
                .seeds(List.of(seed))
                .hazelcast("127.0.0.1", hazelcastPort, 1)
                .bus("127.0.0.1", 0)
                .quietPeriod(QUIET_PERIOD);
    }
}
