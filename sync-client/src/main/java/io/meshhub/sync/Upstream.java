package io.meshhub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.meshhub.sync.protocol.LatchEvent;
import io.meshhub.sync.protocol.LatchState;
import io.meshhub.sync.protocol.Mirror;
import io.meshhub.sync.protocol.Subscribe;
import io.meshhub.sync.protocol.Subscribed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one subscription of this process to a view of an address on behalf of one principal, for any number of local
 * streams: asks when its {@link SharedLatch} says so, and takes frames into its {@link Mirror}. Touched only on the
 * client's context, but for what is seen.
 */
final class Upstream {

    private static final MeshOptions ONE_TRY =
            MeshOptions.DEFAULT.withRideOut(false).withIdempotent(true);

    private final SyncClient client;
    private final WatchKey key;
    private final String id;
    private final Writes writes;
    private final Set<LocalStream<?>> locals = new LinkedHashSet<>();
    private SharedLatch latch;
    private Mirror mirror = Mirror.empty();
    private Pacer.Cancellable release = Pacer.Cancellable.NONE;
    // A frame is missing, or a version that was announced: the owner is to be asked although it holds the stream.
    private boolean gap;
    private long lacking;
    private boolean wasHeld;
    private @Nullable MeshCall<MeshReply> ask;
    private @Nullable Subscribed owner;
    private @Nullable OwnerLink link;
    private @Nullable ActivationId gone;
    // What it was refused with by itself, while an owner holds others.
    private @Nullable MeshException refusal;
    private SyncState.@Nullable Ended end;
    // Since its owner is known to hold it no more.
    private SyncState.@Nullable RidingOut lost;
    private SyncState.@Nullable RidingOut silence;
    private volatile OptionalLong heard = OptionalLong.empty();
    private volatile @Nullable OwnerLink linkSeen;
    private volatile Seen seen = Seen.NOTHING;

    Upstream(SyncClient client, WatchKey key, String id, SharedLatch latch) {
        this.client = client;
        this.key = key;
        this.id = id;
        this.latch = latch;
        this.writes = new Writes(client, key, id);
    }

    WatchKey key() {
        return key;
    }

    String id() {
        return id;
    }

    Seen seen() {
        return seen;
    }

    SharedLatch latch() {
        return latch;
    }

    /** The version of the owner's state that has been received; 0 when none has. */
    long version() {
        return mirror.version();
    }

    /** Whether nobody here watches it now. */
    boolean isIdle() {
        return locals.isEmpty();
    }

    /** Whether an owner holds it, as far as is known. */
    boolean isHeld() {
        return owner != null && lost == null;
    }

    /** Whether that activation holds it, as far as is known. */
    boolean isHeldBy(ActivationId activation) {
        Subscribed holder = owner;
        return holder != null && lost == null && holder.activation().equals(activation);
    }

    /** Whether any owner ever did. */
    boolean wasHeld() {
        return wasHeld;
    }

    /** Whether its owner is to be asked: none holds it, or it lacks what was sent. */
    boolean needsAsk() {
        return !isHeld() || gap || lacking > mirror.version();
    }

    boolean isLive() {
        return seen.state() instanceof SyncState.Live;
    }

    /** The incarnation of the process that holds the stream; empty when none is known to. */
    Optional<String> ownerProcess() {
        return Optional.ofNullable(owner).map(Subscribed::process);
    }

    Optional<Duration> age() {
        OptionalLong last = heard;
        if (last.isEmpty()) {
            return Optional.empty();
        }
        OwnerLink over = linkSeen;
        long answered = over == null ? last.getAsLong() : over.answeredAfter(last.getAsLong());
        return Optional.of(Duration.ofNanos(Math.max(0, client.now() - answered)));
    }

    void attach(LocalStream<?> local) {
        release.cancel();
        locals.add(local);
        client.feed().watch(this);
        local.attached(this);
    }

    void detach(LocalStream<?> local) {
        if (locals.remove(local) && locals.isEmpty() && end == null) {
            client.feed().unwatch(this);
            if (client.options().idleRelease().isZero() || latch.isDormant()) {
                close();
            } else {
                release = client.after(client.options().idleRelease(), () -> {
                    if (locals.isEmpty()) {
                        close();
                    }
                });
            }
        }
    }

    /** Ends it, since nobody here wants it. */
    void close() {
        finish(new SyncState.Ended(SyncState.Reason.CLOSED, Optional.empty()));
    }

