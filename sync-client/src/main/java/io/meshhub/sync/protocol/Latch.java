package io.meshhub.sync.protocol;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RideOutBudget;
import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.RideOutPolicy;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.sync.protocol.LatchCommand.Nothing;
import io.meshhub.sync.protocol.LatchState.Reason;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a stream finds its owner again: a pure state machine, immutable, without a clock.
 *
 * <p>A trigger asks at once; further ones within the burst make at most one more. Refusals of an owner that shuts down
 * are charged to the axes of a {@link RideOutBudget}; over a bound the latch gives up and the stream is dormant until
 * it is woken. Never two asks are outstanding, and nothing comes after the end.
 */
public final class Latch {

    /** The attempt of a refusal that answers none of the latch's asks. */
    public static final int STRAY = 0;

    /** A state and what is to be done on entering it. */
    public record Step(Latch latch, LatchCommand command) {}

    private enum Phase {
        ASKING,
        RESTING,
        AWAITING,
        LIVE,
        DORMANT,
        ENDED
    }

    /** For whom a latch works, and with what. */
    private record Terms(MeshAddress address, LatchBudget budget) {}

    /** What is being done: since which attempt, until when in a rest, and why at a standstill. */
    private record Turn(
            Phase phase, int attempt, long until, @Nullable Reason reason) {}

    /**
     * What outlives a turn.
     *
     * @param live the activation that accepted the stream last, if it has not refused since
     * @param everLive whether any did
     * @param disposed the highest activation in this process that is known to be disposed
     * @param notBefore when a trigger or a wake may ask again at the earliest
     */
    private record Known(
            @Nullable ActivationId live,
            boolean everLive,
            @Nullable ActivationId disposed,
            OptionalLong notBefore) {

        Known accepted(ActivationId by) {
            return new Known(by, true, disposed, notBefore);
        }

        Known refused() {
            return new Known(null, everLive, disposed, notBefore);
        }

        Known disposed(ActivationId activation) {
            boolean higher = disposed == null || activation.compareTo(disposed) > 0;
            return higher ? new Known(live, everLive, activation, notBefore) : this;
        }

        boolean isDisposed(ActivationId activation) {
            return disposed != null && activation.compareTo(disposed) <= 0;
        }

        Known notBefore(long time) {
            return new Known(live, everLive, disposed, OptionalLong.of(laterThanNotBefore(time)));
        }

        long laterThanNotBefore(long time) {
            return isTooEarly(time) ? notBefore.getAsLong() : time;
        }

        boolean isTooEarly(long time) {
            return notBefore.isPresent() && time - notBefore.getAsLong() < 0;
        }
    }

    private static final LatchCommand NOTHING = new Nothing();

    private final Terms terms;
    private final Turn turn;
    private final Known known;
    private final Refusals refusals;
    private final Pending pending;

    private Latch(Terms terms, Turn turn, Known known, Refusals refusals, Pending pending) {
        this.terms = terms;
        this.turn = turn;
        this.known = known;
        this.refusals = refusals;
        this.pending = pending;
    }

    /** A latch whose first ask, attempt 1, is being made: what it is answered counts from the start. */
    public static Latch firstAsk(MeshAddress address, LatchBudget budget) {
        return new Latch(
                new Terms(address, budget),
                new Turn(Phase.ASKING, 1, 0, null),
                new Known(null, false, null, OptionalLong.empty()),
                Refusals.NONE,
                Pending.NONE);
    }

    /** How the stream stands, for people. */
    public LatchState state() {
        Reason reason = turn.reason();
        if (reason != null) {
            return isEnded() ? new LatchState.Ended(reason) : new LatchState.Dormant(reason);
        }
        if (refusals.count() > 0) {
            OptionalLong next = turn.phase() == Phase.RESTING ? OptionalLong.of(turn.until()) : OptionalLong.empty();
            RideOutPolicy policy = terms.budget().policy();
            return new LatchState.RidingOut(
                    refusals.axis(), refusals.count() + 1, refusals.observed(), refusals.allowed(policy), next);
        }
        return known.live() == null ? new LatchState.Connecting() : new LatchState.Live();
    }

    /** Whether an owner has accepted the subscription, and nothing says that it no longer stands. */
    public boolean isSettled() {
        return turn.phase() == Phase.LIVE;
    }

    boolean isEnded() {
        return turn.phase() == Phase.ENDED;
    }

    /** The state after an event. */
    public Step on(LatchEvent event) {
        if (isEnded()) {
            return stay();
        }
        if (event instanceof LatchEvent.Trigger trigger) {
            return triggered(trigger);
        }
        if (event instanceof LatchEvent.Refused refused) {
            return isAnswer(refused.attempt()) ? refused(refused) : stray(refused);
        }
        if (event instanceof LatchEvent.Subscribed subscribed) {
            return isAnswer(subscribed.attempt()) ? subscribed(subscribed) : stay();
        }
        if (event instanceof LatchEvent.Rested rested) {
            return rested(rested);
        }
        if (event instanceof LatchEvent.LocalDisposed disposed) {
            return disposed(disposed);
        }
        if (event instanceof LatchEvent.Wake wake) {
            return woken(wake.now());
        }
        return end(Reason.DISPOSED, null);
    }

