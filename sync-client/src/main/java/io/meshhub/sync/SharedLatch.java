package io.meshhub.sync;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.sync.protocol.Latch;
import io.meshhub.sync.protocol.LatchCommand;
import io.meshhub.sync.protocol.LatchEvent;
import io.meshhub.sync.protocol.LatchState;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the streams of all views of one address, on behalf of one principal, find their owner: performs what their one
 * {@link Latch} commands. One of them asks for all; once the owner has accepted it, those that need it ask as well, one
 * after the other, so that one ask is outstanding. Touched only on the client's context.
 */
final class SharedLatch {

    private static final Logger LOG = LoggerFactory.getLogger(SyncClient.class);

    /** For whom a latch works. */
    record Key(MeshAddress address, @Nullable String principal) {

        static Key of(WatchKey key) {
            return new Key(key.address(), key.principal());
        }
    }

    private final SyncClient client;
    private final Key key;
    private final Set<Upstream> streams = new LinkedHashSet<>();
    private Latch latch;
    private Pacer.Cancellable rest = Pacer.Cancellable.NONE;
    private Pacer.Cancellable announcement = Pacer.Cancellable.NONE;
    private long announced;
    // The version of which the frames have their time to come; 0 when none has.
    private long awaited;
    private Duration spread = Duration.ZERO;
    private @Nullable MeshException refusal;
    private @Nullable Upstream asking;
    // The attempt of the latch that is being made; 0 when none is, and those who need it ask.
    private int attempt;
    // The attempt that waits for its turn; 0 when none does.
    private int due;
    private boolean queued;
    private boolean hasTurn;
    private boolean stepping;
    private boolean woken;
    private boolean over;

    SharedLatch(SyncClient client, Key key) {
        this.client = client;
        this.key = key;
        this.latch = Latch.firstAsk(key.address(), client.options().latch());
        this.attempt = 1;
    }

    Key key() {
        return key;
    }

    LatchState state() {
        return latch.state();
    }

    /** What the owner said last; null when it refused nothing. */
    @Nullable
    MeshException refusal() {
        return refusal;
    }

    /** All that share it. */
    List<Upstream> streams() {
        return List.copyOf(streams);
    }

    boolean isOver() {
        return over;
    }

    boolean isDormant() {
        return latch.state() instanceof LatchState.Dormant;
    }

    /** One stream more; it asks when it needs to and none other does. */
    void add(Upstream stream) {
        streams.add(stream);
        stream.show();
        next();
    }

    /** One stream less; the last one ends the latch. */
    void remove(Upstream stream) {
        if (!streams.remove(stream)) {
            return;
        }
        if (asking == stream) {
            asking = null;
        }
        if (streams.isEmpty()) {
            end();
        } else {
            next();
        }
    }

    private void end() {
        over = true;
        latch = latch.on(new LatchEvent.Dispose()).latch();
        rest.cancel();
        awaitNothing();
        leaveTurn();
        client.upstreams().over(this);
    }

    /** Something happened. */
    void on(LatchEvent event) {
        step(event);
        next();
    }

    private void step(LatchEvent event) {
        if (over) {
            return;
        }
        boolean slept = isDormant();
        if (slept && client.upstreams().isLookedFor(this)) {
            // One that came later looks for the same owner, and hears the same: it takes these streams along.
            woken |= event instanceof LatchEvent.Wake
                    || (event instanceof LatchEvent.Announced news && news.version() > news.received());
            return;
        }
        stepping = true;
        try {
            if (!(event instanceof LatchEvent.Subscribed)) {
                closeIdle();
            }
            if (!over) {
                Latch.Step step = latch.on(event);
                latch = step.latch();
                if (slept && !isDormant()) {
                    client.upstreams().awake(this);
                }
                perform(step.command());
                streams().forEach(Upstream::show);
            }
        } finally {
            stepping = false;
        }
    }

    // What nobody watches any more is kept while it is sound, and wakes no owner.
    private void closeIdle() {
        streams().stream()
                .filter(stream -> stream.isIdle() && stream.needsAsk())
                .forEach(Upstream::close);
    }

