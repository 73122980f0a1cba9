package io.meshhub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.Verb;
import io.meshhub.routing.spi.ChangeFeed;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.MeshMetrics;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.meshhub.sync.protocol.JsonPointers;
import io.meshhub.sync.protocol.LatchEvent;
import io.meshhub.sync.protocol.Subscribed;
import io.meshhub.sync.protocol.SyncPlaces;
import io.meshhub.sync.protocol.ToClient;
import io.meshhub.sync.protocol.Unsubscribe;
import io.vertx.core.Closeable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows what addresses publish, for everybody in one process: any number of streams of one view of an address on behalf
 * of one principal share one subscription.
 *
 * <p>Safe from any thread. What is not public is touched on one context.
 */
public final class SyncClient {

    private static final Logger LOG = LoggerFactory.getLogger(SyncClient.class);
    private static final Cleaner CLEANER = Cleaner.create();

    /**
     * What a client works with.
     *
     * @param context a context on the loop that carries the connections of the bus
     * @param membership says which processes are lost
     * @param feed announces what this process writes; {@link ChangeFeed#NONE} where it has no store
     * @param versions the version of a node, empty when there is none; empty itself in a process without a store, whose
     *     streams ask their owners where others look it up
     */
    public record Parts(
            Context context,
            Mesh mesh,
            Membership membership,
            MeshClock clock,
            Pacer pacer,
            MeshMetrics metrics,
            ChangeFeed feed,
            Optional<Function<MeshAddress, Future<OptionalLong>>> versions) {}

    private final Parts parts;
    private final SyncOptions options;
    private final ContextInternal context;
    private final Context listeners;
    private final String process;
    private final String place;
    private final Map<String, OwnerLink> links = new HashMap<>();
    private final Upstreams upstreams = new Upstreams(this);
    private final AskTurns turns;
    private final FeedFollower feed;
    private volatile boolean closed;
    private @Nullable MessageConsumer<Buffer> consumer;

    private SyncClient(Parts parts, SyncOptions options) {
        this.parts = parts;
        this.options = options;
        this.context = (ContextInternal) parts.context();
        this.listeners = context.owner().createEventLoopContext();
        this.process = parts.membership().self().incarnation();
        this.turns = new AskTurns(options.resubscribesInFlight());
        this.feed = new FeedFollower(this, parts, this::at);
        this.place = SyncPlaces.ofClient(process, UUID.randomUUID().toString().substring(0, 8));
    }

    /** A client that can be watched with, and hears nothing before {@link #start}. */
    public static SyncClient create(Parts parts, SyncOptions options) {
        return new SyncClient(parts, options);
    }

    /** Hears what owners say from now on. */
    public Future<SyncClient> start() {
        parts.membership().onChange(this::changed);
        Promise<SyncClient> started = Promise.promise();
        execute(() -> {
            feed.start();
            MessageConsumer<Buffer> made = vertx().eventBus().consumer(place, this::arrived);
            consumer = made;
            made.completion().map(this).onComplete(started);
        });
        return started.future();
    }

    /** Follows all of what an address publishes. */
    public SyncStream<JsonObject> watch(MeshAddress address) {
        return watch(address, "", JsonObject.class);
    }

    /** Follows what an address publishes, read as the class; see {@link io.meshhub.routing.MeshBody#as}. */
    public <T> SyncStream<T> watch(MeshAddress address, Class<T> type) {
        return watch(address, "", type);
    }

    /**
     * Follows a part of what an address publishes: an object, an array, a string, a number or a boolean.
     *
     * @param view a JSON pointer; where it names nothing, the stream has no value
     */
    public SyncStream<Object> watch(MeshAddress address, String view) {
        return watch(address, view, Object.class);
    }

    /**
     * Follows a part of what an address publishes, read as the class.
     *
     * @throws IllegalArgumentException when the view is no JSON pointer
     */
    public <T> SyncStream<T> watch(MeshAddress address, String view, Class<T> type) {
        return watch(address, type, WatchOptions.DEFAULT.withView(view));
    }