    private boolean isAnswer(int attempt) {
        return turn.phase() == Phase.ASKING && attempt == turn.attempt();
    }

    private Step triggered(LatchEvent.Trigger trigger) {
        if (isNoNews(trigger)) {
            return stay();
        }
        return switch (turn.phase()) {
            // The FULL frame that follows the answer heals a gap that came before it.
            case ASKING ->
                trigger instanceof LatchEvent.Gap
                        ? stay()
                        : with(pending.with(trigger)).stay();
            case RESTING -> with(pending.with(trigger)).stay();
            case LIVE -> with(pending.with(trigger)).open(trigger.now());
            case DORMANT -> trigger instanceof LatchEvent.Announced ? open(trigger.now()) : stay();
            case AWAITING, ENDED -> stay();
        };
    }

    private boolean isNoNews(LatchEvent.Trigger trigger) {
        if (trigger instanceof LatchEvent.Announced announced) {
            return announced.version() <= announced.received();
        }
        return trigger instanceof LatchEvent.Goodbye goodbye && isPast(Optional.of(goodbye.activation()));
    }

    // An activation before the one that accepted the stream has nothing to say any more.
    private boolean isPast(Optional<ActivationId> activation) {
        ActivationId live = known.live();
        return live != null && activation.filter(id -> id.compareTo(live) < 0).isPresent();
    }

    private Step woken(long now) {
        return switch (turn.phase()) {
            case ASKING -> with(pending.withWake()).stay();
            case DORMANT -> open(now);
            default -> stay();
        };
    }

    // The first sign asks at once, what follows shortly after shares the next ask.
    private Step open(long now) {
        return known.isTooEarly(now) ? rest(known.laterThanNotBefore(now)) : takeTurn(now);
    }

    private Step stray(LatchEvent.Refused refused) {
        MeshException failure = refused.failure();
        if (isAboutAnother(failure)) {
            return stay();
        }
        if (failure instanceof NotFound && failure.isVerdictAbout(terms.address())) {
            return switch (turn.phase()) {
                case LIVE -> asleep(Reason.NOT_FOUND, new LatchCommand.Dormant(Reason.NOT_FOUND));
                // What it rests for may be younger than the verdict: the owner is asked.
                case RESTING -> with(pending.withPlain()).stay();
                case ASKING, AWAITING, DORMANT, ENDED -> stay();
            };
        }
        if (!(failure instanceof ShuttingDown) || isPast(failure.activation())) {
            return stay();
        }
        Latch next = with(pending.withGoing(failure.activation(), refused.local()));
        return switch (turn.phase()) {
            case ASKING, RESTING -> next.stay();
            case LIVE -> next.open(refused.now());
            case AWAITING, DORMANT, ENDED -> stay();
        };
    }

    private Step refused(LatchEvent.Refused refused) {
        MeshException failure = refused.failure();
        Latch next = with(known.refused());
        if (isAboutAnother(failure)) {
            return next.end(Reason.FAILED, failure);
        }
        if (failure instanceof ShuttingDown goingDown) {
            return next.charge(goingDown, refused);
        }
        if (Refusals.isDelay(failure)) {
            Refusals delayed = refusals.delay();
            long rest = terms.budget().delayNanos(delayed.delays(), refused.jitter());
            return next.with(delayed).rest(refused.now() + rest);
        }
        if (failure instanceof NotFound && failure.isVerdictAbout(terms.address())) {
            return next.notFound(failure, refused.now());
        }
        return next.end(reasonOf(failure), failure);
    }

    /** How a failure ends the stream that asked; empty when it says something of the address, or only of now. */
    public Optional<Reason> endOf(MeshException failure) {
        if (isAboutAnother(failure)) {
            return Optional.of(Reason.FAILED);
        }
        boolean missing = failure instanceof NotFound && failure.isVerdictAbout(terms.address());
        return missing || failure instanceof ShuttingDown || Refusals.isDelay(failure)
                ? Optional.empty()
                : Optional.of(reasonOf(failure));
    }

    private static Reason reasonOf(MeshException failure) {
        return Refusals.isVerdict(failure) ? Reason.REFUSED : Reason.FAILED;
    }

    private boolean isAboutAnother(MeshException failure) {
        return failure.address()
                .filter(it -> !it.equals(terms.address().toString()))
                .isPresent();
    }

    private Step charge(ShuttingDown refusal, LatchEvent.Refused refused) {
        Latch next = with(refusals.charge(refusal, refused.local()));
        RideOutBudget spent = next.refusals.spent();
        long paced = refused.now() + terms.budget().paceNanos();
        if (spent.exhausted(terms.budget().policy())) {
            return pending.wakes() ? awake(paced) : next.giveUp(refusal, paced);
        }
        return spent.rests() ? next.rest(paced) : next.takeTurn(refused.now());
    }