    private void perform(LatchCommand command) {
        if (command instanceof LatchCommand.Ask ask) {
            rest.cancel();
            due = ask.attempt();
            if (hasTurn) {
                beginAttempt();
            } else if (spread.isZero()) {
                queue();
            } else {
                rest = client.after(spread, this::queue);
            }
        } else if (command instanceof LatchCommand.Rest until) {
            rest.cancel();
            Duration time = Duration.ofNanos(until.untilNanos() - client.now());
            rest = client.after(time, () -> on(new LatchEvent.Rested(received(), client.now())));
        } else if (command instanceof LatchCommand.GiveUp warning) {
            LOG.warn("{}", SyncStates.givenUp(key.address(), warning, client.node()));
            client.count("sync.given-up");
            sleep(null);
        } else if (command instanceof LatchCommand.Dormant) {
            sleep(refusal);
        } else if (command instanceof LatchCommand.End last) {
            SyncState.Ended how =
                    new SyncState.Ended(SyncStates.reason(last.reason()), Optional.ofNullable(last.cause()));
            streams().forEach(stream -> stream.finish(how));
        }
        // AwaitDisposal: the end of every disposal in this process is told to the latch anyway.
    }

    // No timer and no beat; who comes now begins anew. The verdict ends those that never had an owner.
    private void sleep(@Nullable MeshException verdict) {
        rest.cancel();
        awaitNothing();
        asking = null;
        attempt = 0;
        due = 0;
        leaveTurn();
        streams().forEach(stream -> stream.sleep(verdict));
        if (!over) {
            client.upstreams().asleep(this);
        }
    }

    private void queue() {
        if (!queued) {
            queued = true;
            client.turns().take(this);
        }
    }

    /** Its turn has come, which ends when nothing is left to be asked. */
    void turn() {
        queued = false;
        hasTurn = true;
        beginAttempt();
        next();
    }

    private void beginAttempt() {
        if (due > 0) {
            attempt = due;
            due = 0;
        }
    }

    private void leaveTurn() {
        if (hasTurn) {
            hasTurn = false;
            client.turns().ended();
        }
    }

    // Who asks now, if nobody does: one for the latch, or one that needs it while the latch is at rest with an owner.
    private void next() {
        if (over || stepping || asking != null) {
            return;
        }
        if (attempt == 0 && !latch.isSettled()) {
            leaveTurn();
            return;
        }
        stepping = true;
        closeIdle();
        stepping = false;
        if (over) {
            return;
        }
        Upstream needs = streams.stream().filter(Upstream::needsAsk).findFirst().orElse(null);
        if (attempt > 0) {
            askForAll(needs);
        } else if (needs == null) {
            leaveTurn();
        } else if (hasTurn || !needs.wasHeld()) {
            ask(needs);
        } else {
            queue();
        }
    }

    // Where none needs it by itself, one that somebody watches: the others are only kept, and wake no owner.
    private void askForAll(@Nullable Upstream needs) {
        Upstream first = needs != null
                ? needs
                : streams.stream()
                        .filter(stream -> !stream.isIdle())
                        .findFirst()
                        .orElse(null);
        if (first != null) {
            ask(first);
            return;
        }
        stepping = true;
        streams().forEach(Upstream::close);
        stepping = false;
    }

    private void ask(Upstream stream) {
        asking = stream;
        stream.ask();
    }

    /** The owner accepted a stream. */
    void accepted(Upstream stream, ActivationId by) {
        if (asking != stream) {
            return;
        }
        asking = null;
        streams.forEach(other -> other.ownedBy(by));
        int answered = attempt;
        attempt = 0;
        if (answered > 0) {
            refusal = null;
            on(new LatchEvent.Subscribed(answered, by, client.now()));
        } else if (stream.needsAsk()) {
            // It has let the stream go meanwhile: what the latch asks is paced.
            on(new LatchEvent.UnknownHere(client.now()));
        } else {
            streams().forEach(Upstream::show);
            next();
        }
    }

    /** The owner, or who looked for it, refused a stream. */
    void refused(Upstream stream, MeshException failure) {
        if (asking != stream) {
            return;
        }
        asking = null;
        client.count("sync.refusals");
        // The next one asks next, or one that is always refused would keep all others waiting.
        streams.remove(stream);
        streams.add(stream);
        Optional<SyncState.Ended> end = latch.endOf(failure)
                .map(reason -> new SyncState.Ended(SyncStates.reason(reason), Optional.of(failure)));
        if (end.isPresent() && streams.size() > 1) {
            // The others may be told otherwise: the attempt goes on with the next of them.
            stream.finish(end.get());
        } else if (attempt > 0) {
            refusal = failure;
            int answered = attempt;
            attempt = 0;
            on(refused(answered, failure));
        } else if (end.isPresent()) {
            stream.finish(end.get());
        } else {
            followerRefused(stream, failure);
        }
    }

