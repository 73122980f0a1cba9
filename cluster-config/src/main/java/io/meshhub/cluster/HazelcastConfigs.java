package io.meshhub.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import java.util.UUID;

/** Makes the Hazelcast configuration of a node: nothing found by itself, nothing told to anybody outside. */
final class HazelcastConfigs {

    /** The map of node rows, by incarnation. */
    static final String NODES = "__mesh.nodes";

    /** What the names of the maps of shard rows begin with; the role follows. */
    static final String SHARDS = "__mesh.shards.";

    // A lost row makes the cluster ask around or wait, so both rows of a machine that dies with its neighbour survive.
    private static final int BACKUPS = 2;

    // Until the sides of a cut have merged, their nodes cannot reach each other though the network is whole again.
    private static final String CONNECT_SECONDS = "2";
    private static final String MERGE_SECONDS = "5";

    private static final String PROTECTION = "__mesh.quorum";
    private static final int MERGE_BATCH = 100;

    private HazelcastConfigs() {}

    static Config of(ClusterOptions options) {
        Config config = new Config();
        config.setClusterName(options.clusterName());
        config.setLiteMember(options.lite());
        config.getMemberAttributeConfig()
                .setAttribute("__vertx.nodeId", UUID.randomUUID().toString())
                .setAttribute("mesh.node", options.nodeName());
        properties(config, options);
        network(config.getNetworkConfig(), options);
        WireFormat.register(config.getSerializationConfig());
        MergePolicyConfig latest = new MergePolicyConfig(LatestMergePolicy.class.getName(), MERGE_BATCH);
        config.addMapConfig(new MapConfig(NODES).setBackupCount(BACKUPS).setMergePolicyConfig(latest));
        MapConfig shards = new MapConfig(SHARDS + "*").setBackupCount(BACKUPS).setMergePolicyConfig(latest);
        if (options.quorum().isLeased()) {
            config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig(
                            PROTECTION, true, options.quorum().size())
                    .setProtectOn(SplitBrainProtectionOn.WRITE));
            shards.setSplitBrainProtectionName(PROTECTION);
        }
        config.addMapConfig(shards);
        config.addMapConfig(new MapConfig("__vertx.nodeInfo").setBackupCount(1));
        config.addMultiMapConfig(new MultiMapConfig("__vertx.subs")
                .setBackupCount(1)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
        return config;
    }

    private static void properties(Config config, ClusterOptions options) {
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        // The process decides when the member ends: after its shards were handed over.
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "1");
        config.setProperty("hazelcast.mastership.claim.timeout.seconds", "30");
        config.setProperty("hazelcast.heartbeat.interval.seconds", seconds(options.heartbeatInterval()));
        config.setProperty("hazelcast.max.no.heartbeat.seconds", seconds(options.heartbeatLimit()));
        config.setProperty("hazelcast.merge.first.run.delay.seconds", MERGE_SECONDS);
        config.setProperty("hazelcast.merge.next.run.delay.seconds", MERGE_SECONDS);
        // Without it an attempt over a link that is cut waits for the system's own limit, two minutes or so.
        config.setProperty("hazelcast.socket.connect.timeout.seconds", CONNECT_SECONDS);
        config.setProperty("hazelcast.graceful.shutdown.max.wait", "20");
        config.setProperty(
                "hazelcast.operation.call.timeout.millis",
                Long.toString(options.callTimeout().toMillis()));
        // Five minutes by default: one whose message was lost with its link would hold up all that is kept in its part.
        config.setProperty("hazelcast.partition.migration.timeout", seconds(options.callTimeout()));
        if (!isAnyLocal(options.hazelcastHost())) {
            config.setProperty("hazelcast.socket.bind.any", "false");
            config.setProperty("hazelcast.local.localAddress", options.hazelcastHost());
        }
    }

    private static String seconds(java.time.Duration duration) {
        return Long.toString(Math.max(1, duration.toSeconds()));
    }

    private static boolean isAnyLocal(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    private static void network(NetworkConfig network, ClusterOptions options) {
        network.setPort(options.hazelcastPort());
        network.setPortAutoIncrement(options.hazelcastPorts() > 1);
        network.setPortCount(options.hazelcastPorts());
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(options.join() == ClusterOptions.Join.TCP);
        if (options.join() == ClusterOptions.Join.TCP) {
            options.seeds().forEach(join.getTcpIpConfig()::addMember);
        }
        join.getKubernetesConfig().setEnabled(options.join() == ClusterOptions.Join.KUBERNETES);
        if (options.join() == ClusterOptions.Join.KUBERNETES) {
            join.getKubernetesConfig().setProperty("service-dns", options.kubernetesService());
        }
    }
}