    private Step giveUp(ShuttingDown refusal, long paced) {
        RideOutPolicy policy = terms.budget().policy();
        RideOutBudget spent = refusals.spent();
        boolean recycles = spent.activations() > policy.activationBound();
        LatchCommand warning = new LatchCommand.GiveUp(
                terms.address(),
                refusal.activation(),
                recycles ? Axis.ACTIVATION : Axis.TIME,
                recycles ? policy.activationBound() : policy.repeatBound(),
                recycles ? spent.activations() : spent.repeats(),
                refusal);
        return with(known.notBefore(paced)).asleep(Reason.GAVE_UP, warning);
    }

    private Step notFound(MeshException failure, long now) {
        if (pending.wakes()) {
            return awake(now + terms.budget().paceNanos());
        }
        return known.everLive()
                ? asleep(Reason.NOT_FOUND, new LatchCommand.Dormant(Reason.NOT_FOUND))
                : end(Reason.NOT_FOUND, failure);
    }

    // A wake that came while the answer was under way is not slept through: it may be younger than the answer.
    private Step awake(long paced) {
        return with(Refusals.NONE).rest(known.laterThanNotBefore(paced));
    }

    private Step subscribed(LatchEvent.Subscribed subscribed) {
        Pending left = pending.afterSuccess(subscribed.activation());
        Latch next = with(known.accepted(subscribed.activation()))
                .with(Refusals.NONE)
                .with(left);
        if (left.equals(Pending.NONE)) {
            return next.to(Phase.LIVE).stay();
        }
        // One pace for the frames of the new subscription: they may make the re-ask needless.
        return next.rest(
                known.laterThanNotBefore(subscribed.now() + terms.budget().paceNanos()));
    }

    private Step rested(LatchEvent.Rested rested) {
        if (turn.phase() != Phase.RESTING) {
            return stay();
        }
        if (rested.now() - turn.until() < 0) {
            return new Step(this, new LatchCommand.Rest(turn.until()));
        }
        if (known.live() != null && !pending.isDue(rested.received())) {
            return with(Pending.NONE).to(Phase.LIVE).stay();
        }
        return takeTurn(rested.now());
    }

    // The turn has come: whether to wait for a disposal in this process is decided only now.
    private Step takeTurn(long now) {
        ActivationId local = localStillThere();
        if (local != null) {
            return new Step(to(Phase.AWAITING), new LatchCommand.AwaitDisposal(local));
        }
        int attempt = turn.attempt() + 1;
        Known next = refusals.count() == 0
                ? known.notBefore(now + terms.budget().burst().toNanos())
                : known;
        return new Step(
                new Latch(terms, new Turn(Phase.ASKING, attempt, 0, null), next, refusals, Pending.NONE),
                new LatchCommand.Ask(attempt));
    }

    private @Nullable ActivationId localStillThere() {
        ActivationId going = pending.local() ? pending.going() : null;
        if (going != null && !known.isDisposed(going)) {
            return going;
        }
        ActivationId refusing = refusals.local();
        return refusing != null && !known.isDisposed(refusing) ? refusing : null;
    }

    private Step disposed(LatchEvent.LocalDisposed disposed) {
        Latch next = with(known.disposed(disposed.activation()));
        return turn.phase() == Phase.AWAITING && next.localStillThere() == null
                ? next.takeTurn(disposed.now())
                : next.stay();
    }

    private Step rest(long until) {
        return new Step(
                new Latch(terms, new Turn(Phase.RESTING, turn.attempt(), until, null), known, refusals, pending),
                new LatchCommand.Rest(until));
    }

    private Step asleep(Reason reason, LatchCommand command) {
        Turn still = new Turn(Phase.DORMANT, turn.attempt(), 0, reason);
        return new Step(new Latch(terms, still, known.refused(), Refusals.NONE, Pending.NONE), command);
    }

    private Step end(Reason reason, @Nullable MeshException cause) {
        Turn still = new Turn(Phase.ENDED, turn.attempt(), 0, reason);
        return new Step(
                new Latch(terms, still, known, Refusals.NONE, Pending.NONE), new LatchCommand.End(reason, cause));
    }

    private Step stay() {
        return new Step(this, NOTHING);
    }

    private Latch to(Phase phase) {
        return new Latch(terms, new Turn(phase, turn.attempt(), 0, null), known, refusals, pending);
    }

    private Latch with(Known newKnown) {
        return new Latch(terms, turn, newKnown, refusals, pending);
    }

    private Latch with(Refusals newRefusals) {
        return new Latch(terms, turn, known, newRefusals, pending);
    }

    private Latch with(Pending newPending) {
        return new Latch(terms, turn, known, refusals, newPending);
    }
}
