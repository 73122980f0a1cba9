package io.meshhub.query.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.query.gate.GateCommand.Outcome;
import io.meshhub.routing.failure.QueryProviderStalled.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Performs what a gate commands, as far as there is something to check, after each step. */
final class GateShell {

    static final Duration RUNG = Duration.ofSeconds(15);

    final List<Outcome> outcomes = new ArrayList<>();
    final Map<String, Integer> open = new TreeMap<>();
    final Map<String, Integer> resting = new TreeMap<>();
    final Map<String, Integer> retries = new TreeMap<>();
    final Set<String> spoken = new HashSet<>();
    final int providers;
    InitialGate gate;
    boolean armed;
    boolean cancelled;
    long now = 1_000;

    GateShell(List<String> names) {
        providers = names.size();
        gate = InitialGate.of(names, RUNG);
        on(new GateEvent.Opened(now));
    }

    GateShell(GateShell other) {
        outcomes.addAll(other.outcomes);
        open.putAll(other.open);
        resting.putAll(other.resting);
        retries.putAll(other.retries);
        spoken.addAll(other.spoken);
        providers = other.providers;
        gate = other.gate;
        armed = other.armed;
        cancelled = other.cancelled;
        now = other.now;
    }

    /** All that what follows depends on, as long as time stands still. */
    String state() {
        return gate.state() + open + resting + retries + new TreeSet<>(spoken) + armed + cancelled + outcomes;
    }

    int ask(String provider) {
        return open.getOrDefault(provider, -1);
    }

    void on(GateEvent event) {
        boolean wasOver = gate.isOver();
        if (!wasOver) {
            note(event);
        }
        InitialGate.Step step = gate.on(event);
        gate = step.gate();
        step.commands().forEach(this::perform);
        assertThat(wasOver && !step.commands().isEmpty())
                .as("commands after the end, at " + event)
                .isFalse();
        check();
    }

    // One that rests, or completed by itself, has no call.
    private boolean isOpen(String provider, int ask) {
        return ask > 0 && ask == ask(provider);
    }

    private void note(GateEvent event) {
        if (event instanceof GateEvent.First first && isOpen(first.provider(), first.ask())) {
            spoken.add(first.provider());
        } else if (event instanceof GateEvent.Completed completed && isOpen(completed.provider(), completed.ask())) {
            // After a first result it says nothing new; without one it ended its call by itself.
            if (spoken.add(completed.provider())) {
                open.remove(completed.provider());
            }
        } else if (event instanceof GateEvent.Failed failed && isOpen(failed.provider(), failed.ask())) {
            spoken.remove(failed.provider());
        } else if (event instanceof GateEvent.AskAgain again) {
            spoken.removeAll(again.providers());
        } else if (event instanceof GateEvent.Cancelled) {
            cancelled = true;
        } else if (event instanceof GateEvent.TimedOut) {
            armed = false;
        }
    }

    private void perform(GateCommand command) {
        if (command instanceof GateCommand.Arm) {
            assertThat(armed).isFalse();
            armed = true;
        } else if (command instanceof GateCommand.Disarm) {
            armed = false;
        } else if (command instanceof GateCommand.Open o) {
            resting.remove(o.provider());
            open.put(o.provider(), o.ask());
        } else if (command instanceof GateCommand.Rest r) {
            open.remove(r.provider());
            int retry = retries.merge(r.provider(), 1, Integer::sum);
            assertThat(retry).isLessThanOrEqualTo(3);
            assertThat(r.rest()).isEqualTo(InitialGate.RESTS.get(retry - 1));
            assertThat(resting.put(r.provider(), r.ask())).isNull();
        } else if (command instanceof GateCommand.DropRest r) {
            assertThat(resting.remove(r.provider())).isNotNull();
        } else if (command instanceof GateCommand.Close c) {
            assertThat(open.remove(c.provider(), c.ask())).isTrue();
        } else if (command instanceof Outcome outcome) {
            outcomes.add(outcome);
        }
    }

    private void check() {
        int expected = gate.isOver() && !cancelled ? 1 : 0;
        assertThat(outcomes).hasSize(expected);
        assertThat(armed).as("timer").isEqualTo(!gate.isOver());
        if (!gate.isOver()) {
            return;
        }
        assertThat(resting).isEmpty();
        boolean whole = !outcomes.isEmpty() && outcomes.get(0) instanceof GateCommand.Emit;
        if (!whole) {
            assertThat(open).isEmpty();
        }
        for (Outcome outcome : outcomes) {
            ProviderCounts counts = outcome.counts();
            assertThat(counts.answered() + counts.empty() + counts.failed() + counts.stalled())
                    .isEqualTo(providers);
            if (outcome instanceof GateCommand.Stalled stalled) {
                assertThat(stalled.stalls()).hasSize(counts.stalled()).isNotEmpty();
                assertThat(stalled.stalls()).extracting(Stall::provider).noneMatch(spoken::contains);
                assertThat(counts.failed()).isZero();
            } else if (outcome instanceof GateCommand.Fail fail) {
                assertThat(fail.givenUp()).doesNotContain(fail.provider()).noneMatch(spoken::contains);
                assertThat(counts.failed()).isEqualTo(1 + fail.givenUp().size());
                assertThat(counts.stalled()).isZero();
            } else if (outcome instanceof GateCommand.Emit emit) {
                assertThat(spoken).hasSize(providers);
                assertThat(emit.silent()).hasSize(counts.empty());
            }
        }
    }
}
