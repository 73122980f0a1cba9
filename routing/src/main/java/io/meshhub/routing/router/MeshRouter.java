package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.Mesh;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.FailureCodecs;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.EntryGate;
import io.meshhub.routing.spi.NodeInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mesh of one node: sends its messages, and lets in those of others.
 *
 * <p>The common message costs no cluster operation: the owner comes from an array in memory. On the own node it is handed
 * over on the hub loop of its address, without a codec; to another node it goes in a frame to the inbound address of that
 * loop there.
 */
public final class MeshRouter implements Mesh {

    /** The type of the message that ends an activation. */
    public static final String RECYCLE = MessageType.SYSTEM_PREFIX + "recycle";

    /** The type of the message that asks an activation how it is. */
    public static final String PING = MessageType.SYSTEM_PREFIX + "ping";

    private static final Logger LOG = LoggerFactory.getLogger(MeshRouter.class);

    private final Parts parts;
    private final Dispatcher dispatcher;
    private final MeshEventBus eventBus;
    private volatile @Nullable RouteRelay relay;
    private volatile EntryGate entries = EntryGate.OPEN;

    private MeshRouter(Parts parts) {
        this.parts = parts;
        this.dispatcher = new Dispatcher(parts);
        this.eventBus = new MeshEventBus(parts.vertx().eventBus(), this);
    }

    /**
     * Registers the inbound addresses and {@code mesh.route}, and is then ready to send and to be sent to. Nothing is
     * accepted before {@link #activator} was called.
     */
    public static Future<MeshRouter> start(Parts parts) {
        EventBus bus = parts.vertx().eventBus();
        FailureCodecs.register(bus);
        FailureCodecs.registerOnce(bus, Frame.class, new FrameCodec());
        MeshRouter router = new MeshRouter(parts);
        return router.dispatcher
                .start()
                .compose(started -> RouteRelay.start(parts, router))
                .map(relay -> {
                    router.relay = relay;
                    return router;
                });
    }

    /** Names the host of this node's activations; must be called once, before the node is announced as up. */
    public void activator(Activator activator) {
        dispatcher.activator(activator);
    }

    /** Has this gate say on whose behalf what comes by {@code mesh.route} is sent; on nobody's at first. */
    public void entries(EntryGate gate) {
        entries = gate;
    }

    EntryGate entries() {
        return entries;
    }

    /**
     * Asks every inbound address of a node for a sign of life, and so opens the connections both ways.
     *
     * @return fails when one of them does not answer within the bound
     */
    public Future<Void> ping(NodeInfo peer, Duration bound) {
        return dispatcher.ping(peer, bound);
    }

    /**
     * Calls the listener whenever an address that has refused messages of this node can wake again, here or on another
     * node; on any thread. It must not block.
     */
    public void onReleased(Consumer<MeshAddress> listener) {
        dispatcher.onReleased(listener);
    }

    /** An activation that may have refused messages is dead: whoever rides it out asks again at once. */
    public void released(MeshAddress address, ActivationId activation) {
        dispatcher.released(address, activation);
    }

    /**
     * Takes back the inbound addresses of an incarnation that was expelled; calls that wait for another node end as {@link
     * io.meshhub.routing.failure.Unavailable} with {@code sent=true}.
     */
    public Future<Void> withdraw(String reason) {
        return dispatcher.withdraw(reason);
    }

    /** Registers the inbound addresses of the incarnation that the node has now. */
    public Future<Void> enter() {
        return dispatcher.enter();
    }

    /** Tells all nodes that this one has given its last answer, and takes back its inbound addresses. */
    public Future<Void> stop() {
        RouteRelay running = relay;
        Future<Void> relayed = running == null ? Future.succeededFuture() : running.stop();
        // Whatever becomes of the relay, the peers must hear that this node has left.
        return relayed.transform(done -> dispatcher.stop());
    }

    @Override
    public String node() {
        return parts.membership().self().name();
    }

    @Override
    public BudgetLadder budgets() {
        return parts.options().budgets();
    }

    @Override
    public <R> Future<R> request(MeshAddress to, @Nullable Object message, Class<R> replyType, MeshOptions options) {
        return read(call(to, message, options).answer(), to, replyType);
    }

    /** The body of a reply as the given class; one that cannot be read so fails with {@link Rejected}. */
    public static <R> Future<R> read(Future<MeshReply> answer, MeshAddress to, Class<R> replyType) {
        return answer.compose(reply -> {
            try {
                return Future.succeededFuture(reply.body().as(replyType).orElse(null));
            } catch (IllegalArgumentException e) {
                return Future.failedFuture(Rejected.message(to, "its reply is " + e.getMessage()));
            }
        });
    }

