package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.BudgetLadder;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.failure.Overloaded;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.queues.Deadlines;
import io.meshhub.routing.spi.Activator;
import io.meshhub.routing.spi.Delivery;
import io.meshhub.routing.spi.Membership;
import io.meshhub.routing.spi.NodeInfo;
import io.meshhub.routing.spi.ShardRow;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Brings each attempt to the owner of its shard, on this node or over a link, and hears what comes in. */
final class Dispatcher implements Call.Routes, Receiver.NodeView {

    // A peer that is frozen or cut off hears of the end from the cluster.
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final Parts parts;
    private volatile String incarnation;
    private final Links links;
    private final Resting resting = new Resting();
    private final Deadlines open;
    private final Deadlines due;
    private final Map<EventLoop, Home> homes = new ConcurrentHashMap<>();
    private final Refusals refusals = new Refusals();
    private final Places held;
    private final Claims claims;
    private final Receiver[] receivers;
    private final List<MessageConsumer<Object>> consumers = new ArrayList<>();
    private volatile boolean stopped;
    private volatile Activator activator = new NoActivator();

    // Until the runtime is there nothing can be activated, and nobody has been told that this node is up.
    private final class NoActivator implements Activator {
        @Override
        public void deliver(Delivery delivery) {
            delivery.fail(Unavailable.notSent(delivery.envelope().to(), node(), "the node is starting"));
        }

        @Override
        public Future<Void> release(Set<Integer> shards, String reason) {
            return Future.succeededFuture();
        }
    }

    Dispatcher(Parts parts) {
        this.parts = parts;
        NodeInfo self = parts.membership().self();
        this.incarnation = self.incarnation();
        this.links = new Links(this::newLink);
        InFlightBounds bounds = parts.options().bounds();
        this.held = new Places(bounds.held(), bounds.heldBytes());
        this.claims = new Claims(parts.shards(), held);
        this.receivers = new Receiver[parts.loops().size()];
        for (int i = 0; i < receivers.length; i++) {
            receivers[i] = new Receiver(i, this, parts, held);
        }
        this.open = new Deadlines(parts.clock(), parts.pacer());
        this.due = new Deadlines(parts.clock(), parts.pacer());
        parts.membership().onChange(this::changed);
        parts.shards().onRow(row -> resting.wakeShard(row.shard()));
        parts.metrics().gauge("mesh.calls.resting", resting::size);
        parts.metrics().gauge("mesh.calls.inflight", this::inFlight);
        parts.metrics().gauge("mesh.calls.inflight.bytes", () -> sum(PeerLink::inFlightBytes));
        parts.metrics().gauge("mesh.notify.inflight", () -> sum(PeerLink::unwritten));
        parts.metrics().gauge("mesh.held", held::count);
        parts.metrics().gauge("mesh.held.bytes", held::bytes);
        parts.metrics()
                .gauge(
                        "mesh.loop.queue",
                        () -> Arrays.stream(receivers)
                                .mapToLong(Receiver::queued)
                                .sum());
    }

    private PeerLink newLink(NodeInfo peer) {
        EventBus bus = parts.vertx().eventBus();
        DeliveryOptions options = new DeliveryOptions().setCodecName(FrameCodec.NAME);
        Frame.Sender self = new Frame.Sender(incarnation, node(), receivers.length);
        return new PeerLink(
                peer,
                node(),
                parts,
                (loop, entries) -> bus.<Frame>sender(Inbound.address(peer.incarnation(), loop), options)
                        .write(new Frame(self, entries)));
    }

    Future<Void> start() {
        List<Future<Void>> registered = new ArrayList<>();
        for (int i = 0; i < receivers.length; i++) {
            Inbound inbound = new Inbound(i, receivers[i], links, resting, refusals, due, parts);
            String address = Inbound.address(incarnation, i);
            Promise<Void> promise = Promise.promise();
            // On the bus loop, where it arrives: a consumer is called where it was made, and what must not wait for a
            // loop that is blocked is answered there.
            parts.busContext().runOnContext(turn -> {
                MessageConsumer<Object> consumer = parts.vertx().eventBus().consumer(address, inbound::arrived);
                synchronized (consumers) {
                    consumers.add(consumer);
                }
                consumer.completion().onComplete(promise);
            });
            registered.add(promise.future());
        }
        return Future.all(registered).mapEmpty();
    }

    /** Takes back the inbound addresses: whoever waits for an answer of another node hears that none can come. */
    Future<Void> withdraw(String reason) {
        Future<Void> ended = unregister();
        links.reset(reason);
        return ended;
    }

    private Future<Void> unregister() {
        List<Future<Void>> ended = new ArrayList<>();
        synchronized (consumers) {
            consumers.forEach(consumer -> ended.add(consumer.unregister()));
            consumers.clear();
        }
        return Future.join(ended).mapEmpty();
    }

    /** Can be reached again, under the incarnation that this node has now. */
    Future<Void> enter() {
        incarnation = parts.membership().self().incarnation();
        links.reset("this node has come back under another incarnation");
        links.forgetDropped();
        return start();
    }

