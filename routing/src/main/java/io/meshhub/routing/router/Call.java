package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Rejected;
import io.meshhub.routing.failure.Remedy;
import io.meshhub.routing.failure.RoutingLoop;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.queues.Deadlines;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing message from its first attempt to its one answer: performs what its {@link Ride} commands.
 *
 * <p>Outcomes, timers and wake-ups come on any thread. State changes under the call's monitor; nothing foreign runs under
 * it. A late outcome of an attempt that is no longer the current one is dropped.
 */
final class Call extends Deadlines.Wait implements MeshCall<MeshReply> {

    /** What a call needs of its router. */
    interface Routes {

        /** Sends one attempt to the owner; the attempt ends in every case. */
        void route(CallAttempt attempt);

        /** Reads the row of a shard anew, since a route was corrected. */
        Future<ShardRow> refresh(int shard);

        /** The row of a shard, from memory. */
        ShardRow row(int shard);

        /** Wakes the call when its shard or its address changes; until {@link #ended}. */
        void riding(Call call);

        /**
         * The call has begun, and is told when its time is over.
         *
         * @return whether the router still runs; when it does not, nothing ends the call but itself
         */
        boolean begun(Call call);

        /** The call has ended. */
        void ended(Call call);

        /** The call has ended that was {@link #riding}. */
        void rodeOut(Call call);

        /** The name of this node. */
        String node();
    }

    private static final Duration CORRECTION_PACE = Duration.ofMillis(10);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Ride.Event REPLIED = new Ride.Event.Replied();

    private final Routes routes;
    private final MeshClock clock;
    private final Pacer pacer;
    private final Promise<MeshReply> promise;
    private final @Nullable Home home;
    private final Ride.Terms terms;
    private final Envelope envelope;

    private Ride ride = Ride.FIRST_ASK;
    private int corrections;
    private @Nullable CallAttempt current;
    private Pacer.Cancellable pauseTimer = Pacer.Cancellable.NONE;
    private volatile boolean riding;

    Call(
            Routes routes,
            MeshClock clock,
            Pacer pacer,
            Promise<MeshReply> promise,
            @Nullable Home home,
            Envelope envelope,
            MeshOptions options,
            Duration pace) {
        this.routes = routes;
        this.home = home;
        this.clock = clock;
        this.pacer = pacer;
        this.promise = promise;
        this.envelope = envelope;
        long now = clock.nanoTime();
        this.terms = new Ride.Terms(
                envelope.to(),
                routes.node(),
                now,
                now + envelope.deadlineMs() * NANOS_PER_MILLI,
                pace,
                options.rideOut(),
                options.idempotent());
    }

    Envelope envelope() {
        return envelope;
    }

    /** Whether a second execution does no harm. */
    boolean isIdempotent() {
        return terms.idempotent();
    }

    long deadlineNanos() {
        return terms.deadlineNanos();
    }

    void start() {
        if (routes.begun(this)) {
            ask();
        } else {
            finish(Unavailable.notSent(envelope.to(), routes.node(), "the node has stopped"));
        }
    }

    /** The router stops: a call that rests ends with its last refusal, any other with an unknown outcome. */
    void stop() {
        boolean asking;
        synchronized (this) {
            asking = ride.isAsking();
        }
        if (asking) {
            finish(Unavailable.sent(envelope.to(), routes.node(), "this node has stopped"));
        } else {
            over();
        }
    }

    /** There is reason to believe that asking now helps. */
    void wake() {
        on(new Ride.Event.Wake(clock.nanoTime()));
    }

    @Override
    public Future<MeshReply> answer() {
        return promise.future();
    }

    @Override
    public boolean cancel() {
        int attempts;
        synchronized (this) {
            if (ride.isEnded()) {
                return false;
            }
            attempts = ride.attempts();
        }
        Duration elapsed = Duration.ofNanos(clock.nanoTime() - terms.startNanos());
        return finish(new DeadlineExceeded(
                "Request to hub " + envelope.to() + " was given up by its caller after " + elapsed.toMillis()
                        + " ms; the outcome is unknown",
                FailureDetail.about(envelope.to()).on(routes.node()).after(attempts, elapsed),
                DeadlineExceeded.Owner.UNKNOWN,
                null));
    }

