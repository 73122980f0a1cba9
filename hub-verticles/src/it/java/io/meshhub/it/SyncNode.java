package io.meshhub.it;

import io.meshhub.cluster.ClusterOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncOptions;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node with the {@link SyncHubs}, in a process of its own, that does what it is told: {@code watch ADDRESS} makes it say
 * {@code SEES ADDRESS VALUE} whenever the value changes, {@code set ADDRESS NUMBER} changes one.
 */
final class SyncNode {

    /** The most streams of a process that look for their owners at one time. */
    static final int IN_FLIGHT = 16;

    private SyncNode() {}

    /** Arguments: node name, cluster name, own Hazelcast port, seed (host:port). Prints {@code UP} when it is. */
    public static void main(String[] args) {
        start(TestNode.options(args[0], args[1], Integer.parseInt(args[2]), args[3]))
                .onComplete(started -> {
                    if (started.failed()) {
                        ToParent.say("FAILED " + started.cause());
                        Runtime.getRuntime().halt(1);
                        return;
                    }
                    MeshHub hub = started.result();
                    Thread commands = new Thread(() -> obey(hub), "commands");
                    commands.setDaemon(true);
                    commands.start();
                    ToParent.say("UP " + args[0]);
                });
    }

    static Future<MeshHub> start(ClusterOptions options) {
        AtomicReference<MeshHub> node = new AtomicReference<>();
        return MeshHub.builder()
                .cluster(options)
                .sync(SyncOptions.ofDefaults().withResubscribesInFlight(IN_FLIGHT))
                .hub("board", SyncHubs.Board::new)
                .hub("mirror", () -> new SyncHubs.Mirror(() -> node.get().sync()))
                .start()
                .onSuccess(node::set);
    }

    private static void obey(MeshHub hub) {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ", -1);
                MeshAddress address = MeshAddress.of(words[1]);
                if (words[0].equals("watch")) {
                    hub.sync()
                            .watch(address)
                            .onChange(change -> ToParent.say("SEES " + address + " "
                                    + change.value().orElseThrow().encode()));
                } else {
                    set(hub, address, Integer.parseInt(words[2]))
                            .onComplete(done -> ToParent.say("SET " + address + " " + words[2] + " "
                                    + (done.succeeded() ? "done" : done.cause().toString())));
                }
            }
        } catch (IOException e) {
            ToParent.say("DEAF " + e);
        }
    }

    static Future<Object> set(MeshHub hub, MeshAddress address, int number) {
        return hub.mesh().request(address, number, Object.class, MeshOptions.DEFAULT.withType("set"));
    }
}
