package io.meshhub.it.chaos;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.cluster.lease.NodeStanding;
import io.meshhub.cluster.lease.Quorum;
import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.it.ToParent;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A process of the harness: a node with the {@link ChaosHubs}, or one that only calls. It takes commands from its
 * standard input, a line each: what to do, and a word that its answer ends with. It ends by itself when its standard
 * input does: nobody is there any more to end it.
 */
public final class ChaosProcess {

    /** Shorter than the default, so that more moves happen between two faults. */
    static final Duration QUIET_PERIOD = Duration.ofSeconds(1);

    private static final Duration DRAIN = Duration.ofSeconds(15);
    private static final long SETTLE_PACE_MS = 100;

    private final ChildSettings settings;
    private final MeshHub hub;
    private final Load load;
    private final Counts counts;

    private ChaosProcess(ChildSettings settings, MeshHub hub, Load load, Counts counts) {
        this.settings = settings;
        this.hub = hub;
        this.load = load;
        this.counts = counts;
    }

    /** The {@link ChildSettings}. */
    public static void main(String[] args) {
        ChildSettings settings = ChildSettings.parse(args[0]);
        Records records = Records.open(Path.of(settings.directory()), settings.process());
        Counts counts = new Counts();
        builder(settings, records, counts).start().onComplete((hub, cause) -> {
            if (cause != null) {
                ToParent.say("FAILED " + cause);
                Runtime.getRuntime().halt(1);
                return;
            }
            Load load = new Load(hub.vertx(), hub.mesh(), records, settings);
            ChaosProcess process = new ChaosProcess(settings, hub, load, counts);
            Thread commands = new Thread(process::obey, "commands");
            commands.setDaemon(true);
            commands.start();
            ToParent.say("UP " + settings.process());
        });
    }

    /** The one place that says how the cluster is set up. */
    public static ClusterOptions cluster(ChildSettings settings) {
        return ClusterOptions.builder(settings.name())
                .clusterName(settings.cluster())
                .seeds(settings.seeds())
                .hazelcast(settings.host(), settings.hazelcastPort(), 1)
                .bus(settings.host(), 0)
                .lite(settings.lite())
                .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(settings.heartbeatLimitSeconds()))
                .quorum(quorum(settings))
                .quietPeriod(QUIET_PERIOD)
                .build();
    }

    private static Quorum quorum(ChildSettings settings) {
        return settings.quorum() == 1
                ? Quorum.NONE
                : new Quorum(
                        settings.quorum(),
                        settings.voters().size(),
                        settings.voters(),
                        settings.mode().equalsIgnoreCase("fast") ? Quorum.AfterLoss.FAST : Quorum.AfterLoss.SAFE,
                        Duration.ofSeconds(settings.leaseSeconds()));
    }

    private static MeshHub.Builder builder(ChildSettings settings, Records records, Counts counts) {
        MeshHub.Builder builder =
                MeshHub.builder().cluster(cluster(settings)).options(hubs()).metrics(counts);
        Plant plant = Plant.of(settings.plant());
        plant.into(builder);
        if (settings.lite()) {
            return builder.callerOnly();
        }
        StoreOptions store = StoreOptions.in(Path.of(settings.directory(), "store"));
        return builder.store(
                vertx -> SqliteNodeStore.open(vertx, store, counts).map(plant::into),
                (opened, node) -> node.hub(ChaosHubs.REGISTER, () -> new ChaosHubs.Register(records, opened))
                        .hub(ChaosHubs.COUNTER, () -> new ChaosHubs.Counter(records))
                        .hub(ChaosHubs.LIST, () -> new ChaosHubs.Appender(records, opened)));
    }

    // A start that failed with its store is tried again soon.
    private static HubOptions hubs() {
        return HubOptions.ofDefaults()
                .withIdleTimeout(Duration.ofSeconds(20))
                .withStartBackoff(Duration.ofMillis(500), Duration.ofSeconds(2));
    }

    private void obey() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ");
                obey(words)
                        .onComplete(done -> ToParent.say((done.succeeded() ? "DONE " : "FAILED " + done.cause() + " ")
                                + words[words.length - 1]));
            }
        } catch (IOException e) {
            ToParent.say("standard input ended: " + e);
        }
        Runtime.getRuntime().halt(2);
    }

    private Future<?> obey(String[] words) {
        return switch (words[0]) {
            case "load" -> {
                load.start();
                yield Future.succeededFuture();
            }
            case "pause" -> load.pauseAll();
            case "verify" -> load.verify(Duration.ofMillis(Long.parseLong(words[1])));
            case "settle" -> settled(hub, settings);
            case "state" -> {
                ToParent.say("STATE " + state().encode());
                yield Future.succeededFuture();
            }
            case "stop" ->
                hub.stop(DRAIN).onSuccess(stopped -> {
                    ToParent.say("STOPPED " + stopped.cut().orElse("whole"));
                    Runtime.getRuntime().halt(0);
                });
            default -> Future.failedFuture("no such command: " + words[0]);
        };
    }

    /** Completes when all nodes are up and hear each other, and this one may serve and has its share. */
    public static Future<Void> settled(MeshHub hub, ChildSettings settings) {
        Promise<Void> settled = Promise.promise();
        hub.vertx().setPeriodic(SETTLE_PACE_MS, timer -> {
            if (isSettled(hub, settings)) {
                hub.vertx().cancelTimer(timer);
                settled.tryComplete();
            }
        });
        return settled.future();
    }

    private static boolean isSettled(MeshHub hub, ChildSettings settings) {
        long up = hub.membership().nodes().stream()
                .filter(node -> node.state() == NodeInfo.State.UP)
                .count();
        NodeStanding standing = hub.standing();
        // Nobody asks a process that only calls.
        boolean whole = settings.lite()
                || (standing.isSound() && standing.unheard().isEmpty() && share(hub) >= MeshAddress.SHARDS / (2 * up));
        return up == settings.voters().size() && whole;
    }

    private static long share(MeshHub hub) {
        return IntStream.range(0, MeshAddress.SHARDS)
                .filter(shard ->
                        hub.shards().serves(shard, hub.shards().row(shard).epoch()))
                .count();
    }

    private JsonObject state() {
        JsonArray nodes = new JsonArray();
        hub.membership().nodes().forEach(node -> nodes.add(node.incarnation() + " " + node.state()));
        JsonObject rows = new JsonObject();
        IntStream.range(0, MeshAddress.SHARDS).forEach(shard -> {
            ShardRow row = hub.shards().row(shard);
            rows.put(
                    Integer.toString(shard),
                    row.owner() + " " + row.epoch() + " " + row.via() + " " + row.state()
                            + (hub.shards().serves(shard, row.epoch()) ? " served here" : ""));
        });
        return new JsonObject()
                .put("process", settings.process())
                .put("nodes", nodes)
                .put("counts", counts.toJson())
                .put("rows", rows);
    }
}
