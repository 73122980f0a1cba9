package io.meshhub.sync.protocol;

import static io.meshhub.sync.protocol.LatchShell.ADDRESS;
import static io.meshhub.sync.protocol.LatchShell.BURST;
import static io.meshhub.sync.protocol.LatchShell.PACE;
import static io.meshhub.sync.protocol.LatchShell.by;
import static io.meshhub.sync.protocol.LatchShell.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.RideOutBudget.Axis;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.Forbidden;
import io.meshhub.routing.failure.NotFound;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * L3 to L14: whatever happens in whatever order, a latch asks one at a time, at its pace, within its bounds.
 *
 * <p>{@link LatchShell} checks after every step that no second ask is outstanding, that nothing comes after the end,
 * and that something is under way exactly when the state says so: no timer outlives a give-up, and none is forgotten.
 */
class LatchProperties {

    private enum Kind {
        REFUSED,
        REFUSED_HERE,
        REFUSED_UNKNOWN,
        UNAVAILABLE,
        NOT_FOUND,
        FORBIDDEN,
        SUBSCRIBED,
        STRAY,
        STALE_ANSWER,
        GOODBYE,
        NODE_LOST,
        ANNOUNCED,
        WAKE,
        LOCAL_DISPOSED,
        EARLY_REST,
        DISPOSE,
        PASS
    }

    private record Happening(Kind kind, int activation, int millis, double jitter) {}

    /** The counts as the table has them, kept apart from the code under test. */
    private static final class Counts {
        int highest;
        int activations;
        int repeats;
        boolean rests;

        void refusedBy(int activation) {
            rests = activation <= highest;
            if (rests) {
                repeats++;
            } else {
                activations++;
                repeats = 0;
                highest = activation;
            }
        }

        void refusedByUnknown() {
            activations++;
            rests = true;
        }

        boolean isOver() {
            return activations > 3 || repeats > 16;
        }

        void reset() {
            highest = 0;
            activations = 0;
            repeats = 0;
        }
    }

    @Provide
    Arbitrary<List<Happening>> anything() {
        return happenings(Arbitraries.frequency(
                Tuple.of(10, Kind.REFUSED),
                Tuple.of(4, Kind.REFUSED_HERE),
                Tuple.of(1, Kind.REFUSED_UNKNOWN),
                Tuple.of(3, Kind.UNAVAILABLE),
                Tuple.of(2, Kind.NOT_FOUND),
                Tuple.of(4, Kind.SUBSCRIBED),
                Tuple.of(3, Kind.STRAY),
                Tuple.of(1, Kind.STALE_ANSWER),
                Tuple.of(3, Kind.GOODBYE),
                Tuple.of(2, Kind.NODE_LOST),
                Tuple.of(3, Kind.ANNOUNCED),
                Tuple.of(2, Kind.WAKE),
                Tuple.of(4, Kind.LOCAL_DISPOSED),
                Tuple.of(1, Kind.EARLY_REST),
                Tuple.of(10, Kind.PASS)));
    }

    @Provide
    Arbitrary<List<Happening>> ends() {
        return happenings(Arbitraries.of(Kind.values()));
    }

    @Provide
    Arbitrary<List<Happening>> refusals() {
        return happenings(Arbitraries.frequency(
                        Tuple.of(60, Kind.REFUSED),
                        Tuple.of(2, Kind.REFUSED_UNKNOWN),
                        Tuple.of(10, Kind.UNAVAILABLE),
                        Tuple.of(1, Kind.SUBSCRIBED),
                        Tuple.of(60, Kind.PASS)))
                .map(list -> {
                    // Mostly one activation, so that the time axis comes to its end as well.
                    List<Happening> biased = new ArrayList<>();
                    list.forEach(it -> biased.add(it.activation() > 1 && it.millis() % 8 != 0 ? first(it) : it));
                    return biased;
                });
    }

    private static Happening first(Happening it) {
        return new Happening(it.kind(), 1, it.millis(), it.jitter());
    }

