package io.meshhub.routing.router;

import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.MeshCall;
import io.meshhub.routing.MeshOptions;
import io.meshhub.routing.MeshReply;
import io.meshhub.routing.failure.DeadlineExceeded;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unavailable;
import io.meshhub.routing.spi.MeshClock;
import io.meshhub.routing.spi.Pacer;
import io.meshhub.routing.spi.ShardRow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing message from its first attempt to its one answer: performs what its {@link Ride} commands.
 *
 * <p>Outcomes, timers and wake-ups come on any thread. State changes under the call's monitor; nothing foreign runs under
 * it. A late outcome of an attempt that is no longer the current one is dropped.
 */
final class Call implements MeshCall<MeshReply> {

    /** What a call needs of its router. */
    interface Routes {

        /** Sends one attempt to the owner; the attempt ends in every case. */
        void route(CallAttempt attempt);

        /** Reads the row of a shard anew, since a route was corrected. */
        Future<ShardRow> refresh(int shard);

        /** The row of a shard, from memory. */
        ShardRow row(int shard);

        /** Wakes the call when its shard or its address changes; until {@link #rested}. */
        void resting(Call call);

        /** The call rests no more. */
        void rested(Call call);

        /** The name of this node. */
        String node();

        /** The name of the node of an incarnation. */
        String nameOf(@Nullable String incarnation);
    }

    private static final Duration CORRECTION_PACE = Duration.ofMillis(10);

    private final Routes routes;
    private final MeshClock clock;
    private final Pacer pacer;
    private final Promise<MeshReply> promise;
    private final Ride.Terms terms;
    private final Envelope envelope;

    private Ride ride = Ride.FIRST_ASK;
    private int corrections;
    private @Nullable CallAttempt current;
    private Pacer.Cancellable deadlineTimer = Pacer.Cancellable.NONE;
    private Pacer.Cancellable restTimer = Pacer.Cancellable.NONE;

    Call(
            Routes routes,
            MeshClock clock,
            Pacer pacer,
            Promise<MeshReply> promise,
            Envelope envelope,
            MeshOptions options,
            Duration pace) {
        this.routes = routes;
        this.clock = clock;
        this.pacer = pacer;
        this.promise = promise;
        this.envelope = envelope;
        long now = clock.nanoTime();
        this.terms = new Ride.Terms(
                envelope.to(),
                routes.node(),
                now,
                now + Duration.ofMillis(envelope.deadlineMs()).toNanos(),
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
        deadlineTimer = pacer.after(
                Duration.ofMillis(envelope.deadlineMs()), () -> on(new Ride.Event.Deadline(clock.nanoTime())));
        ask();
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
        synchronized (this) {
            if (ride.isEnded()) {
                return false;
            }
        }
        Duration elapsed = Duration.ofNanos(clock.nanoTime() - terms.startNanos());
        return finish(new DeadlineExceeded(
                "Request to hub " + envelope.to() + " was given up by its caller after " + elapsed.toMillis()
                        + " ms; the outcome is unknown",
                FailureDetail.about(envelope.to()).on(routes.node()).after(ride.attempts(), elapsed),
                DeadlineExceeded.Owner.UNKNOWN,
                null));
    }

    private void on(Ride.Event event) {
        CallAttempt outstanding;
        Ride.Command command;
        synchronized (this) {
            outstanding = current;
            Ride.Step step = ride.on(event, terms);
            ride = step.ride();
            command = step.command();
        }
        if (command instanceof Ride.Command.Ask) {
            ask();
        } else if (command instanceof Ride.Command.Rest rest) {
            rest(rest.untilNanos());
        } else if (command instanceof Ride.Command.Fail fail) {
            MeshException described =
                    event instanceof Ride.Event.Deadline && outstanding != null ? outstanding.description() : null;
            release();
            promise.tryFail(described == null ? fail.failure() : described);
        }
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
            restTimer.cancel();
        }
        routes.rested(this);
        routes.route(attempt);
    }