    private LatchEvent.Refused refused(int answered, MeshException failure) {
        // One that is dead already completes nothing any more that could be waited for.
        boolean local = failure instanceof ShuttingDown
                && failure.node().filter(client.node()::equals).isPresent()
                && failure.runLevel().filter(level -> level != RunLevel.DEAD).isPresent();
        return new LatchEvent.Refused(
                answered, failure, local, ThreadLocalRandom.current().nextDouble(), client.now());
    }

    // An owner holds another stream: what passes is a sign that it is going, and charged when it is asked for all.
    private void followerRefused(Upstream stream, MeshException failure) {
        stream.refusedWith(failure);
        if (failure instanceof NotFound) {
            missing(failure);
            return;
        }
        if (failure instanceof ShuttingDown) {
            step(refused(Latch.STRAY, failure));
        }
        if (latch.isSettled()) {
            // No owner that shuts down, or one before the one that holds the others.
            step(new LatchEvent.UnknownHere(client.now()));
        }
        next();
    }

    /** The address itself does not exist, says an owner or a node. */
    void missing(MeshException verdict) {
        refusal = verdict;
        on(new LatchEvent.Refused(Latch.STRAY, verdict, false, 0, client.now()));
    }

    /**
     * The process that held streams is gone.
     *
     * @param wait how long they are not looked for yet, if they would be at once
     */
    void nodeLost(Duration wait) {
        spread = wait;
        on(new LatchEvent.NodeLost(client.now()));
        spread = Duration.ZERO;
    }

    /** That activation of this process has the shard no more, and has not said goodbye. */
    void disowned(ActivationId activation) {
        List<Upstream> held =
                streams().stream().filter(stream -> stream.isHeldBy(activation)).toList();
        held.forEach(stream -> stream.lost(
                "Hub " + key.address() + " (" + activation + ") has lost its shard, and has not let the stream go"));
        if (!held.isEmpty()) {
            on(new LatchEvent.UnknownHere(client.now()));
        }
    }

    /** The change feed says that the address has that version. */
    void announced(long version) {
        announced = Math.max(announced, version);
        if (!(latch.state() instanceof LatchState.Live)) {
            lacking();
            return;
        }
        if (awaited == 0) {
            awaitFrames();
        }
    }

    // The owner's frames say the same, mostly a moment later. What is announced meanwhile gives them no more time.
    private void awaitFrames() {
        awaited = announced;
        announcement = client.after(client.options().latch().policy().pace(), () -> {
            long version = awaited;
            awaited = 0;
            if (version > received()) {
                lacking();
            } else if (announced > received()) {
                awaitFrames();
            }
        });
    }

    private void awaitNothing() {
        announcement.cancel();
        awaited = 0;
    }

    private void lacking() {
        streams.forEach(stream -> stream.lacks(announced));
        on(new LatchEvent.Announced(announced, received(), client.now()));
    }

    // What all have that an owner holds, or all, where it holds none.
    private long received() {
        return streams.stream()
                .filter(Upstream::isHeld)
                .mapToLong(Upstream::version)
                .min()
                .orElseGet(() ->
                        streams.stream().mapToLong(Upstream::version).min().orElse(0));
    }

    /** The address can wake again. What does not exist is not there for that. */
    void released() {
        boolean missing =
                latch.state() instanceof LatchState.Dormant dormant && dormant.reason() == LatchState.Reason.NOT_FOUND;
        if (!missing) {
            on(new LatchEvent.Wake(client.now()));
        }
    }

    /** The address may have been created again, and whether it was cannot be found out here. */
    void unsure() {
        if (latch.state() instanceof LatchState.Dormant || latch.state() instanceof LatchState.RidingOut) {
            on(new LatchEvent.Wake(client.now()));
        }
    }

    /** The one that looked for the same owner is over, and took nothing along. */
    void goOn() {
        if (woken) {
            woken = false;
            on(new LatchEvent.Wake(client.now()));
        }
    }
}