    private static Arbitrary<List<Happening>> happenings(Arbitrary<Kind> kinds) {
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(0, 900),
                        Arbitraries.doubles().between(0, 1))
                .as(Happening::new)
                .list()
                .ofMaxSize(120);
    }

    /** One happening; answers are left out while no ask is outstanding. */
    private static void happen(LatchShell shell, Happening it) {
        boolean asked = shell.outstanding != 0;
        switch (it.kind()) {
            case REFUSED, REFUSED_HERE -> {
                if (asked) {
                    shell.refused(by(it.activation()), it.kind() == Kind.REFUSED_HERE, it.jitter());
                }
            }
            case REFUSED_UNKNOWN -> {
                if (asked) {
                    shell.refused(new ShuttingDown("going away", FailureDetail.about(ADDRESS)));
                }
            }
            case UNAVAILABLE -> {
                if (asked) {
                    shell.refused(Unavailable.notSent(ADDRESS, "b", "moving"), false, it.jitter());
                }
            }
            case NOT_FOUND -> {
                if (asked) {
                    shell.refused(NotFound.noNode(ADDRESS, "b"));
                }
            }
            case FORBIDDEN -> {
                if (asked) {
                    shell.refused(new Forbidden("no", FailureDetail.about(ADDRESS)));
                }
            }
            case SUBSCRIBED -> {
                if (asked) {
                    shell.subscribed(it.activation());
                }
            }
            case STRAY -> shell.stray(by(it.activation()), it.millis() % 2 == 0);
            case STALE_ANSWER -> shell.on(new LatchEvent.Subscribed(100_000, id(it.activation()), shell.now));
            case GOODBYE -> shell.goodbye(it.activation());
            case NODE_LOST -> shell.on(new LatchEvent.NodeLost(shell.now));
            case ANNOUNCED -> shell.announced(it.activation());
            case WAKE -> shell.wake();
            case LOCAL_DISPOSED -> shell.disposed(it.activation());
            case EARLY_REST -> {
                if (shell.timer.isPresent() && shell.timer.getAsLong() > shell.now) {
                    assertThat(shell.on(new LatchEvent.Rested(shell.received, shell.now)))
                            .isInstanceOf(LatchCommand.Rest.class);
                }
            }
            case DISPOSE -> shell.on(new LatchEvent.Dispose());
            case PASS -> shell.pass(it.millis());
        }
    }

    @Property
    void neverTwoAsksAreOutstandingAndNothingIsForgottenOrLeftBehind(@ForAll("anything") List<Happening> happenings) {
        LatchShell shell = new LatchShell();
        shell.subscribed(1);
        for (Happening each : happenings) {
            happen(shell, each);
        }

        assertThat(shell.ends).isEmpty();
        for (int i = 0; i < shell.asks.size(); i++) {
            assertThat(shell.asks.get(i).attempt()).as("attempts are counted").isEqualTo(i + 2);
        }
    }

    @Property
    void nothingComesAfterTheEndWhateverTheEndWas(@ForAll("ends") List<Happening> happenings) {
        LatchShell shell = new LatchShell();
        happenings.forEach(each -> happen(shell, each));
        int asks = shell.asks.size();
        boolean ended = shell.latch.isEnded();
        assertThat(shell.ends).hasSize(ended ? 1 : 0);

        shell.on(new LatchEvent.Dispose());
        happenings.forEach(each -> happen(shell, each));

        assertThat(shell.ends).hasSize(1);
        assertThat(shell.asks).hasSize(asks);
        assertThat(shell.latch.state()).isInstanceOf(LatchState.Ended.class);
    }

    @Property
    void boundsAreExactAndTheReportedCountIsTheObservedOne(@ForAll("refusals") List<Happening> happenings) {
        LatchShell shell = new LatchShell();
        Counts counts = new Counts();
        for (Happening each : happenings) {
            if (shell.latch.state() instanceof LatchState.Dormant) {
                shell.pass(1_000).wake();
            }
            boolean asked = shell.outstanding != 0;
            int warnings = shell.warnings.size();
            happen(shell, each);
            if (asked && each.kind() == Kind.REFUSED) {
                counts.refusedBy(each.activation());
            } else if (asked && each.kind() == Kind.REFUSED_UNKNOWN) {
                counts.refusedByUnknown();
            } else if (asked && each.kind() == Kind.SUBSCRIBED) {
                counts.reset();
                shell.goodbye(9);
                shell.pass(2_000);
            }
            assertThat(shell.warnings.size() - warnings)
                    .as("one warning when over a bound")
                    .isEqualTo(counts.isOver() ? 1 : 0);
            if (counts.isOver()) {
                LatchCommand.GiveUp warning = shell.warnings.get(warnings);
                boolean recycles = counts.activations > 3;
                assertThat(warning.bound()).isEqualTo(recycles ? Axis.ACTIVATION : Axis.TIME);
                assertThat(warning.observed()).isEqualTo(recycles ? counts.activations : counts.repeats);
                assertThat(warning.observed()).isEqualTo(warning.allowed() + 1);
                counts.reset();
            }
        }
    }

    @Property
    void reasksOfOneActivationKeepThePace(@ForAll("anything") List<Happening> happenings) {
        LatchShell shell = new LatchShell();
        Counts counts = new Counts();
        long paced = Long.MIN_VALUE;
        for (Happening each : happenings) {
            boolean asked = shell.outstanding != 0;
            boolean wasOver = counts.isOver();
            long at = shell.now;
            int asks = shell.asks.size();
            happen(shell, each);
            for (LatchShell.Asked ask : shell.asks.subList(asks, shell.asks.size())) {
                assertThat(ask.at())
                        .as("asked again because of %s", ask.because())
                        .isGreaterThanOrEqualTo(paced);
            }
            boolean known = each.kind() == Kind.REFUSED || each.kind() == Kind.REFUSED_HERE;
            if (asked && (known || each.kind() == Kind.REFUSED_UNKNOWN)) {
                if (wasOver) {
                    counts.reset();
                }
                if (known) {
                    counts.refusedBy(each.activation());
                } else {
                    counts.refusedByUnknown();
                }
                paced = counts.rests || counts.isOver() ? at + PACE : paced;
                assertThat(shell.asks.size() > asks && (counts.rests || counts.isOver()))
                        .as("asked at once")
                        .isFalse();
            } else if (asked && each.kind() == Kind.UNAVAILABLE) {
                paced = at + PACE;
            } else if (asked && (each.kind() == Kind.SUBSCRIBED || each.kind() == Kind.NOT_FOUND)) {
                counts.reset();
            }
            if (counts.isOver()) {
                counts.reset();
            }
        }
    }

    /** Triggers alone, each ask accepted: what comes within a burst shares one further ask, and none is lost. */
    @Property
    void burstOfTriggersMakesOneMoreAskAndTheLastTriggerIsFollowedByOne(
            @ForAll("anything") List<Happening> happenings) {
        LatchShell shell = new LatchShell();
        shell.subscribed(1);
        long lastTrigger = Long.MIN_VALUE;
        for (Happening each : happenings) {
            if (each.kind() == Kind.PASS) {
                shell.pass(each.millis());
            } else if (shell.outstanding != 0) {
                shell.subscribed(1);
            } else {
                lastTrigger = shell.now;
                shell.on(
                        each.millis() % 2 == 0
                                ? new LatchEvent.UnknownHere(shell.now)
                                : new LatchEvent.Announced(1_000, 0, shell.now));
            }
        }
        shell.pass(2_000);

        List<LatchShell.Asked> asks = shell.asks;
        for (int i = 1; i < asks.size(); i++) {
            assertThat(asks.get(i).at() - asks.get(i - 1).at()).isGreaterThanOrEqualTo(BURST);
        }
        if (lastTrigger != Long.MIN_VALUE) {
            assertThat(asks.get(asks.size() - 1).at()).isGreaterThanOrEqualTo(lastTrigger);
        }
    }

    @Property
    void givenUpItWantsNoTimerAndAWakeAsksAgain(
            @ForAll("anything") List<Happening> before, @ForAll("anything") List<Happening> meanwhile) {
        LatchShell shell = new LatchShell();
        shell.subscribed(1);
        before.forEach(each -> happen(shell, each));
        giveUp(shell);
        int asks = shell.asks.size();

        for (Happening each : meanwhile) {
            if (each.kind() != Kind.WAKE && each.kind() != Kind.ANNOUNCED) {
                happen(shell, each);
                assertThat(shell.timer).isEmpty();
            }
        }
        assertThat(shell.asks).hasSize(asks);
        assertThat(shell.latch.state()).isEqualTo(new LatchState.Dormant(LatchState.Reason.GAVE_UP));

        shell.wake();
        shell.pass(1_000);
        assertThat(shell.asks).hasSize(asks + 1);
    }

    // Drives it from wherever it is to a give-up, by further activations.
    private static void giveUp(LatchShell shell) {
        int activation = 10;
        int warnings = shell.warnings.size();
        for (int step = 0; step < 30 && shell.warnings.size() == warnings; step++) {
            shell.pass(6_000).disposed(activation);
            if (shell.outstanding != 0) {
                shell.refused(by(++activation));
            } else {
                shell.wake();
                shell.goodbye(activation);
            }
        }
        assertThat(shell.warnings).as("gives up").hasSize(warnings + 1);
    }
}