    void activator(Activator newActivator) {
        activator = newActivator;
    }

    /**
     * Ends in three steps, so that no message is sent to where nobody is: the peers are told that this node is about to
     * leave, and each says behind its last message that no more come; those are refused as never executed; then all hear
     * that the last answer was given.
     */
    Future<Void> stop() {
        Membership membership = parts.membership();
        String self = membership.self().incarnation();
        // Also those that have not asked yet: they may, by a row that has not reached them.
        membership.nodes().stream()
                .filter(node ->
                        node.state() == NodeInfo.State.UP && !node.incarnation().equals(self))
                .forEach(links::to);
        Promise<Void> parted = parts.busContext().promise();
        Future.join(links.all().stream().map(PeerLink::takeLeave).toList())
                .<Void>mapEmpty()
                .onComplete(parted);
        return parted.future()
                .timeout(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)
                .transform(done -> goodbye());
    }

    private Future<Void> goodbye() {
        links.all().forEach(PeerLink::leave);
        // One turn of the bus loop later the frames with the last answers are written.
        Promise<Void> flushed = Promise.promise();
        parts.busContext().runOnContext(turn -> flushed.complete());
        return flushed.future().compose(written -> {
            // Before anything that would have ended them is gone: the pacer, and the contexts of a Vert.x that closes.
            stopped = true;
            links.all().forEach(link -> link.lose("this node has stopped"));
            open.all().forEach(call -> ((Call) call).stop());
            return unregister();
        });
    }

    Future<Void> ping(NodeInfo peer, Duration bound) {
        Promise<Void> promise = Promise.promise();
        // On the bus loop: whoever sends first to a node opens the connection on its own loop.
        parts.busContext().runOnContext(turn -> {
            List<Future<?>> answers = new ArrayList<>();
            DeliveryOptions options = new DeliveryOptions()
                    .setSendTimeout(Math.max(1, bound.toMillis()))
                    .addHeader(Inbound.PING, Inbound.PING);
            for (int loop = 0; loop < peer.loops(); loop++) {
                answers.add(parts.vertx()
                        .eventBus()
                        .request(Inbound.address(peer.incarnation(), loop), Inbound.PING, options));
            }
            Future.all(answers).<Void>mapEmpty().onComplete(promise);
        });
        return promise.future();
    }

    private void changed(Membership.Change change, NodeInfo node) {
        if (change == Membership.Change.DROPPED) {
            links.drop(node.incarnation(), "node " + node.name() + " was lost");
        }
    }

    @Override
    public void route(CallAttempt attempt) {
        int shard = attempt.call().envelope().to().shard();
        if (!claims.isEmpty() && claims.join(shard, new Routed(attempt))) {
            return;
        }
        ShardRow row = parts.shards().row(shard);
        if (!dispatched(attempt, row)) {
            claims.claim(shard, new Routed(attempt));
        }
    }

    private final class Routed implements Claims.Waiter {
        private final CallAttempt attempt;

        Routed(CallAttempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public int size() {
            return attempt.call().envelope().body().sizeHint();
        }

        @Override
        public void overloaded(Places.Taken place) {
            String bound = place.bound("held");
            parts.metrics().count("mesh.overloaded", "bound", bound);
            MeshAddress address = attempt.call().envelope().to();
            attempt.ended(new Outcome.Failed(Overloaded.at(address, node(), bound, place.observed(), DrainRate.FIRST)));
        }

        @Override
        public void owned(ShardRow row) {
            if (!attempt.isEnded() && !dispatched(attempt, row)) {
                unowned("shard " + row.shard() + " has no owner that is up");
            }
        }

        @Override
        public void unowned(String reason) {
            MeshAddress address = attempt.call().envelope().to();
            attempt.ended(new Outcome.Failed(Unavailable.notSent(address, node(), reason)));
        }
    }

    private boolean dispatched(CallAttempt attempt, ShardRow row) {
        attempt.routedBy(row);
        String owner = row.owner();
        if (incarnation.equals(owner)) {
            deliverHere(attempt, row);
            return true;
        }
        Optional<PeerLink> link = owner == null ? Optional.empty() : linkTo(owner);
        link.ifPresent(peer -> ask(attempt, row, peer));
        return link.isPresent();
    }

    private Optional<PeerLink> linkTo(String owner) {
        Optional<PeerLink> link = links.find(owner);
        return link.isPresent() ? link : parts.membership().node(owner).flatMap(links::to);
    }

    private void deliverHere(CallAttempt attempt, ShardRow row) {
        Call call = attempt.call();
        long remaining = call.deadlineNanos() - parts.clock().nanoTime();
        Envelope envelope = call.envelope();
        if (call.isIdempotent()) {
            // A later attempt must not see what a handler of this one did to the body.
            envelope = envelope.copy();
        }
        OwnerDelivery delivery = new OwnerDelivery(
                envelope.routed(row.epoch(), Math.max(1, remaining / 1_000_000)), call.deadlineNanos(), attempt::ended);
        attempt.deliveredAs(delivery);
        receivers[envelope.to().loop(receivers.length)].submit(delivery);
    }

