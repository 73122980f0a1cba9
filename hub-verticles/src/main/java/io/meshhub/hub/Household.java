package io.meshhub.hub;

import io.meshhub.hub.life.DisposalBounds;
import io.meshhub.hub.life.HostedCall;
import io.meshhub.hub.life.HubContexts;
import io.meshhub.hub.life.HubLife;
import io.meshhub.hub.life.HubServices;
import io.meshhub.hub.life.OwnCalls;
import io.meshhub.routing.ActivationId;
import io.meshhub.routing.CallScope;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MessageType;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What only some activations have: a host, hosted hubs, requests of their own under way, reasons to stay awake. Most have
 * none, and none of these. Touched only on the loop, but for {@link #calls}.
 */
final class Household {

    private record Member(String kind, Handle handle) {}

    private final Activation head;
    private final HubLoop loop;
    private final @Nullable Activation host;
    private final Promise<Void> dead = Promise.promise();
    private final Map<String, Member> members = new LinkedHashMap<>(2);
    private Map<String, Supplier<? extends HubVerticle>> kinds = Map.of();
    private List<BooleanSupplier> wakeful = List.of();
    private long awakeUntil;
    private volatile @Nullable OwnCalls calls;

    Household(Activation head, HubLoop loop, @Nullable Activation host) {
        this.head = head;
        this.loop = loop;
        this.host = host;
        this.awakeUntil = loop.now();
    }

    /** The hub that hosts this one; null for one that has an address of the mesh. */
    @Nullable
    Activation host() {
        return host;
    }

    void settle(HubSetup setup) {
        kinds = Map.copyOf(setup.hosted());
        wakeful = List.copyOf(setup.wakeful());
    }

    /** Keeps the hub awake while the condition holds as well; on its loop. */
    void alsoAwakeWhile(BooleanSupplier condition) {
        List<BooleanSupplier> more = new ArrayList<>(wakeful);
        more.add(condition);
        wakeful = List.copyOf(more);
    }

    /** The mesh as this activation sends with it. */
    synchronized OwnCalls calls() {
        OwnCalls own = calls;
        if (own == null) {
            own = new OwnCalls(
                    loop.services().mesh().get(),
                    head::refusal,
                    this::barred,
                    // In a turn of its own: whoever waits for the answer hears it first.
                    () -> loop.post(head::checkDrained));
            calls = own;
        }
        return own;
    }

    // Asked before anything leaves: a hub without the right to serve must not act on others either.
    private @Nullable MeshException barred() {
        if (head.phase().compareTo(HubLife.Phase.CLOSING) >= 0) {
            // Also one that never asked anything while it lived.
            return head.refusal();
        }
        return loop.isLeased()
                ? null
                : Unavailable.notSent(head.address(), head.node(), "the node of the sender holds no lease");
    }

    /** Whether nothing that the hub asked is under way; if something is, the hub is told of its end. */
    boolean isAnswered() {
        if (pendingCalls() == 0) {
            return true;
        }
        calls().await();
        // Asked once more after it is said that somebody waits: the last answer may come in between.
        return pendingCalls() == 0;
    }

    /** Whether the hub ever asked something. */
    boolean hasCalls() {
        return calls != null;
    }

    /** Requests of the hub itself that are under way. */
    int pendingCalls() {
        OwnCalls own = calls;
        return own == null ? 0 : own.pending();
    }

    /** The hosted hub of that name; wakes one where none lives. */
    HostedHub host(String kind, String name) {
        if (!loop.isCurrent()) {
            throw new IllegalStateException(
                    "hub " + head.address() + " can host '" + name + "' only from its own event loop");
        }
        Supplier<? extends HubVerticle> factory = kinds.get(kind);
        if (factory == null) {
            throw new IllegalArgumentException("hub " + head.address() + " hosts no hubs of kind '" + kind
                    + "'; it registered " + kinds.keySet() + " in its setup");
        }
        Member there = members.get(name);
        if (there != null) {
            if (!there.kind.equals(kind)) {
                throw new IllegalArgumentException("hub " + head.address() + " hosts a hub of kind '" + there.kind
                        + "' under the name '" + name + "', and none of kind '" + kind + "'");
            }
            return there.handle;
        }
        requireMayHost(name);
        MeshAddress address = MeshAddress.of(head.address() + "/" + name);
        if (address.segments().size() != head.address().segments().size() + 1) {
            throw Rejected.message(head.address(), "the name '" + name + "' of a hosted hub must be one segment");
        }
        var refusal = loop.backoffs().refusal(address, loop.now());
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        Activation child = loop.hosted(address, nextId(name), head);
        Handle handle = new Handle(child, loop, child.household().dead.future());
        members.put(name, new Member(kind, handle));
        child.begin(factory, List.of());
        return handle;
    }

    // The end of a hub is known here before its level changes.
    private void requireMayHost(String name) {
        for (Activation each = head; each != null; each = each.host()) {
            if (!each.mayHost()) {
                throw HubDisposing.at(head.address(), name, each.address(), each.level());
            }
        }
    }

    // Under the epoch of the root, with which it lives and dies.
    private ActivationId nextId(String name) {
        return loop.nextId(head.shard(), head.activation().epoch())
                .orElseThrow(() -> HubDisposing.at(head.address(), name, head.address(), head.level()));
    }

    /** A hub that is hosted here is dead. */
    void left(Activation child) {
        members.values().removeIf(member -> member.handle.child == child);
    }

    /** Holds nothing of the hub any more. */
    void letGo() {
        kinds = Map.of();
        wakeful = List.of();
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    /** The addresses of the hubs that are hosted here now. */
    List<MeshAddress> hosted() {
        List<MeshAddress> addresses = new ArrayList<>(members.size());
        members.values().forEach(member -> addresses.add(member.handle.address()));
        return addresses;
    }

    /** Begins the disposal of all of them, each within these bounds. */
    void dispose(DisposalBounds bounds) {
        for (Member member : List.copyOf(members.values())) {
            member.handle.child.end("its host is ending", false, bounds);
        }
    }

    /** Tears down those that are left, now. */
    void force() {
        for (Member member : List.copyOf(members.values())) {
            member.handle.child.cut("its host was torn down");
        }
    }

    /** This one, a hosted hub, is dead. */
    void completed() {
        dead.tryComplete();
    }

    /** Keeps the hub awake for so long, or for as long as can be granted; any thread. */
    Duration keepAlive(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("time = " + time + " must be > 0");
        }
        Duration cap = loop.options().keepAliveCap();
        Duration granted = time.compareTo(cap) < 0 ? time : cap;
        loop.execute(() -> awakeFor(granted));
        return granted;
    }

    private void awakeFor(Duration time) {
        long until = loop.now() + time.toNanos();
        if (until - awakeUntil > 0) {
            awakeUntil = until;
        }
    }

    /** Until when the hub asked to stay awake; in the past when it did not. */
    long awakeUntil() {
        return awakeUntil;
    }

    /** Whether something keeps the hub busy that is no message of its own. */
    boolean isBusy() {
        if (pendingCalls() > 0) {
            return true;
        }
        for (Member member : members.values()) {
            if (member.handle.child.isBusy()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the hub, or one that it hosts, says that it is in use, without a message. */
    boolean isWakeful() {
        for (BooleanSupplier each : wakeful) {
            Future<?> said = HubContexts.call(head.context(), () -> Future.succeededFuture(each.getAsBoolean()));
            if (said.failed()) {
                // What cannot say so does not hold the hub for ever.
                loop.metrics().fault("What keeps a hub awake", head.hubClass(), said.cause());
            } else if (Boolean.TRUE.equals(said.result())) {
                return true;
            }
        }
        for (Member member : members.values()) {
            if (member.handle.child.isWakeful()) {
                return true;
            }
        }
        return false;
    }

    private record Handle(Activation child, HubLoop loop, Future<Void> whenDead) implements HostedHub {

        @Override
        public MeshAddress address() {
            return child.address();
        }

        @Override
        public ActivationId activation() {
            return child.activation();
        }

        @Override
        public RunLevel level() {
            return child.level();
        }

        @Override
        public Future<Void> dispose(String reason) {
            return child.dispose(reason);
        }

        @Override
        public <R> Future<R> request(@Nullable Object message, Class<R> replyType, MeshOptions options) {
            return ask(message, options, Verb.REQUEST).compose(body -> {
                try {
                    return Future.succeededFuture(body.as(replyType).orElse(null));
                } catch (IllegalArgumentException e) {
                    return Future.failedFuture(Rejected.message(address(), "its reply is " + e.getMessage()));
                }
            });
        }

        @Override
        public Future<Void> send(@Nullable Object message, MeshOptions options) {
            return ask(message, options, Verb.SEND).mapEmpty();
        }

        private Future<MeshBody> ask(@Nullable Object message, MeshOptions options, Verb verb) {
            MeshBody body;
            try {
                body = MeshBody.of(message);
            } catch (IllegalArgumentException | IllegalStateException e) {
                return Future.failedFuture(Rejected.message(address(), "its body cannot be taken: " + e.getMessage()));
            }
            HubServices services = loop.services();
            CallScope scope = CallScope.current();
            Envelope envelope = new Envelope(
                    address(),
                    options.type().orElseGet(() -> MessageType.Names.ofBody(body)),
                    body,
                    verb,
                    options.from().orElse(null),
                    options.deadline().orElse(services.budgets().request()).toMillis(),
                    0,
                    options.principal().orElse(scope.principal()),
                    options.correlationId().orElse(scope.correlationId()),
                    scope.traceparent(),
                    activation().epoch());
            ContextInternal context = ContextInternal.current();
            Promise<MeshBody> promise = context == null ? Promise.promise() : context.promise();
            HostedCall call = HostedCall.begin(envelope, child.node(), promise, services.clock(), services.pacer());
            loop.execute(() -> child.deliver(call));
            return call.answer();
        }
    }
}
