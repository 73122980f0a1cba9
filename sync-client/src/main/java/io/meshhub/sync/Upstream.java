package io.meshhub.sync;

import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.MeshFailures;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Beat;
import io.meshhub.sync.protocol.Frame;
import io.meshhub.sync.protocol.Goodbye;
import io.meshhub.sync.protocol.Latch;
import io.meshhub.sync.protocol.LatchCommand;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one subscription of this process to a view of an address on behalf of one principal, for any number of local
 * streams: performs what its {@link Latch} commands, and takes frames into its {@link Mirror}. Touched only on the client's context, but for what is seen.
 */
final class Upstream {

    private static final Logger LOG = LoggerFactory.getLogger(SyncClient.class);
    private static final MeshOptions ONE_TRY =
            MeshOptions.DEFAULT.withRideOut(false).withIdempotent(true);

    private final SyncClient client;
    private final WatchKey key;
    private final String id;
    private final Writes writes;
    private final Set<LocalStream<?>> locals = new LinkedHashSet<>();
    private Latch latch;
    private Mirror mirror = Mirror.empty();
    private Pacer.Cancellable rest = Pacer.Cancellable.NONE;
    private Pacer.Cancellable release = Pacer.Cancellable.NONE;
    private Pacer.Cancellable announcement = Pacer.Cancellable.NONE;
    private long announced;
    private Duration spread = Duration.ZERO;
    private @Nullable MeshCall<MeshReply> ask;
    private @Nullable Subscribed owner;
    private @Nullable OwnerLink link;
    private @Nullable MeshException refusal;
    private SyncState.@Nullable Ended end;
    private SyncState.@Nullable RidingOut silence;
    private volatile OptionalLong heard = OptionalLong.empty();
    private volatile @Nullable OwnerLink linkSeen;
    private volatile Seen seen = Seen.NOTHING;

    Upstream(SyncClient client, WatchKey key, String id) {
        this.client = client;
        this.key = key;
        this.id = id;
        this.writes = new Writes(client, key, id);
        this.latch = Latch.firstAsk(key.address(), client.options().latch());
    }

