package io.meshhub.it.soak;

import io.meshhub.hub.HubOptions;
import io.meshhub.hub.MeshHub;
import io.meshhub.hub.node.NodeHubs;
import io.meshhub.hub.node.StoreCatalog;
import io.meshhub.hub.store.SqliteNodeStore;
import io.meshhub.hub.store.StoreOptions;
import io.meshhub.it.ToParent;
import io.meshhub.it.chaos.ChaosProcess;
import io.meshhub.it.chaos.ChildSettings;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.sync.SyncOptions;
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
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A node of the soak, with a stream of each address. It takes commands from its standard input, as {@link ChaosProcess}
 * does, and ends by itself when that does.
 */
final class SoakProcess {

    /** How often its streams are beaten for. */
    static final Duration BEATS = Duration.ofSeconds(2);

    /** Within which time the streams are as the store has it once nothing is written any more, and leave nothing behind. */
    static final Duration REST = Duration.ofSeconds(30);

    /** How many partitions the addresses are in. */
    private static final int PARTITIONS = 8;

    private static final Duration DRAIN = Duration.ofSeconds(15);
    private static final long POLL_MS = 200;

    private final ChildSettings settings;
    private final MeshHub hub;
    private final Leftovers leftovers;
    private final SoakStreams streams;
    private final SoakLoad load;

    private SoakProcess(ChildSettings settings, MeshHub hub, Leftovers leftovers) {
        this.settings = settings;
        this.hub = hub;
        this.leftovers = leftovers;
        SoakLog log = SoakLog.open(Path.of(settings.directory()), settings.process());
        List<MeshAddress> addresses = IntStream.range(0, settings.addresses())
                .mapToObj(i -> MeshAddress.of("soak" + i % PARTITIONS + "/" + i))
                .toList();
        this.streams = new SoakStreams(hub.sync(), log, addresses);
        this.load = new SoakLoad(hub.vertx(), hub.mesh(), log, streams, settings, addresses);
    }

    /** The {@link ChildSettings}. */
    public static void main(String[] args) {
        ChildSettings settings = ChildSettings.parse(args[0]);
        Leftovers leftovers = new Leftovers();
        StoreOptions options = StoreOptions.in(Path.of(settings.directory(), "store"));
        MeshHub.builder()
                .cluster(ChaosProcess.cluster(settings))
                .options(HubOptions.ofDefaults()
                        .withIdleTimeout(Duration.ofSeconds(20))
                        .withStartBackoff(Duration.ofMillis(500), Duration.ofSeconds(2)))
                .sync(SyncOptions.ofDefaults().withBeatInterval(BEATS))
                .time(MeshClock.system(), leftovers)
                .store(
                        vertx -> SqliteNodeStore.open(vertx, options, MeshMetrics.NONE),
                        (store, builder) ->
                                builder.catalog(new StoreCatalog(store)).hub(NodeHubs.type(store)))
                .start()
                .onComplete((hub, cause) -> {
                    if (cause != null) {
                        ToParent.say("FAILED " + cause);
                        Runtime.getRuntime().halt(1);
                        return;
                    }
                    Thread commands = new Thread(new SoakProcess(settings, hub, leftovers)::obey, "commands");
                    commands.setDaemon(true);
                    commands.start();
                    ToParent.say("UP " + settings.process());
                });
    }

    private void obey() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ", -1);
                obey(words[0])
                        .onComplete(done -> ToParent.say((done.succeeded() ? "DONE " : "FAILED " + done.cause() + " ")
                                + words[words.length - 1]));
            }
        } catch (IOException e) {
            ToParent.say("standard input ended: " + e);
        }
        Runtime.getRuntime().halt(2);
    }

    private Future<?> obey(String what) {
        return switch (what) {
            case "settle" -> ChaosProcess.settled(hub, settings);
            case "create" -> load.create();
            case "load" -> {
                streams.open();
                load.start();
                yield Future.succeededFuture();
            }
            case "pause" -> load.pauseAll().compose(paused -> load.counts()).onSuccess(counts -> say("COUNTS", counts));
            case "compare" ->
                rest(() -> streams.wrong(hub.store().orElseThrow())).onSuccess(wrong -> say("WRONG", wrong));
            case "close" -> {
                say("CHANGES", new JsonObject().put("told", streams.changes()));
                streams.close();
                yield Future.succeededFuture();
            }
            case "left" ->
                rest(() -> Future.succeededFuture(leftovers.ofStreams(hub)))
                        .onSuccess(left -> say("LEFT", left))
                        .compose(left -> hub.sync().close())
                        .compose(closed -> rest(() -> Future.succeededFuture(Leftovers.ofClient(hub.vertx()))))
                        .onSuccess(left -> say("LEFT", left));
            case "stop" ->
                hub.stop(DRAIN).onSuccess(stopped -> {
                    ToParent.say("STOPPED " + stopped.cut().orElse("whole"));
                    Runtime.getRuntime().halt(0);
                });
            default -> Future.failedFuture("no such command: " + what);
        };
    }

    private static void say(String what, JsonObject how) {
        ToParent.say(what + " " + how.encode());
    }

    private static void say(String what, List<String> all) {
        ToParent.say(what + " " + new JsonArray(all).encode());
    }

    /** Looks again and again until there is nothing wrong, or the time is over; what is wrong then. */
    private Future<List<String>> rest(Supplier<Future<List<String>>> look) {
        Promise<List<String>> promise = Promise.promise();
        look(look, System.nanoTime() + REST.toNanos(), promise);
        return promise.future();
    }

    private void look(Supplier<Future<List<String>>> look, long end, Promise<List<String>> promise) {
        look.get().onComplete((wrong, cause) -> {
            if (cause != null) {
                promise.fail(cause);
            } else if (wrong.isEmpty() || System.nanoTime() - end > 0) {
                promise.complete(wrong);
            } else {
                hub.vertx().setTimer(POLL_MS, fired -> look(look, end, promise));
            }
        });
    }
}
