package io.meshhub.hub;

import io.meshhub.hub.guard.LoopWatch;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What others see of one hub loop, and what they leave for it to do when its thread comes back.
 *
 * <p>The loop says what code of a hub it enters and leaves, at the cost of two plain stores. Whoever finds it blocked
 * unlinks the activation whose code that is: it is refused as dead at once, on any thread, and torn down by the loop
 * before that does anything else.
 */
final class LoopGuard {

    private static final int FRAMES = 6;

    private final HubLoop loop;
    private final AtomicReference<@Nullable Running> running = new AtomicReference<>();
    private final Set<Integer> givenAway = new HashSet<>();
    private volatile boolean stalled;
    private volatile boolean awake;
    private volatile boolean answered = true;
    private volatile int activations;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Activation unlinked;
    // Of the watcher alone.
    private @Nullable Running seen;
    private LoopWatch watch = LoopWatch.MOVING;

    LoopGuard(HubLoop loop) {
        this.loop = loop;
    }

    /** The loop enters code of a hub; gives what it was in before, for {@link #exit}. */
    @Nullable
    Running enter(Running code) {
        Running before = running.getPlain();
        running.setRelease(code);
        return before;
    }

    void exit(@Nullable Running before) {
        running.setRelease(before);
    }

    /** There is something on the loop to look after. */
    void awake() {
        awake = true;
    }

    /** There is nothing on the loop any more. */
    void asleep() {
        awake = false;
    }

    boolean isAwake() {
        return awake || stalled || !answered;
    }

    /** Whether the loop was found blocked and has not come back. */
    boolean isStalled() {
        return stalled;
    }

    /** Whose code the loop is in, for people; any thread. */
    Optional<String> blocker() {
        Running code = running.getAcquire();
        return code == null
                ? Optional.empty()
                : Optional.of("hub " + code.owner().address() + " in " + code.what());
    }

    /** What to say for an address whose activation was unlinked; any thread. */
    Optional<MeshException> refusal(MeshAddress address) {
        Activation dead = unlinked;
        return dead == null || !dead.address().equals(address)
                ? Optional.empty()
                : Optional.of(ShuttingDown.refusal(address, dead.activation(), RunLevel.DEAD, dead.node()));
    }

    /** Looks at the loop, and asks it for a sign of life. By the watcher alone. */
    LoopWatch.Finding look(long sinceLast, long period, long limit) {
        boolean alive = answered;
        seen = running.getAcquire();
        LoopWatch.Step step = watch.look(sinceLast, period, alive, seen, limit);
        watch = step.next();
        if (alive) {
            answered = false;
            loop.post(this::beat);
        }
        return step.finding();
    }

    private void beat() {
        comeBack();
        thread = Thread.currentThread();
        activations = loop.size();
        awake = loop.isInUse();
        answered = true;
    }

    /** The code that the loop is in now, and that was unlinked if it is a hub's; null when that is not known. */
    @Nullable
    synchronized Running unlink(@Nullable Running seen) {
        Running code = running.getAcquire();
        // The loop may have gone on since it was looked at: whoever it is in now has blocked nothing.
        boolean same = code != null && code == seen;
        if (same) {
            unlinked = code.owner();
        }
        stalled = true;
        return same ? code : null;
    }

    /** The code that the loop was in when it was looked at last. By the watcher alone. */
    @Nullable
    Running seen() {
        return seen;
    }

    /** The shards are given away without their activations here having ended. */
    synchronized void giveAway(Set<Integer> shards) {
        givenAway.addAll(shards);
        Running code = running.getAcquire();
        if (code != null && shards.contains(code.owner().address().shard())) {
            unlinked = code.owner();
        }
        stalled = true;
    }

    /** On the loop: when it was found blocked, what was unlinked ends before anything else is done. */
    void comeBack() {
        if (stalled) {
            buryAll();
        }
    }

    private void buryAll() {
        Activation dead;
        Set<Integer> gone;
        synchronized (this) {
            dead = unlinked;
            gone = Set.copyOf(givenAway);
            givenAway.clear();
            // Before the end is announced: who asks again then must come through.
            unlinked = null;
            stalled = false;
        }
        if (dead != null) {
            dead.cut("its code blocked the loop");
        }
        loop.cut(gone, "its shard was given away while the loop was blocked");
    }

    /** Activations of the loop, as of its last sign of life. */
    int activations() {
        return activations;
    }

    /** Where the thread of the loop is now, for people. */
    String where() {
        Thread known = thread;
        return known == null
                ? "not known"
                : Arrays.stream(known.getStackTrace())
                        .limit(FRAMES)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining(" < "));
    }
}