    /** Makes the first ask. */
    void begin() {
        ask(1);
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

    boolean isEnded() {
        return end != null;
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
            if (client.options().idleRelease().isZero() || latch.state() instanceof LatchState.Dormant) {
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
        on(new LatchEvent.Dispose());
    }

    /** Something happened. */
    void on(LatchEvent event) {
        if (end != null) {
            return;
        }
        // What nobody watches any more is kept while it is sound, and wakes no owner.
        boolean idle = locals.isEmpty() && !(event instanceof LatchEvent.Subscribed);
        Latch.Step step = latch.on(idle ? new LatchEvent.Dispose() : event);
        latch = step.latch();
        perform(step.command());
        show();
    }

    private void perform(LatchCommand command) {
        if (command instanceof LatchCommand.Ask next) {
            rest.cancel();
            if (spread.isZero()) {
                client.turns().take(this, next.attempt());
            } else {
                rest = client.after(spread, () -> client.turns().take(this, next.attempt()));
            }
        } else if (command instanceof LatchCommand.Rest until) {
            rest.cancel();
            Duration time = Duration.ofNanos(until.untilNanos() - client.now());
            rest = client.after(time, () -> on(new LatchEvent.Rested(mirror.version(), client.now())));
        } else if (command instanceof LatchCommand.GiveUp warning) {
            LOG.warn("{}", SyncStates.givenUp(key, warning, client.node()));
            client.count("sync.given-up");
            sleep();
        } else if (command instanceof LatchCommand.Dormant) {
            sleep();
        } else if (command instanceof LatchCommand.End last) {
            finish(new SyncState.Ended(SyncStates.reason(last.reason()), Optional.ofNullable(last.cause())));
        }
        // AwaitDisposal: the end of every disposal in this process is told to the latch anyway.
    }

    // No timer and no beat; who comes now begins anew.
    private void sleep() {
        rest.cancel();
        announcement.cancel();
        letGo();
        client.asleep(this);
        if (locals.isEmpty()) {
            close();
        }
    }

    private void finish(SyncState.Ended how) {
        if (end != null) {
            return;
        }
        end = how;
        rest.cancel();
        release.cancel();
        announcement.cancel();
        Subscribed holder = owner;
        letGo();
        if (holder != null && how.reason() != SyncState.Reason.COMPLETED) {
            client.unsubscribe(holder.place(), key.address(), id);
        }
        MeshCall<MeshReply> outstanding = ask;
        if (outstanding != null) {
            ask = null;
            outstanding.cancel();
        }
        client.over(this);
        show();
        locals.clear();
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
    void ask(int attempt) {
        client.awake(this);
        client.count("sync.subscribes");
        Subscribe terms = new Subscribe(id, client.incarnation(), client.place(), key.view());
        MeshCall<MeshReply> call = client.ask(key.address(), Subscribe.TYPE, terms.toJson(), key.principal(), ONE_TRY);
        ask = call;
        call.answer()
                .onComplete((reply, cause) -> client.execute(() -> {
                    client.turns().ended(attempt);
                    if (ask == call) {
                        ask = null;
                    }
                    if (reply != null) {
                        accepted(attempt, reply);
                    } else {
                        refused(attempt, cause);
                    }
                }));
    }

    private void accepted(int attempt, MeshReply reply) {
        Subscribed by;
        try {
            by = Subscribed.read(reply.body().as(JsonObject.class).orElseThrow());
        } catch (RuntimeException e) {
            refused(attempt, e);
            return;
        }
        if (end != null) {
            client.unsubscribe(by.place(), key.address(), id);
            return;
        }
        letGo();
        owner = by;
        heard = OptionalLong.of(client.now());
        silence = null;
        refusal = null;
        OwnerLink over = client.link(by);
        if (over != null) {
            link = over;
            linkSeen = over;
            over.add(this, by.beatInterval());
        }
        on(new LatchEvent.Subscribed(attempt, by.activation(), client.now()));
    }

    private void refused(int attempt, Throwable cause) {
        MeshException failure = MeshFailures.classify(cause, key.address(), client.node());
        refusal = failure;
        // One that is dead already completes nothing any more that could be waited for.
        boolean local = failure instanceof ShuttingDown
                && failure.node().filter(client.node()::equals).isPresent()
                && failure.runLevel().filter(level -> level != RunLevel.DEAD).isPresent();
        client.count("sync.refusals");
        on(new LatchEvent.Refused(
                attempt, failure, local, ThreadLocalRandom.current().nextDouble(), client.now()));
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
            on(new LatchEvent.Gap(client.now()));
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
            leaveLink();
            on(new LatchEvent.Goodbye(goodbye.activation(), client.now()));
        } else if (verdict instanceof NotFound && verdict.isVerdictAbout(key.address())) {
            missing(verdict);
        } else {
            finish(new SyncState.Ended(SyncState.Reason.FAILED, Optional.of(verdict)));
        }
    }

    private void missing(MeshException verdict) {
        on(new LatchEvent.Refused(Latch.STRAY, verdict, false, 0, client.now()));
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

    /** The address can wake again. What does not exist is not there for that. */
    void released() {
        boolean missing =
                latch.state() instanceof LatchState.Dormant dormant && dormant.reason() == LatchState.Reason.NOT_FOUND;
        if (!missing) {
            on(new LatchEvent.Wake(client.now()));
        }
    }

    /**
     * The process that held the stream is gone.
     *
     * @param wait how long it is not looked for yet, if it would be at once
     */
    void nodeLost(Duration wait) {
        leaveLink();
        spread = wait;
        on(new LatchEvent.NodeLost(client.now()));
        spread = Duration.ZERO;
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

    /** What the node said of the stream in answer to a beat of it. */
    void beaten(Beat.Entry entry, Beat.Status status) {
        if (!isOf(entry)) {
            return;
        }
        leaveLink();
        if (status == Beat.Status.NOT_FOUND) {
            missing(NotFound.noNode(key.address(), client.node()));
        } else {
            on(new LatchEvent.UnknownHere(client.now()));
        }
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

    /** The change feed says that the address has that version. */
    void announced(long version) {
        announced = Math.max(announced, version);
        if (!(seen.state() instanceof SyncState.Live) && silence == null) {
            on(new LatchEvent.Announced(announced, mirror.version(), client.now()));
            return;
        }
        // The owner's frame says the same, mostly a moment later.
        announcement.cancel();
        announcement = client.after(client.options().latch().policy().pace(), () -> {
            if (announced > mirror.version()) {
                on(new LatchEvent.Announced(announced, mirror.version(), client.now()));
            }
        });
    }

    /** The address may have been created again, and whether it was cannot be found out here. */
    void unsure() {
        if (latch.state() instanceof LatchState.Dormant || latch.state() instanceof LatchState.RidingOut) {
            on(new LatchEvent.Wake(client.now()));
        }
    }

    private void show() {
        boolean known = mirror.document().isPresent();
        Object value = mirror.value().orElse(null);
        SyncState.Ended over = end;
        SyncState state = over == null ? SyncStates.of(latch.state(), known, refusal, client.clock()) : over;
        if (silence != null && state instanceof SyncState.Live) {
            state = silence;
        }
        Seen next = new Seen(known, value, value != null, mirror.version(), state);
        if (!next.equals(seen)) {
            seen = next;
            List.copyOf(locals).forEach(local -> local.take(next));
        }
    }
}