    private void rest(long untilNanos) {
        routes.resting(this);
        Pacer.Cancellable timer = pacer.after(
                Duration.ofNanos(untilNanos - clock.nanoTime()), () -> on(new Ride.Event.Rested(clock.nanoTime())));
        boolean over;
        synchronized (this) {
            restTimer = timer;
            over = ride.isEnded() || ride.isAsking();
        }
        if (over) {
            timer.cancel();
            routes.rested(this);
        }
    }

    /** An attempt has ended; called once for each. */
    void ended(CallAttempt attempt, Outcome outcome) {
        synchronized (this) {
            if (current != attempt) {
                return;
            }
            current = null;
        }
        if (outcome instanceof Outcome.Replied replied) {
            replied(new MeshReply(replied.body(), replied.activation(), routes.nameOf(attempt.owner())));
        } else if (outcome instanceof Outcome.Accepted accepted) {
            replied(new MeshReply(MeshBody.NULL, accepted.activation(), routes.nameOf(attempt.owner())));
        } else if (outcome instanceof Outcome.Failed failed) {
            on(new Ride.Event.Failed(named(failed.failure()), clock.nanoTime()));
        } else if (outcome instanceof Outcome.Corrected corrected) {
            corrected(attempt, corrected.epoch());
        }
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
    private void replied(MeshReply reply) {
        ShardRow row = routes.row(envelope.to().shard());
        long answered = reply.activation().epoch();
        boolean current = row.epoch() <= answered || (row.epoch() == answered + 1 && row.via() == ShardRow.Via.RELEASE);
        if (!current) {
            finish(Unavailable.sent(
                    envelope.to(),
                    routes.node(),
                    "its answer came under epoch " + answered + ", which epoch " + row.epoch() + " has replaced"));
            return;
        }
        synchronized (this) {
            ride = ride.on(new Ride.Event.Replied(), terms).ride();
        }
        release();
        promise.tryComplete(reply);
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
            attempt.reopen();
            attempt.ended(new Outcome.Failed(Unavailable.notSent(
                    envelope.to(), routes.node(), "its route was corrected " + (count - 1) + " times in a row")));
            return;
        }
        // The first correction is followed at once; nodes that disagree for longer are not hammered.
        Duration pause = count == 1 ? Duration.ZERO : CORRECTION_PACE.multipliedBy(1L << count);
        Runnable again = () -> refreshAndRoute(attempt, epoch);
        if (pause.isZero()) {
            again.run();
        } else {
            pacer.after(pause, again);
        }
    }

    private void refreshAndRoute(CallAttempt attempt, long epoch) {
        int shard = envelope.to().shard();
        boolean known = epoch > 0 && routes.row(shard).epoch() >= epoch && !attempt.wasSentUnder(routes.row(shard));
        Future<ShardRow> row = known ? Future.succeededFuture(routes.row(shard)) : routes.refresh(shard);
        row.onComplete(read -> {
            synchronized (this) {
                if (current != attempt) {
                    return;
                }
                attempt.reopen();
            }
            if (read.succeeded()) {
                routes.route(attempt);
            } else {
                attempt.ended(new Outcome.Failed(Unavailable.notSent(
                        envelope.to(),
                        routes.node(),
                        "its shard row cannot be read: " + read.cause().getMessage())));
            }
        });
    }

    private boolean finish(MeshException failure) {
        synchronized (this) {
            if (ride.isEnded()) {
                return false;
            }
            ride = ride.on(new Ride.Event.Replied(), terms).ride();
        }
        release();
        return promise.tryFail(failure);
    }

    private void release() {
        CallAttempt attempt;
        synchronized (this) {
            attempt = current;
            current = null;
            deadlineTimer.cancel();
            restTimer.cancel();
        }
        if (attempt != null) {
            attempt.abandon();
        }
        routes.rested(this);
    }
}
