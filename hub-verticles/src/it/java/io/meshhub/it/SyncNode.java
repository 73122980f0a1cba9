package io.meshhub.it;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.sync.SyncOptions;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node with the {@link SyncHubs} and node hubs over a shared store, in a process of its own, that does what it is told:
 * {@code watch ADDRESS} makes it say {@code SEES ADDRESS VALUE} whenever the value changes, {@code set ADDRESS NUMBER}
 * changes one; {@code mute} loses what its owners and its store announce to others, until {@code unmute}. Its addresses can
 * be parked.
 */
final class SyncNode {

    /** The most streams of a process that look for their owners at one time. */
    static final int IN_FLIGHT = 16;

    private final MeshHub hub;
    private final LostOnTheWay announcements;

    private SyncNode(MeshHub hub) {
        this.hub = hub;
        this.announcements = LostOnTheWay.announcements(hub.vertx());
    }

    /**
     * Arguments: node name, cluster name, own Hazelcast port, seed (host:port), beat interval in milliseconds, directory
     * of the store. Prints {@code UP} when it is.
     */
    public static void main(String[] args) {
        start(
                        TestNode.options(args[0], args[1], Integer.parseInt(args[2]), args[3]),
                        sync(Duration.ofMillis(Long.parseLong(args[4]))),
                        Path.of(args[5]),
                        MeshMetrics.NONE)
                .onComplete(started -> {
                    if (started.failed()) {
                        ToParent.say("FAILED " + started.cause());
                        Runtime.getRuntime().halt(1);
                        return;
                    }
                    SyncNode node = new SyncNode(started.result());
                    Thread commands = new Thread(node::obey, "commands");
                    commands.setDaemon(true);
                    commands.start();
                    ToParent.say("UP " + args[0]);
                });
    }

    static SyncOptions sync(Duration beatInterval) {
        return SyncOptions.ofDefaults().withResubscribesInFlight(IN_FLIGHT).withBeatInterval(beatInterval);
    }

    static Future<MeshHub> start(ClusterOptions options, SyncOptions sync, Path store, MeshMetrics metrics) {
        AtomicReference<MeshHub> node = new AtomicReference<>();
        return MeshHub.builder()
                .cluster(options)
                .options(HubOptions.ofDefaults().withAllowPark(true))
                .metrics(metrics)
                .sync(sync)
                .store(
                        vertx -> SqliteNodeStore.open(vertx, StoreOptions.in(store), MeshMetrics.NONE),
                        (opened, builder) ->
                                builder.catalog(new StoreCatalog(opened)).hub(NodeHubs.type(opened)))
                .hub("board", SyncHubs.Board::new)
                .hub("mirror", () -> new SyncHubs.Mirror(() -> node.get().sync()))
                .start()
                .onSuccess(node::set);
    }

    private void obey() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                obey(line.split(" ", -1));
            }
        } catch (IOException e) {
            ToParent.say("DEAF " + e);
        }
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "mute" -> {
                announcements.begin();
                ToParent.say("MUTE");
            }
            case "unmute" -> {
                announcements.close();
                ToParent.say("HEARD AGAIN");
            }
            case "watch" -> {
                MeshAddress address = MeshAddress.of(words[1]);
                hub.sync()
                        .watch(address)
                        .onChange(change -> ToParent.say("SEES " + address + " "
                                + change.value().orElseThrow().encode()));
            }
            default ->
                set(hub, MeshAddress.of(words[1]), Integer.parseInt(words[2]))
                        .onComplete(done -> ToParent.say("SET " + words[1] + " " + words[2] + " "
                                + (done.succeeded() ? "done" : done.cause().toString())));
        }
    }

    static Future<Object> set(MeshHub hub, MeshAddress address, int number) {
        return hub.mesh().request(address, number, Object.class, MeshOptions.DEFAULT.withType("set"));
    }
}