    /**
     * Follows what the options say of what an address publishes, read as the class.
     *
     * @throws IllegalArgumentException when the view is no JSON pointer
     */
    public <T> SyncStream<T> watch(MeshAddress address, Class<T> type, WatchOptions how) {
        JsonPointers.steps(how.view());
        ContextInternal caller = (ContextInternal) Vertx.currentContext();
        Context tellsOn = caller == null ? listeners : caller.unwrap();
        String principal = how.principal().orElse(CallScope.current().principal());
        LocalStream<T> local = new LocalStream<>(this, new WatchKey(address, how.view(), principal), type, tellsOn);
        SyncStream<T> stream = new SyncStream<>(this, local);
        if (caller != null && caller.isDeployment()) {
            endsWith(caller.unwrap(), local);
        }
        CLEANER.register(
                stream,
                () -> execute(() -> {
                    if (local.isUnheard()) {
                        local.close();
                    }
                }));
        // Never within the caller's turn, which may be one of the owner.
        context.runOnContext(turn -> attach(local));
        return stream;
    }

    // What a hub watches ends with it.
    private void endsWith(ContextInternal owner, LocalStream<?> local) {
        Closeable hook = closing -> {
            execute(local::close);
            closing.succeed();
        };
        owner.addCloseHook(hook);
        local.ended().onComplete(over -> owner.removeCloseHook(hook));
    }

    private void attach(LocalStream<?> local) {
        if (closed) {
            local.close();
            return;
        }
        upstreams.attach(local);
    }

    /** How many subscriptions to owners there are, dormant ones included. */
    public Future<Integer> subscriptions() {
        Promise<Integer> count = Promise.promise();
        execute(() -> count.complete(upstreams.all().size()));
        return count.future();
    }

    /** Ends all streams, and tells the owners. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        execute(() -> {
            if (closed) {
                done.complete();
                return;
            }
            closed = true;
            Future<Void> unfollowed = feed.close();
            upstreams.all().forEach(stream -> {
                stream.close();
                stream.cutWrites();
            });
            links.values().forEach(OwnerLink::close);
            MessageConsumer<Buffer> registered = consumer;
            Future<Void> deaf = registered == null ? Future.succeededFuture() : registered.unregister();
            Future.join(deaf, unfollowed).<Void>mapEmpty().onComplete(done);
        });
        return done.future();
    }

    private void arrived(Message<Buffer> message) {
        JsonObject body = new JsonObject(message.body());
        String from = body.getString("from");
        JsonArray letters = body.getJsonArray("letters");
        for (int i = 0; i < letters.size(); i++) {
            JsonObject letter = letters.getJsonObject(i);
            try {
                heard(from, SyncPlaces.sender(letter), ToClient.read(letter));
            } catch (RuntimeException e) {
                LOG.warn("A frame could not be read on node {}: {}", node(), e.toString());
            }
        }
    }

    private void heard(String from, MeshAddress address, ToClient message) {
        count("sync.frames");
        Upstream stream = upstreams.withId(message.stream());
        if (stream == null) {
            if (message instanceof Frame frame && !frame.last()) {
                unsubscribe(from, address, message.stream());
            }
        } else if (message instanceof Frame frame) {
            stream.frame(frame);
        } else {
            stream.goodbye((Goodbye) message);
        }
    }

    private void changed(Membership.Change change, NodeInfo node) {
        if (closed) {
            return;
        }
        execute(() -> feed.changed(change));
        if (change == Membership.Change.DROPPED) {
            execute(() -> nodeLost(upstreams.all().stream()
                    .filter(stream -> stream.ownerProcess()
                            .filter(node.incarnation()::equals)
                            .isPresent())
                    .toList()));
            // It may be the one that refused until they were given up, and says no more that it released the address.
            execute(() -> upstreams.dormant().forEach(SharedLatch::released));
        }
    }

    /** The process that held all of these is gone. */
    void nodeLost(List<Upstream> held) {
        held.forEach(stream -> stream.lost("The node of hub " + stream.key().address() + " is lost"));
        ThreadLocalRandom random = ThreadLocalRandom.current();
        List<SharedLatch> all = held.stream().map(Upstream::latch).distinct().toList();
        all.forEach(latch -> latch.nodeLost(Spread.delay(all.size(), random.nextDouble())));
    }