    @Override
    protected void over() {
        CallAttempt outstanding;
        synchronized (this) {
            outstanding = current;
        }
        MeshException described = outstanding == null ? null : outstanding.description();
        on(new Ride.Event.Deadline(clock.nanoTime(), described));
    }

    private void on(Ride.Event event) {
        on(event, null);
    }

    /** With a state, the event counts only while that one still stands. */
    private void on(Ride.Event event, @Nullable Ride only) {
        Ride.Step step;
        synchronized (this) {
            if (only != null && ride != only) {
                return;
            }
            step = ride.on(event, terms);
            ride = step.ride();
        }
        Ride.Command command = step.command();
        if (command instanceof Ride.Command.Ask) {
            askAgain();
        } else if (command instanceof Ride.Command.Rest rest) {
            rest(step.ride(), rest.untilNanos());
        } else if (command instanceof Ride.Command.Fail fail) {
            release();
            promise.tryFail(fail.failure());
        }
    }

    private void askAgain() {
        // Before the ask: word that the address can wake again may come before the refusal that it is about.
        ride();
        ask();
    }

    private void ask() {
        CallAttempt attempt;
        synchronized (this) {
            if (!ride.isAsking()) {
                return;
            }
            corrections = 0;
            attempt = new CallAttempt(this);
            current = attempt;
            pauseTimer.cancel();
        }
        routes.route(attempt);
    }

    private void rest(Ride resting, long untilNanos) {
        ride();
        pause(
                Duration.ofNanos(untilNanos - clock.nanoTime()),
                () -> on(new Ride.Event.Rested(clock.nanoTime()), resting),
                () -> ride == resting);
    }

    private void ride() {
        // Whoever ends the call after this takes it back there, and who ended it before is seen below.
        riding = true;
        routes.riding(this);
        boolean over;
        synchronized (this) {
            over = ride.isEnded();
        }
        if (over) {
            routes.rodeOut(this);
        }
    }

    // The pause may be over, or the call, before its timer is known here.
    private void pause(Duration delay, Runnable action, BooleanSupplier stands) {
        Pacer.Cancellable timer = pacer.after(delay, action);
        boolean over;
        synchronized (this) {
            over = !stands.getAsBoolean();
            if (!over) {
                pauseTimer = timer;
            }
        }
        if (over) {
            timer.cancel();
        }
    }

    /**
     * An attempt has ended; called once for each, on any thread. A reply goes on where the call is at home, so that what
     * it shares with others is touched by one thread.
     */
    void arrived(CallAttempt attempt, Outcome outcome) {
        boolean replied = outcome instanceof Outcome.Replied || outcome instanceof Outcome.Accepted;
        Home to = home;
        if (!replied || to == null || to.isHere()) {
            ended(attempt, outcome);
        } else {
            to.bring(attempt, outcome);
        }
    }

    /** The outcome of an attempt is there. */
    void ended(CallAttempt attempt, Outcome outcome) {
        if (outcome instanceof Outcome.Replied replied) {
            replied(attempt, replied.body(), replied.activation());
        } else if (outcome instanceof Outcome.Accepted accepted) {
            replied(attempt, MeshBody.NULL, accepted.activation());
        } else if (!take(attempt)) {
            return;
        } else if (outcome instanceof Outcome.Failed failed) {
            on(new Ride.Event.Failed(current(attempt, named(failed.failure())), clock.nanoTime()));
        } else if (outcome instanceof Outcome.Corrected corrected) {
            corrected(attempt, corrected.epoch());
        }
    }

    private synchronized boolean take(CallAttempt attempt) {
        if (current != attempt) {
            return false;
        }
        current = null;
        return true;
    }

    // What an activation says that was superseded meanwhile is no verdict, as little as its reply is a reply.
    private MeshException current(CallAttempt attempt, MeshException failure) {
        boolean verdict = failure.remedy() == Remedy.STOP || failure.remedy() == Remedy.REPORT;
        if (!verdict || failure instanceof Rejected || failure instanceof RoutingLoop || isCurrent(attempt.epoch())) {
            return failure;
        }
        return superseded(attempt.epoch());
    }