    /**
     * No beat, and no owner; one that never had any ends with the verdict.
     *
     * @param verdict that the address does not exist; null when it may
     */
    void sleep(@Nullable MeshException verdict) {
        letGo();
        cancelAsk();
        gap = false;
        lacking = 0;
        lost = null;
        refusal = null;
        if (locals.isEmpty()) {
            close();
        } else if (verdict != null && !wasHeld) {
            finish(new SyncState.Ended(SyncState.Reason.NOT_FOUND, Optional.of(verdict)));
        }
    }

    /** Shares another latch from now on. */
    void moveTo(SharedLatch other) {
        SharedLatch before = latch;
        latch = other;
        before.remove(this);
        other.add(this);
    }

    /** Leaves those that watch it to another one of the same view, and ends. */
    void joinTo(Upstream other) {
        List<LocalStream<?>> all = List.copyOf(locals);
        locals.clear();
        all.forEach(other::attach);
        client.feed().unwatch(this);
        close();
    }

    /** Ends it, in that way. */
    void finish(SyncState.Ended how) {
        if (end != null) {
            return;
        }
        end = how;
        release.cancel();
        Subscribed holder = owner;
        letGo();
        if (holder != null && how.reason() != SyncState.Reason.COMPLETED) {
            client.unsubscribe(holder.place(), key.address(), id);
        }
        cancelAsk();
        client.feed().unwatch(this);
        client.upstreams().over(this);
        show();
        locals.clear();
        latch.remove(this);
    }

    private void cancelAsk() {
        MeshCall<MeshReply> outstanding = ask;
        if (outstanding != null) {
            ask = null;
            outstanding.cancel();
        }
    }

    private void letGo() {
        OwnerLink over = link;
        if (over != null) {
            over.remove(this);
            link = null;
            linkSeen = null;
        }
        owner = null;
    }

    /** Asks for the stream now; whatever comes of it is told to the latch. */
    void ask() {
        client.count("sync.subscribes");
        Subscribe terms = new Subscribe(id, client.incarnation(), client.place(), key.view());
        MeshCall<MeshReply> call = client.ask(key.address(), Subscribe.TYPE, terms.toJson(), key.principal(), ONE_TRY);
        ask = call;
        call.answer()
                .onComplete((reply, cause) -> client.execute(() -> {
                    boolean wanted = ask == call;
                    if (wanted) {
                        ask = null;
                    }
                    if (reply != null) {
                        accepted(reply, wanted);
                    } else if (wanted) {
                        refused(cause);
                    }
                }));
    }

    private void accepted(MeshReply reply, boolean wanted) {
        Subscribed by;
        try {
            by = Subscribed.read(reply.body().as(JsonObject.class).orElseThrow());
        } catch (RuntimeException e) {
            if (wanted) {
                refused(e);
            }
            return;
        }
        if (!wanted) {
            client.unsubscribe(by.place(), key.address(), id);
            return;
        }
        letGo();
        owner = by;
        heard = OptionalLong.of(client.now());
        silence = null;
        refusal = null;
        gap = false;
        lacking = 0;
        wasHeld = true;
        ActivationId last = gone;
        if (last == null || by.activation().compareTo(last) > 0) {
            lost = null;
            OwnerLink over = client.link(by);
            if (over != null) {
                link = over;
                linkSeen = over;
                over.add(this, by.beatInterval());
            }
        }
        latch.accepted(this, by.activation());
    }

    private void refused(Throwable cause) {
        latch.refused(this, MeshFailures.classify(cause, key.address(), client.node()));
    }

    /** It was refused by itself. */
    void refusedWith(MeshException failure) {
        refusal = failure;
    }

    /** An owner has accepted a stream of the address: one before it that held this one holds it no more. */
    void ownedBy(ActivationId activation) {
        Subscribed holder = owner;
        if (holder != null && holder.activation().compareTo(activation) < 0) {
            lost("Hub " + key.address() + " (" + holder.activation() + ") is no longer its owner");
        }
    }

    /** A version was announced, which it may not have received. */
    void lacks(long version) {
        lacking = version;
    }

    /** The owner says something. */
    void frame(Frame frame) {
        if (end != null) {
            return;
        }
        heard = OptionalLong.of(client.now());
        silence = null;
        Mirror.Step step = mirror.on(frame, writes.standing(frame));
        mirror = step.mirror();
        if (mirror.isLast()) {
            finish(new SyncState.Ended(SyncState.Reason.COMPLETED, Optional.empty()));
        } else if (step.effect() == Mirror.Effect.GAP) {
            client.count("sync.gaps");
            gap = true;
            latch.on(new LatchEvent.Gap(client.now()));
        } else {
            show();
        }
    }