    /** An activation of this process has completed its disposal. */
    public void disposed(MeshAddress address, ActivationId activation) {
        at(address, latch -> latch.on(new LatchEvent.LocalDisposed(activation, now())));
    }

    /** An activation of this process, which is sent no beats, has its shard no more, though it may not know of that. */
    public void disowned(MeshAddress address, ActivationId activation) {
        at(address, latch -> latch.disowned(activation));
    }

    /** An address that refused can wake again. */
    public void released(MeshAddress address) {
        at(address, SharedLatch::released);
    }

    private void at(MeshAddress address, Consumer<SharedLatch> action) {
        if (upstreams.isWatched(address)) {
            // Never at once: a hub of this loop may be in the middle of what it tells of.
            context.runOnContext(turn -> upstreams.at(address, action));
        }
    }

    /** The link over which an owner is told of its streams; null for one in this process, which needs no telling. */
    @Nullable
    OwnerLink link(Subscribed owner) {
        return owner.place().equals(SyncPlaces.ofOwners(process))
                ? null
                : links.computeIfAbsent(owner.place(), to -> new OwnerLink(this, to));
    }

    void linkIsIdle(String to, OwnerLink link) {
        links.remove(to, link);
    }

    void unsubscribe(String to, MeshAddress address, String stream) {
        count("sync.unsubscribes");
        vertx().eventBus().send(to, new Unsubscribe(address, stream).toJson());
    }

    Future<Message<JsonObject>> ask(String to, JsonObject message, Duration bound) {
        DeliveryOptions bounded = new DeliveryOptions().setSendTimeout(Math.max(1, bound.toMillis()));
        return vertx().eventBus().request(to, message, bounded);
    }

    /** Asks an address in the name of a principal, or of nobody: whose turn it is has no part in it. */
    MeshCall<MeshReply> ask(MeshAddress to, String type, JsonObject body, @Nullable String principal, MeshOptions how) {
        long bound = mesh().budgets().request().toMillis();
        return mesh().call(
                        new Envelope(
                                to, type, MeshBody.of(body), Verb.REQUEST, null, bound, 0, principal, null, null, 0),
                        how);
    }

    /** Whether the process is none that this one knows of. */
    boolean isGone(String incarnation) {
        return parts.membership().node(incarnation).isEmpty();
    }

    Upstreams upstreams() {
        return upstreams;
    }

    AskTurns turns() {
        return turns;
    }

    FeedFollower feed() {
        return feed;
    }

    Pacer.Cancellable after(Duration delay, Runnable action) {
        return parts.pacer().after(delay, () -> execute(action));
    }

    /** Runs the action on the client's context: at once when this is its thread. */
    void execute(Runnable action) {
        if (context.inThread()) {
            action.run();
        } else {
            context.runOnContext(turn -> action.run());
        }
    }

    void count(String name) {
        parts.metrics().count(name);
    }

    SyncOptions options() {
        return options;
    }

    Mesh mesh() {
        return parts.mesh();
    }

    String node() {
        return parts.mesh().node();
    }

    MeshClock clock() {
        return parts.clock();
    }

    long now() {
        return parts.clock().nanoTime();
    }

    String incarnation() {
        return parts.membership().self().incarnation();
    }

    String place() {
        return place;
    }

    private Vertx vertx() {
        return context.owner();
    }
}