    // Whoever could not read a message does not know whom it was for; its caller does.
    private MeshException named(MeshException failure) {
        FailureDetail detail = failure.detail();
        if (detail.address() != null) {
            return failure;
        }
        return failure.withDetail(new FailureDetail(
                envelope.to().toString(),
                detail.activation(),
                detail.runLevel(),
                detail.node(),
                detail.attempts(),
                detail.elapsed(),
                detail.retryAfter(),
                detail.entered()));
    }

    /*
     * An answer of an epoch that was since claimed away must not be taken: another activation may have answered others
     * meanwhile. One that was released is sound, since the old owner drained before it gave the shard away. A row tells
     * how its own epoch came about and no other, so what is older than that is taken as claimed.
     */
    private void replied(CallAttempt attempt, MeshBody body, ActivationId activation) {
        if (!isCurrent(activation.epoch())) {
            if (take(attempt)) {
                finish(superseded(activation.epoch()));
            }
            return;
        }
        synchronized (this) {
            if (current != attempt || ride.isEnded()) {
                return;
            }
            current = null;
            ride = ride.on(REPLIED, terms).ride();
            pauseTimer.cancel();
        }
        forget();
        promise.tryComplete(new MeshReply(body, activation, attempt.node(routes)));
    }

    private void forget() {
        routes.ended(this);
        if (riding) {
            routes.rodeOut(this);
        }
    }

    private boolean isCurrent(long answered) {
        ShardRow row = routes.row(envelope.to().shard());
        return row.epoch() <= answered || (row.epoch() == answered + 1 && row.via() == ShardRow.Via.RELEASE);
    }

    private MeshException superseded(long answered) {
        return Unavailable.sent(
                envelope.to(),
                routes.node(),
                "its answer came under epoch " + answered + ", which epoch "
                        + routes.row(envelope.to().shard()).epoch() + " has replaced");
    }

    private void corrected(CallAttempt attempt, long epoch) {
        int count;
        synchronized (this) {
            if (!ride.isAsking()) {
                return;
            }
            count = ++corrections;
            current = attempt;
        }
        if (count > RouterOptions.MAX_CORRECTIONS) {
            unroutable(attempt, "its route was corrected " + (count - 1) + " times in a row");
            return;
        }
        // The first correction is followed at once; nodes that disagree for longer are not hammered.
        if (count == 1) {
            refreshAndRoute(attempt, epoch);
        } else {
            pause(
                    CORRECTION_PACE.multipliedBy(1L << count),
                    () -> refreshAndRoute(attempt, epoch),
                    () -> current == attempt);
        }
    }

    private void refreshAndRoute(CallAttempt attempt, long epoch) {
        int shard = envelope.to().shard();
        boolean known = epoch > 0 && routes.row(shard).epoch() >= epoch && !attempt.wasSentUnder(routes.row(shard));
        Future<ShardRow> row = known ? Future.succeededFuture(routes.row(shard)) : routes.refresh(shard);
        row.onComplete(read -> {
            if (read.failed()) {
                unroutable(
                        attempt, "its shard row cannot be read: " + read.cause().getMessage());
                return;
            }
            CallAttempt next = new CallAttempt(this);
            synchronized (this) {
                if (current != attempt) {
                    return;
                }
                current = next;
            }
            routes.route(next);
        });
    }

    private void unroutable(CallAttempt attempt, String reason) {
        if (!take(attempt)) {
            return;
        }
        MeshException failure = Unavailable.notSent(envelope.to(), routes.node(), reason);
        on(new Ride.Event.Failed(failure, clock.nanoTime()));
    }

    private boolean finish(MeshException failure) {
        synchronized (this) {
            if (ride.isEnded()) {
                return false;
            }
            ride = ride.on(REPLIED, terms).ride();
        }
        release();
        return promise.tryFail(failure);
    }

    private void release() {
        CallAttempt attempt;
        synchronized (this) {
            attempt = current;
            current = null;
            pauseTimer.cancel();
        }
        if (attempt != null) {
            attempt.abandon();
        }
        forget();
    }
}