    /** Makes a change to the owner's state; see {@link Writes#submit}. */
    Future<Object> update(Function<@Nullable Object, Future<Object>> change) {
        return writes.submit(queue -> end == null ? Optional.of(mirror) : Optional.empty(), change);
    }

    /** The owner no longer holds the stream. */
    void goodbye(Goodbye goodbye) {
        Subscribed holder = owner;
        if (holder != null && goodbye.activation().compareTo(holder.activation()) < 0) {
            // A former owner goes: the present one is none of its business.
            return;
        }
        MeshException verdict = goodbye.verdict();
        if (verdict == null) {
            ActivationId last = gone;
            gone = last == null || goodbye.activation().compareTo(last) > 0 ? goodbye.activation() : last;
            lost("Hub " + key.address() + " is shutting down (runLevel=" + goodbye.level() + ", " + goodbye.activation()
                    + ") and has let the stream go: " + goodbye.reason());
            latch.on(new LatchEvent.Goodbye(goodbye.activation(), client.now()));
        } else if (verdict instanceof NotFound && verdict.isVerdictAbout(key.address())) {
            latch.missing(verdict);
        } else {
            finish(new SyncState.Ended(SyncState.Reason.FAILED, Optional.of(verdict)));
        }
    }

    /** Makes no more of the changes that wait; see {@link Writes#cut}. */
    void cutWrites() {
        writes.cut();
    }

    private void leaveLink() {
        OwnerLink over = link;
        if (over != null) {
            OptionalLong last = heard;
            if (last.isPresent()) {
                heard = OptionalLong.of(over.answeredAfter(last.getAsLong()));
            }
            over.remove(this);
            link = null;
            linkSeen = null;
        }
    }

    /**
     * Its owner is known to hold it no more.
     *
     * @param why for people
     */
    void lost(String why) {
        leaveLink();
        silence = null;
        lost = SyncStates.lost(why);
    }

    /** What a beat says of the stream; empty when nobody holds it. */
    Optional<Beat.Entry> beat() {
        Subscribed holder = owner;
        if (holder == null) {
            return Optional.empty();
        }
        boolean follows =
                mirror.activation().filter(holder.activation()::equals).isPresent() && !mirror.isWaiting();
        return Optional.of(new Beat.Entry(key.address(), id, holder.activation(), follows ? mirror.sequence() : 0));
    }

    /** A beat of the stream got no answer: what it shows may no longer be what its owner has. */
    void unheard(Beat.Entry entry, long sent, String why, OptionalLong nextBeat) {
        boolean since = heard.isPresent() && heard.getAsLong() - sent > 0;
        if (isOf(entry) && !since) {
            silence = SyncStates.silent(key, entry.activation(), why, nextBeat, client.clock());
            show();
        }
    }

    /** A beat of the stream was answered by the process that holds it. */
    void alive(Beat.Entry entry) {
        if (silence != null && isOf(entry)) {
            silence = null;
            show();
        }
    }

    /** Whether the entry is about the owner that holds the stream now. */
    boolean isOf(Beat.Entry entry) {
        return owner != null && owner.activation().equals(entry.activation());
    }

    // What it says of itself where it is sound, or the latch says nothing; else what the latch says.
    private SyncState state(boolean known) {
        LatchState all = latch.state();
        boolean passing = all instanceof LatchState.Live || all instanceof LatchState.Connecting;
        if (!passing && needsAsk()) {
            return SyncStates.of(all, latch.refusal(), client.clock());
        }
        if (lost != null) {
            return lost;
        }
        if (refusal != null) {
            return SyncStates.refused(refusal);
        }
        if (owner == null || !known) {
            return new SyncState.Connecting();
        }
        return silence == null ? new SyncState.Live() : silence;
    }

    /** Tells those who watch what is to be seen now. */
    void show() {
        boolean known = mirror.document().isPresent();
        Object value = mirror.value().orElse(null);
        SyncState.Ended over = end;
        SyncState state = over == null ? state(known) : over;
        Seen next = new Seen(known, value, value != null, mirror.version(), state);
        if (!next.equals(seen)) {
            seen = next;
            List.copyOf(locals).forEach(local -> local.take(next));
            if (isLive()) {
                client.upstreams().live(this);
            }
        }
    }
}