    @Override
    public MeshCall<MeshReply> call(MeshAddress to, @Nullable Object message, MeshOptions options) {
        return made(to, message, options, Verb.REQUEST);
    }

    // A body that cannot be taken is a failure of the message like any other, not an accident of its sender.
    private MeshCall<MeshReply> made(MeshAddress to, @Nullable Object message, MeshOptions options, Verb verb) {
        Envelope envelope;
        try {
            envelope = envelope(to, message, options, verb);
        } catch (MeshException e) {
            return new FailedCall(Future.failedFuture(e));
        }
        return call(envelope, options);
    }

    private record FailedCall(Future<MeshReply> answer) implements MeshCall<MeshReply> {
        @Override
        public boolean cancel() {
            return false;
        }
    }

    @Override
    public MeshCall<MeshReply> call(Envelope envelope, MeshOptions options) {
        if (envelope.ignorable()) {
            return new FailedCall(Future.failedFuture(
                    Rejected.message(envelope.to(), "it is ignorable and its sender waits for an answer")));
        }
        if (dispatcher.isStopped()) {
            return new FailedCall(
                    Future.failedFuture(Unavailable.notSent(envelope.to(), node(), "the node has stopped")));
        }
        ContextInternal caller = (ContextInternal) parts.vertx().getOrCreateContext();
        Promise<MeshReply> promise = caller.promise();
        Call call = new Call(
                dispatcher,
                parts.clock(),
                parts.pacer(),
                promise,
                dispatcher.home(caller),
                envelope,
                options,
                parts.options().rideOut().pace());
        call.start();
        return call;
    }

    @Override
    public Future<Void> send(MeshAddress to, @Nullable Object message, MeshOptions options) {
        return made(to, message, options, Verb.SEND).answer().mapEmpty();
    }

    @Override
    public void notify(MeshAddress to, @Nullable Object message, MeshOptions options) {
        tell(() -> envelope(to, message, options, Verb.NOTIFY));
    }

    /** Sends a message that nobody waits for; one that cannot be made or written is dropped and counted. */
    void tell(Supplier<Envelope> envelope) {
        try {
            dispatcher.tell(envelope.get());
        } catch (IllegalArgumentException | MeshException e) {
            LOG.debug("A notification was dropped: {}", e.getMessage());
            parts.metrics().count("mesh.notify.dropped");
        }
    }

    private Envelope envelope(MeshAddress to, @Nullable Object message, MeshOptions options, Verb verb) {
        MeshBody body = body(to, message);
        CallScope scope = CallScope.current();
        Duration deadline = options.deadline().orElse(budgets().request());
        return new Envelope(
                to,
                options.type().orElseGet(() -> MessageType.Names.ofBody(body)),
                body,
                verb,
                options.from().orElse(null),
                deadline.toMillis(),
                0,
                options.principal().orElse(scope.principal()),
                options.correlationId().orElse(scope.correlationId()),
                scope.traceparent(),
                0);
    }

    static MeshBody body(MeshAddress to, @Nullable Object message) {
        try {
            return MeshBody.of(message);
        } catch (IllegalStateException e) {
            // JSON that holds what no JSON can hold.
            throw Rejected.message(to, "its body cannot be taken: " + e.getMessage());
        }
    }

    @Override
    public EventBus eventBus() {
        return eventBus;
    }

    /**
     * The same event bus for a sender that may not send at all times.
     *
     * @param barred why nothing may go to a mesh address now; null where it may
     */
    public EventBus eventBus(Supplier<@Nullable MeshException> barred) {
        return eventBus.unlessBarred(barred);
    }

    @Override
    public void addPartition(String partition) {
        eventBus.addPartition(partition);
    }

    @Override
    public Future<Void> recycle(MeshAddress address) {
        return call(address, null, MeshOptions.DEFAULT.withType(RECYCLE))
                .answer()
                .mapEmpty();
    }

    /** Messages that wait for an answer of another node. */
    public int inFlight() {
        return dispatcher.inFlight();
    }

    /** Messages of this node that wait for the owner or the row of their shard. */
    public int held() {
        return dispatcher.held();
    }

    /** Calls that ride out a refusal. */
    public int resting() {
        return dispatcher.restingCalls();
    }
}
