package io.meshhub.query.gate;

import io.meshhub.query.gate.GateCommand.Outcome;
import io.meshhub.query.gate.Slot.Phase;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a merged result begins: once each provider gave a first result or completed without one, and within the
 * rung. Immutable; one path for one provider and for many.
 *
 * <p>There is exactly one outcome, and then nothing is left: no timer, no rest, and, unless the outcome is {@link
 * GateCommand.Emit}, no open call. A provider's own error ends the gate at once, and so before any stall. Whoever was not
 * reached is asked again at most {@link #RESTS} times, inside the rung; nothing else is.
 */
public final class InitialGate {

    /** The rests before an ask of a provider that was not reached. */
    public static final List<Duration> RESTS =
            List.of(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1));

    /** The most asks of one provider in one gate: {@value}. Who has still nothing that does is failed. */
    public static final int MAX_ASKS = 16;

    /** What follows an event: the gate as it is then, and what is to be done, in this order. */
    public record Step(InitialGate gate, List<GateCommand> commands) {
        public Step {
            commands = List.copyOf(commands);
        }
    }

    private enum State {
        NEW,
        WAITING,
        OVER
    }

    private final State state;
    private final Duration rung;
    private final long openedAt;
    // Where each provider stands in the slots: alike for all states of one gate, and so never copied.
    private final Map<String, Integer> places;
    private final List<Slot> slots;

    private InitialGate(State state, Duration rung, long openedAt, Map<String, Integer> places, List<Slot> slots) {
        this.state = state;
        this.rung = rung;
        this.openedAt = openedAt;
        this.places = places;
        this.slots = slots;
    }

    /**
     * A gate for those providers, each of which has a name of its own.
     *
     * @param rung the time for all first results, from {@link GateEvent.Opened} on; above 0
     */
    public static InitialGate of(Collection<String> providers, Duration rung) {
        if (rung.isNegative() || rung.isZero()) {
            throw new IllegalArgumentException("rung = " + rung + " must be > 0");
        }
        Map<String, Integer> places = new HashMap<>();
        List<Slot> slots = new ArrayList<>();
        for (String provider : providers) {
            if (places.put(provider, slots.size()) != null) {
                throw new IllegalArgumentException("provider '" + provider + "' is there twice");
            }
            slots.add(Slot.of(provider));
        }
        return new InitialGate(State.NEW, rung, 0, places, slots);
    }

    /** What follows the event. */
    public Step on(GateEvent event) {
        if (event instanceof GateEvent.Opened opened) {
            return state == State.NEW ? open(opened.now()) : stay();
        }
        if (state == State.OVER) {
            return stay();
        }
        if (event instanceof GateEvent.Cancelled) {
            return cancelled();
        }
        if (state == State.NEW) {
            return stay();
        }
        if (event instanceof GateEvent.TimedOut timedOut) {
            return timedOut(timedOut.now());
        }
        if (event instanceof GateEvent.AskAgain again) {
            return askAgain(again);
        }
        return ofProvider(event);
    }

    private Step ofProvider(GateEvent event) {
        if (event instanceof GateEvent.Started started) {
            return asked(started.provider(), started.ask())
                    .map(slot -> with(slot.started(started.now())).stay())
                    .orElseGet(this::stay);
        }
        if (event instanceof GateEvent.OnItsWay away) {
            return asked(away.provider(), away.ask())
                    .map(slot -> with(slot.heard(false)).stay())
                    .orElseGet(this::stay);
        }
        if (event instanceof GateEvent.Reached reached) {
            return asked(reached.provider(), reached.ask())
                    .map(slot -> with(slot.heard(true)).stay())
                    .orElseGet(this::stay);
        }
        if (event instanceof GateEvent.First first) {
            return asked(first.provider(), first.ask())
                    .map(slot -> with(slot.to(Phase.ANSWERED)).settle())
                    .orElseGet(this::stay);
        }
        if (event instanceof GateEvent.Completed completed) {
            return asked(completed.provider(), completed.ask())
                    .map(slot -> with(slot.to(Phase.EMPTY)).settle())
                    .orElseGet(this::stay);
        }
        if (event instanceof GateEvent.Failed failed) {
            return present(failed.provider(), failed.ask())
                    .filter(slot -> slot.phase() != Phase.EMPTY)
                    .map(slot -> failed(slot, failed))
                    .orElseGet(this::stay);
        }
        GateEvent.RetryDue due = (GateEvent.RetryDue) event;
        return present(due.provider(), due.ask() - 1)
                .filter(slot -> slot.phase() == Phase.RESTING)
                .map(slot -> with(slot.asked(due.now())).then(new GateCommand.Open(due.provider(), due.ask())))
                .orElseGet(this::stay);
    }

    private Optional<Slot> present(String provider, int ask) {
        return Optional.ofNullable(slot(provider)).filter(slot -> slot.ask() == ask);
    }

    private @Nullable Slot slot(String provider) {
        Integer place = places.get(provider);
        return place == null ? null : slots.get(place);
    }

    private Optional<Slot> asked(String provider, int ask) {
        return present(provider, ask).filter(slot -> slot.phase() == Phase.ASKED);
    }

    private Step open(long now) {
        if (slots.isEmpty()) {
            return over(List.of(new GateCommand.Emit(List.of(), ProviderCounts.ofComplete(0, 0))));
        }
        List<GateCommand> commands = new ArrayList<>();
        commands.add(new GateCommand.Arm(now + rung.toNanos()));
        List<Slot> next = new ArrayList<>(slots.size());
        slots.forEach(slot -> {
            Slot asked = slot.asked(now);
            next.add(asked);
            commands.add(new GateCommand.Open(asked.provider(), asked.ask()));
        });
        return new Step(new InitialGate(State.WAITING, rung, now, places, next), commands);
    }

    private Step failed(Slot slot, GateEvent.Failed failed) {
        boolean again = failed.connectionFault() && slot.phase() == Phase.ASKED && slot.retries() < RESTS.size();
        if (again) {
            Duration rest = RESTS.get(slot.retries());
            // One that would come due when all is over is no retry, and would hide what is known by then.
            if (failed.now() + rest.toNanos() - deadline() < 0) {
                return with(slot.resting(failed.now()))
                        .then(new GateCommand.Rest(slot.provider(), slot.ask() + 1, rest));
            }
        }
        return fail(slot, failed.cause());
    }

    private Step fail(Slot failed, Throwable cause) {
        List<String> givenUp = waiting().stream()
                .map(Slot::provider)
                .filter(name -> !name.equals(failed.provider()))
                .toList();
        int answered = count(Phase.ANSWERED) - (failed.phase() == Phase.ANSWERED ? 1 : 0);
        ProviderCounts counts = new ProviderCounts(slots.size(), answered, count(Phase.EMPTY), 1 + givenUp.size(), 0);
        return end(new GateCommand.Fail(failed.provider(), cause, givenUp, counts));
    }

    private Step askAgain(GateEvent.AskAgain again) {
        List<Slot> next = new ArrayList<>(slots.size());
        List<GateCommand> commands = new ArrayList<>();
        for (Slot slot : slots) {
            // One that rests is about to be asked.
            if (!again.providers().contains(slot.provider()) || slot.phase() == Phase.RESTING) {
                next.add(slot);
                continue;
            }
            if (slot.ask() >= MAX_ASKS) {
                return fail(
                        slot,
                        new IllegalStateException(
                                "it was asked " + slot.ask() + " times, and took back each first result"));
            }
            Slot asked = slot.asked(again.now());
            next.add(asked);
            if (slot.hasCall()) {
                commands.add(new GateCommand.Close(slot.provider(), slot.ask()));
            }
            commands.add(new GateCommand.Open(asked.provider(), asked.ask()));
        }
        return new Step(new InitialGate(state, rung, openedAt, places, next), commands);
    }

    private Step settle() {
        if (slots.stream().anyMatch(Slot::isWaiting)) {
            return stay();
        }
        List<String> silent = slots.stream()
                .filter(slot -> slot.phase() == Phase.EMPTY)
                .map(Slot::provider)
                .toList();
        ProviderCounts counts = ProviderCounts.ofComplete(count(Phase.ANSWERED), silent.size());
        return over(List.of(new GateCommand.Disarm(), new GateCommand.Emit(silent, counts)));
    }

    private Step timedOut(long now) {
        List<Stall> stalls = stalls(now);
        ProviderCounts counts =
                new ProviderCounts(slots.size(), count(Phase.ANSWERED), count(Phase.EMPTY), 0, stalls.size());
        List<GateCommand> commands = closing();
        commands.add(new GateCommand.Stalled(stalls, counts));
        return over(commands);
    }

    private Step end(Outcome outcome) {
        List<GateCommand> commands = closing();
        commands.add(0, new GateCommand.Disarm());
        commands.add(outcome);
        return over(commands);
    }

    private List<GateCommand> closing() {
        List<GateCommand> commands = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.phase() == Phase.RESTING) {
                commands.add(new GateCommand.DropRest(slot.provider()));
            } else if (slot.hasCall()) {
                commands.add(new GateCommand.Close(slot.provider(), slot.ask()));
            }
        }
        return commands;
    }

    private Step cancelled() {
        List<GateCommand> commands = closing();
        if (state == State.WAITING) {
            commands.add(0, new GateCommand.Disarm());
        }
        return over(commands);
    }

    private List<Slot> waiting() {
        return slots.stream().filter(Slot::isWaiting).toList();
    }

    private int count(Phase phase) {
        return (int) slots.stream().filter(slot -> slot.phase() == phase).count();
    }

    private long deadline() {
        return openedAt + rung.toNanos();
    }

    /** Whether an outcome or a cancellation was. */
    public boolean isOver() {
        return state == State.OVER;
    }

    /** Whether nobody but this provider is waited for. */
    public boolean isLast(String provider) {
        Slot slot = slot(provider);
        return state == State.WAITING
                && slot != null
                && slot.isWaiting()
                && slots.stream().filter(Slot::isWaiting).count() == 1;
    }

    /** Those that have said nothing so far, each with the time that it waited and its own, in the order as given. */
    public List<Stall> stalls(long now) {
        return waiting().stream().map(slot -> slot.stall(openedAt, now)).toList();
    }

    /** How the providers would be counted if those that have said nothing so far had stalled. */
    public ProviderCounts countsIfStalled() {
        return new ProviderCounts(
                slots.size(),
                count(Phase.ANSWERED),
                count(Phase.EMPTY),
                0,
                waiting().size());
    }

    /** All that it knows, for tests that compare. */
    String state() {
        return state + " " + slots;
    }

    private InitialGate with(Slot slot) {
        List<Slot> next = new ArrayList<>(slots);
        next.set(Objects.requireNonNull(places.get(slot.provider())), slot);
        return new InitialGate(state, rung, openedAt, places, next);
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private Step then(GateCommand command) {
        return new Step(this, List.of(command));
    }

    private Step over(List<GateCommand> commands) {
        return new Step(new InitialGate(State.OVER, rung, openedAt, places, slots), commands);
    }
}
