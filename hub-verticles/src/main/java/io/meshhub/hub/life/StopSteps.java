package io.meshhub.hub.life;

import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The steps of a stop on one budget that begins with the first: what a step does not use, the later ones have, and each
 * leaves them what they need. A step that fails or does not end in time is named, and the next one is
 * taken all the same.
 */
public final class StopSteps {

    private static final Duration MARGIN = Duration.ofMillis(250);

    private final Pacer pacer;
    private final MeshClock clock;
    private final long end;
    private final List<String> cut;

    /**
     * The budget begins now.
     *
     * @param all what all steps together may take
     * @param cut is told what was cut, for people; safe from any thread
     */
    public StopSteps(Pacer pacer, MeshClock clock, Duration all, List<String> cut) {
        this.pacer = pacer;
        this.clock = clock;
        this.end = clock.nanoTime() + all.toNanos();
        this.cut = cut;
    }

    /**
     * What one step may take: what is left, but for what the later steps need, and half of it at least, so that no step
     * goes without where there is too little for all.
     */
    static Duration share(Duration left, Duration later) {
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        Duration spare = left.minus(later);
        Duration half = left.dividedBy(2);
        return spare.compareTo(half) > 0 ? spare : half;
    }

    /** What a step may take by itself: a little less, so that it can say what it cut before it is cut. */
    static Duration within(Duration share) {
        Duration tenth = share.dividedBy(10);
        return share.minus(tenth.compareTo(MARGIN) < 0 ? tenth : MARGIN);
    }

    private Duration share(Duration later) {
        return share(Duration.ofNanos(end - clock.nanoTime()), later);
    }

    /** Completes when the step has ended, or when nothing is left but what is needed after it. */
    public Future<Void> endOrTime(Future<Void> step, Duration later) {
        Promise<Void> promise = Promise.promise();
        Pacer.Cancellable timer = pacer.after(share(later), promise::tryComplete);
        step.onComplete(done -> {
            timer.cancel();
            promise.tryComplete();
        });
        return promise.future();
    }

    /**
     * Takes a step.
     *
     * @param what it does, for people
     * @param later what the steps after it need
     * @param action is given the bound that it is to keep by itself; its result, if it is not empty, says what it had to
     *     cut
     * @return completes when the step has ended or its time is over; never fails
     */
    public Future<Void> step(
            String what, Duration later, Function<Duration, ? extends Future<Optional<String>>> action) {
        Duration share = share(later);
        Promise<Void> promise = Promise.promise();
        AtomicBoolean over = new AtomicBoolean();
        Pacer.Cancellable timer = pacer.after(share, () -> {
            if (over.compareAndSet(false, true)) {
                cut.add(what + " did not end within " + share.toMillis() + " ms");
                promise.complete();
            }
        });
        begin(action, within(share)).onComplete((told, cause) -> {
            timer.cancel();
            if (over.compareAndSet(false, true)) {
                if (cause != null) {
                    cut.add(what + " failed: " + cause.getMessage());
                } else {
                    told.ifPresent(cut::add);
                }
                promise.complete();
            }
        });
        return promise.future();
    }

    private static Future<Optional<String>> begin(
            Function<Duration, ? extends Future<Optional<String>>> action, Duration bound) {
        try {
            return action.apply(bound);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /** Begins all of them side by side; fails when one of them did, once all have ended. */
    public static Future<Optional<String>> together(Iterable<? extends Supplier<? extends Future<?>>> actions) {
        List<Future<?>> begun = new ArrayList<>();
        for (var action : actions) {
            try {
                begun.add(action.get());
            } catch (RuntimeException e) {
                begun.add(Future.failedFuture(e));
            }
        }
        return Future.join(begun).map(done -> Optional.empty());
    }
}