    private void ask(CallAttempt attempt, ShardRow row, PeerLink link) {
        Envelope envelope = attempt.call().envelope();
        Duration remaining =
                Duration.ofNanos(attempt.call().deadlineNanos() - parts.clock().nanoTime());
        long shortened = Math.max(1, BudgetLadder.forNextHop(remaining).toMillis());
        attempt.goesOver(link);
        long id = link.ask(envelope.routed(row.epoch(), shortened), replyLoop(envelope.to()), attempt);
        if (id != 0) {
            attempt.waitsAt(link, id);
        }
    }

    // Answers come back on the loop that asked, where it is a hub loop: then they need no further hop.
    private int replyLoop(MeshAddress address) {
        Context current = Vertx.currentContext();
        int own = current == null ? -1 : parts.loops().indexOf(current);
        return own >= 0 ? own : address.loop(receivers.length);
    }

    /** Sends a message that nobody waits for; one that cannot be delivered is counted. */
    void tell(Envelope envelope) {
        int shard = envelope.to().shard();
        if (!claims.isEmpty() && claims.join(shard, new Told(envelope))) {
            return;
        }
        if (!told(envelope, parts.shards().row(shard))) {
            claims.claim(shard, new Told(envelope));
        }
    }

    private final class Told implements Claims.Waiter {
        private final Envelope envelope;

        Told(Envelope envelope) {
            this.envelope = envelope;
        }

        @Override
        public int size() {
            return envelope.body().sizeHint();
        }

        @Override
        public void overloaded(Places.Taken place) {
            parts.metrics().count("mesh.overloaded", "bound", place.bound("held"));
            parts.metrics().count("mesh.notify.dropped");
        }

        @Override
        public void owned(ShardRow row) {
            if (!told(envelope, row)) {
                unowned("no owner that is up");
            }
        }

        @Override
        public void unowned(String reason) {
            parts.metrics().count("mesh.notify.dropped");
        }
    }

    private boolean told(Envelope envelope, ShardRow row) {
        String owner = row.owner();
        Envelope routed = envelope.routed(row.epoch(), envelope.deadlineMs());
        if (incarnation.equals(owner)) {
            long deadline = parts.clock().nanoTime()
                    + Duration.ofMillis(envelope.deadlineMs()).toNanos();
            receivers[envelope.to().loop(receivers.length)].submit(new OwnerDelivery(routed, deadline, this::toldTo));
            return true;
        }
        Optional<PeerLink> link = owner == null ? Optional.empty() : linkTo(owner);
        if (link.isPresent() && !link.get().tell(routed)) {
            parts.metrics().count("mesh.notify.dropped");
        }
        return link.isPresent();
    }

    private void toldTo(Outcome outcome) {
        if (!(outcome instanceof Outcome.Accepted)) {
            parts.metrics().count("mesh.notify.dropped");
        }
    }

    void onReleased(Consumer<MeshAddress> listener) {
        resting.onWake(listener);
    }

    void released(MeshAddress address, ActivationId activation) {
        resting.wakeAddress(address);
        Set<String> refused = refusals.remove(address);
        if (refused != null) {
            refused.forEach(peer -> links.find(peer)
                    .ifPresent(link ->
                            link.post(address.loop(link.peer().loops()), new Frame.Released(address, activation))));
        }
    }

    /** Whether this node has given its last answer. */
    boolean isStopped() {
        return stopped;
    }

    int inFlight() {
        return links.all().stream().mapToInt(PeerLink::inFlight).sum();
    }

    private long sum(ToLongFunction<PeerLink> number) {
        return links.all().stream().mapToLong(number).sum();
    }

    /** Messages that wait for the owner or the row of their shard. */
    int held() {
        return held.count();
    }

    int restingCalls() {
        return resting.size();
    }

    @Override
    public Future<ShardRow> refresh(int shard) {
        return parts.shards().refresh(shard);
    }

    @Override
    public ShardRow row(int shard) {
        return parts.shards().row(shard);
    }

    @Override
    public void riding(Call call) {
        resting.add(call);
    }

    @Override
    public boolean begun(Call call) {
        open.add(call, call.deadlineNanos());
        return !stopped;
    }

    @Override
    public void ended(Call call) {
        open.remove(call);
    }

    @Override
    public void rodeOut(Call call) {
        resting.remove(call);
    }

    /** Where calls of that context take their replies; null where any thread will do. */
    @Nullable
    Home home(ContextInternal caller) {
        if (!caller.isEventLoopContext()) {
            return null;
        }
        Home known = homes.get(caller.nettyEventLoop());
        return known != null
                ? known
                : homes.computeIfAbsent(caller.nettyEventLoop(), loop -> new Home(caller.unwrap()));
    }

    @Override
    public String node() {
        return parts.membership().self().name();
    }

    @Override
    public NodeInfo self() {
        return parts.membership().self();
    }

    @Override
    public Activator activator() {
        return activator;
    }
}
