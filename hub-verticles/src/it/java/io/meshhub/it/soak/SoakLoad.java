package io.meshhub.it.soak;

import io.meshhub.hub.node.NodeHubs;
import io.meshhub.it.chaos.ChildSettings;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshOptions;
import io.meshhub.sync.SyncStream;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes, recycles and deletes at random, one action per worker at a time; all on one context. */
final class SoakLoad {

    private static final int LEAST_PAUSE_MS = 20;
    private static final int PAUSE_SPREAD_MS = 120;
    private static final int DELETES_PER_MILLE = 10;
    private static final int UPDATES_PER_MILLE = 200;
    private static final int CREATORS = 32;
    private static final Duration DEADLINE = Duration.ofSeconds(8);
    private static final MeshOptions PATIENT = MeshOptions.DEFAULT.withDeadline(DEADLINE);

    private final Vertx vertx;
    private final Context context;
    private final Mesh mesh;
    private final SoakLog log;
    private final SoakStreams streams;
    private final ChildSettings settings;
    private final List<MeshAddress> addresses;
    private final Random random;
    private final Map<String, Integer> ended = new TreeMap<>();
    private boolean running;
    private int underWay;
    private int written;
    private @Nullable Promise<Void> quiet;

    SoakLoad(
            Vertx vertx,
            Mesh mesh,
            SoakLog log,
            SoakStreams streams,
            ChildSettings settings,
            List<MeshAddress> addresses) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.mesh = mesh;
        this.log = log;
        this.streams = streams;
        this.settings = settings;
        this.addresses = addresses;
        this.random = new Random(settings.seed() * 31 + settings.start());
    }

    /** Makes all nodes. */
    Future<Void> create() {
        return Future.future(promise -> context.runOnContext(turn -> Future.all(
                        IntStream.range(0, CREATORS).mapToObj(this::createFrom).toList())
                .<Void>mapEmpty()
                .onComplete(promise)));
    }

    private Future<Void> createFrom(int index) {
        return index >= addresses.size()
                ? Future.succeededFuture()
                : put(addresses.get(index)).compose(made -> createFrom(index + CREATORS));
    }

    void start() {
        context.runOnContext(turn -> {
            running = true;
            for (int i = 0; i < settings.workers(); i++) {
                underWay++;
                pause();
            }
        });
    }

    /** Begins nothing more; completes when all that is under way has ended. */
    Future<Void> pauseAll() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(turn -> {
            running = false;
            if (underWay == 0) {
                promise.complete();
            } else {
                quiet = promise;
            }
        });
        return promise.future();
    }

    private void pause() {
        vertx.setTimer(LEAST_PAUSE_MS + random.nextInt(PAUSE_SPREAD_MS), fired -> next());
    }

    private void next() {
        if (!running) {
            underWay--;
            Promise<Void> waiting = quiet;
            if (underWay == 0 && waiting != null) {
                waiting.tryComplete();
            }
            return;
        }
        MeshAddress address = addresses.get(random.nextInt(addresses.size()));
        int chance = random.nextInt(1000);
        if (chance < settings.recyclesPerMille()) {
            over("recycle", mesh.recycle(address));
        } else if (chance < settings.recyclesPerMille() + DELETES_PER_MILLE) {
            over("delete", mesh.request(address, null, Object.class, PATIENT.withType(NodeHubs.DELETE)));
        } else if (chance < settings.recyclesPerMille() + DELETES_PER_MILLE + UPDATES_PER_MILLE) {
            over("update", update(address));
        } else {
            over("put", put(address));
        }
    }

    private JsonObject changed(JsonObject document) {
        document.getJsonObject("content").put("by-" + settings.name(), ++written);
        return document;
    }

    // Its version is not told, but above all that was seen before the change was made.
    private Future<Void> update(MeshAddress address) {
        SyncStream<JsonObject> stream = streams.stream(address);
        AtomicLong before = new AtomicLong();
        return stream.update(document -> {
                    before.set(stream.version());
                    return changed(document);
                })
                .onSuccess(stands -> log.acknowledged(
                        address.toString(), Math.max(before.get() + 1, stream.version()), settings.name()))
                .mapEmpty();
    }

    private Future<Void> put(MeshAddress address) {
        JsonObject document = new JsonObject()
                .put("nodeType", "soak")
                .put("name", address.name())
                .put("content", new JsonObject().put("by", settings.process()).put("n", ++written));
        return mesh.call(address, document, PATIENT.withType(NodeHubs.PUT))
                .answer()
                .compose(reply -> {
                    long version =
                            reply.body().as(JsonObject.class).orElseThrow().getLong("version");
                    log.acknowledged(address.toString(), version, reply.node());
                    return Future.succeededFuture();
                });
    }

    private void over(String what, Future<?> action) {
        action.onComplete((done, cause) -> context.runOnContext(turn -> {
            String how = cause == null ? "ok" : cause.getClass().getSimpleName();
            ended.merge(what + " " + how, 1, Integer::sum);
            pause();
        }));
    }

    /** How often what ended how. */
    Future<JsonObject> counts() {
        return Future.future(promise -> context.runOnContext(turn -> {
            JsonObject counts = new JsonObject();
            ended.forEach(counts::put);
            promise.complete(counts);
        }));
    }
}
