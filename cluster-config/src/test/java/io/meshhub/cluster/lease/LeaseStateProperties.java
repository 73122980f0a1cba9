package io.meshhub.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.cluster.lease.LeaseState.Command;
import io.meshhub.cluster.lease.LeaseState.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/** A lease over any sequence of rounds, answers, reads, lapses and jumps of the clock, beside a model that knows all of it. */
final class LeaseStateProperties {

    private static final Quorum QUORUM =
            new Quorum(2, 3, List.of("a", "b", "c"), Quorum.AfterLoss.SAFE, Quorum.LEAST_LEASE);
    private static final long LEASE = QUORUM.lease().toNanos();
    private static final long SECOND = 1_000_000_000;

    enum Kind {
        SEND,
        ANSWER,
        READ,
        READ_FAILED,
        TICK,
        VOID
    }

    /**
     * One event.
     *
     * @param pause how long after the one before
     * @param back which round or read it is about, counted back from the last
     * @param name who answers; "x" is no voter
     */
    record Event(Kind kind, long pause, int back, String name) {}

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Kind> kinds = Arbitraries.frequencyOf(
                Tuple.of(5, Arbitraries.just(Kind.SEND)),
                Tuple.of(12, Arbitraries.just(Kind.ANSWER)),
                Tuple.of(5, Arbitraries.just(Kind.READ)),
                Tuple.of(1, Arbitraries.just(Kind.READ_FAILED)),
                Tuple.of(4, Arbitraries.just(Kind.TICK)),
                Tuple.of(1, Arbitraries.just(Kind.VOID)));
        Arbitrary<Long> pauses = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.of(0L, 1L, SECOND / 2)),
                Tuple.of(3, Arbitraries.of(SECOND, LEASE - 1, LEASE, LEASE + 1, 2 * LEASE)));
        Arbitrary<Event> single = Combinators.combine(
                        kinds,
                        pauses,
                        Arbitraries.frequency(Tuple.of(8, 0), Tuple.of(3, 1), Tuple.of(1, 2), Tuple.of(1, 3)),
                        Arbitraries.frequency(Tuple.of(5, "a"), Tuple.of(5, "b"), Tuple.of(2, "c"), Tuple.of(1, "x")))
                .as(Event::new);
        // A whole round now and then: what can only happen to a node that serves is rare by chance.
        Arbitrary<List<Event>> granted = pauses.map(pause -> List.of(
                new Event(Kind.SEND, pause, 0, "a"),
                new Event(Kind.ANSWER, 0, 0, "a"),
                new Event(Kind.ANSWER, 1, 0, "b"),
                new Event(Kind.READ, 0, 0, "a")));
        return Arbitraries.frequencyOf(Tuple.of(5, single.map(List::of)), Tuple.of(1, granted))
                .list()
                .ofMaxSize(40)
                .map(parts -> parts.stream().flatMap(List::stream).toList());
    }

    /** Where a clock may begin: it may also be about to pass its highest number. */
    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.of(0L, -LEASE, Long.MAX_VALUE - 5 * SECOND, Long.MIN_VALUE);
    }

    /** A round as the model knows it. */
    private record Sent(long number, long at, Set<String> acknowledged) {}

    /** A time without a gap in which a quorum is known to have acknowledged. */
    private static final class Spell {
        long until;
        boolean served;

        Spell(long until) {
            this.until = until;
        }
    }

    /** A read that was asked for: in which spell, and what the machine calls it. */
    private record Read(Spell spell, int token) {}

    /** The machine, and beside it a model that ends a spell at the very moment, not when somebody looks. */
    private static final class Run {
        LeaseState state = LeaseState.START;
        long now;
        long lastRound;
        final List<Sent> rounds = new ArrayList<>();
        final List<Read> reads = new ArrayList<>();
        final List<Command> commands = new ArrayList<>();

        @Nullable
        Spell spell;

        @Nullable
        Long unservedSince;

        Run(long origin) {
            now = origin;
        }

        void on(Event event) {
            pass(event.pause());
            Command expected = Command.NOTHING;
            LeaseState.Step step = null;
            switch (event.kind()) {
                case SEND -> {
                    rounds.add(new Sent(++lastRound, now, new HashSet<>()));
                    state = state.sent(lastRound, now);
                }
                case ANSWER -> {
                    expected = answered(lastRound - event.back(), event.name());
                    step = state.acknowledged(lastRound - event.back(), event.name(), now, QUORUM);
                }
                case READ -> {
                    Read read = read(event.back());
                    if (read.spell() == spell && spell != null && !spell.served) {
                        spell.served = true;
                        unservedSince = null;
                        expected = Command.SERVE;
                    }
                    step = state.reread(read.token(), now);
                }
                case READ_FAILED -> {
                    Read read = read(event.back());
                    if (read.spell() == spell && spell != null && !spell.served) {
                        spell = null;
                    }
                    step = state.notReread(read.token(), now);
                }
                case TICK -> {
                    boolean over = unservedSince != null && now - unservedSince >= 2 * LEASE;
                    boolean unnoticed = state.phase() == Phase.HELD && spell == null;
                    expected = unnoticed
                            ? Command.CEASE
                            : spell == null && state.phase() == Phase.NONE && over ? Command.EXPEL : Command.NOTHING;
                    step = state.tick(now, QUORUM);
                }
                case VOID -> {
                    expected = state.phase() == Phase.HELD ? Command.CEASE : Command.NOTHING;
                    rounds.clear();
                    end(now);
                    step = state.voided(now);
                }
            }
            if (step != null) {
                assertThat(step.command()).as("%s at %d", event, now).isEqualTo(expected);
                take(step);
            }
            compare(event);
        }

        /** Time passes; what was held until then is not held at that moment any more. */
        void pass(long nanos) {
            if (spell != null && spell.until - (now + nanos) <= 0) {
                end(spell.until);
            }
            now += nanos;
        }

        private void end(long at) {
            if (spell != null && spell.served) {
                unservedSince = at;
            }
            spell = null;
        }

        private Command answered(long number, String name) {
            for (Sent round : rounds) {
                if (round.number() == number && QUORUM.isVoter(name)) {
                    round.acknowledged().add(name);
                    long end = round.at() + LEASE;
                    if (round.acknowledged().size() >= 2 && end - now > 0) {
                        if (spell == null) {
                            spell = new Spell(end);
                            return Command.REREAD;
                        }
                        spell.until = end - spell.until > 0 ? end : spell.until;
                    }
                }
            }
            return Command.NOTHING;
        }

        private Read read(int back) {
            int index = reads.size() - 1 - back;
            return index < 0 ? new Read(new Spell(now), -1) : reads.get(index);
        }

        private void take(LeaseState.Step step) {
            state = step.state();
            commands.add(step.command());
            if (step.command() == Command.REREAD && spell != null) {
                reads.add(new Read(spell, state.lapses()));
            }
        }

        boolean held() {
            return heldAt(now);
        }

        boolean heldAt(long time) {
            return state.phase() == Phase.HELD && time - state.until() < 0;
        }

        private void compare(Event event) {
            assertThat(held()).as("held after %s at %d", event, now).isEqualTo(spell != null && spell.served);
            if (spell != null) {
                assertThat(state.until()).isEqualTo(spell.until);
            }
            if (event.kind() == Kind.TICK) {
                assertThat(state.phase() == Phase.NONE).isEqualTo(spell == null);
                assertThat(state.noneSince().orElse(null)).isEqualTo(unservedSince);
            }
        }
    }

    @Property
    void itIsHeldJustWhereTheModelHoldsIt(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Run run = new Run(origin);
        events.forEach(run::on);
        long served = run.commands.stream()
                .filter(command -> command == Command.SERVE)
                .count();
        Statistics.label("times served").collect(Math.min(served, 3)).coverage(found -> {
            found.check(2L).percentage(share -> share > 5);
            found.check(3L).percentage(share -> share > 1);
        });
    }

    /** The promise itself, from the bare history: no counting, no states. */
    @Property
    void wheneverItIsHeldAQuorumOfVotersAcknowledgedARoundThatWasSentWithinALease(
            @ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Run run = new Run(origin);
        for (Event event : events) {
            run.on(event);
            if (run.state.phase() == Phase.HELD) {
                long last = run.state.until() - 1;
                assertThat(run.heldAt(last)).isTrue();
                assertThat(run.heldAt(last + 1)).isFalse();
                assertThat(run.rounds).anySatisfy(round -> {
                    assertThat(last - round.at()).isLessThan(LEASE);
                    assertThat(QUORUM.voters().stream().filter(round.acknowledged()::contains))
                            .hasSizeGreaterThanOrEqualTo(QUORUM.size());
                });
            }
        }
    }

    /** No answer, however late, shortens what an earlier one gave. */
    @Property
    void anAnswerNeverShortensALease(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Run run = new Run(origin);
        for (Event event : events) {
            run.pass(event.pause());
            boolean before = run.held();
            long until = run.state.until();
            run.on(new Event(event.kind(), 0, event.back(), event.name()));
            if (before && event.kind() != Kind.VOID) {
                assertThat(run.held()).isTrue();
                assertThat(run.state.until() - until).isNotNegative();
            }
        }
    }

    /** To serve and to cease take turns: a lapse that is only seen with the next answer counts as one as well. */
    @Property
    void serveAndCeaseTakeTurns(@ForAll("events") List<Event> events, @ForAll("origins") long origin) {
        Run run = new Run(origin);
        boolean serving = false;
        for (Event event : events) {
            boolean heldBefore = run.state.phase() == Phase.HELD;
            int seen = run.commands.size();
            run.on(event);
            for (Command command : run.commands.subList(seen, run.commands.size())) {
                if (command == Command.SERVE) {
                    assertThat(serving).isFalse();
                    serving = true;
                } else if (command == Command.CEASE || (command == Command.REREAD && heldBefore)) {
                    assertThat(serving).isTrue();
                    serving = false;
                }
            }
        }
    }

    // ---- each number at its bound

    private static LeaseState served(long sent) {
        LeaseState state = LeaseState.START.sent(1, sent);
        state = state.acknowledged(1, "a", sent, QUORUM).state();
        state = state.acknowledged(1, "b", sent, QUORUM).state();
        LeaseState.Step step = state.reread(state.lapses(), sent);
        assertThat(step.command()).isEqualTo(Command.SERVE);
        return step.state();
    }

    @Example
    void itCountsFromTheSendAndNotFromTheAnswer() {
        LeaseState state = LeaseState.START.sent(1, 0);
        state = state.acknowledged(1, "a", LEASE - 1, QUORUM).state();
        LeaseState.Step step = state.acknowledged(1, "b", LEASE - 1, QUORUM);

        assertThat(step.command()).isEqualTo(Command.REREAD);
        assertThat(step.state().until()).isEqualTo(LEASE);
        assertThat(state.acknowledged(1, "b", LEASE, QUORUM).command())
                .as("as late as that it gives nothing")
                .isEqualTo(Command.NOTHING);
    }

    @Example
    void oneVoterCountsOnceAndOneThatIsNotListedNever() {
        LeaseState state = LeaseState.START.sent(1, 0);
        for (String name : List.of("a", "a", "x", "A", "")) {
            LeaseState.Step step = state.acknowledged(1, name, 1, QUORUM);
            assertThat(step.command()).isEqualTo(Command.NOTHING);
            state = step.state();
        }
        assertThat(state.acknowledged(1, "c", 1, QUORUM).command()).isEqualTo(Command.REREAD);
    }

    @Example
    void acknowledgementsOfTwoRoundsDoNotAddUp() {
        LeaseState state = LeaseState.START.sent(1, 0).sent(2, 1);
        state = state.acknowledged(1, "a", 2, QUORUM).state();

        assertThat(state.acknowledged(2, "b", 2, QUORUM).command()).isEqualTo(Command.NOTHING);
    }

    @Example
    void itLapsesAtItsVeryEnd() {
        LeaseState state = served(0);

        assertThat(state.tick(LEASE - 1, QUORUM).command()).isEqualTo(Command.NOTHING);
        assertThat(state.tick(LEASE, QUORUM).command()).isEqualTo(Command.CEASE);
    }

    @Example
    void twoLeasesWithoutOneAreTheEnd() {
        LeaseState lapsed = served(0).tick(LEASE + SECOND, QUORUM).state();

        assertThat(lapsed.noneSince()).contains(LEASE);
        assertThat(lapsed.tick(3 * LEASE - 1, QUORUM).command()).isEqualTo(Command.NOTHING);
        assertThat(lapsed.tick(3 * LEASE, QUORUM).command()).isEqualTo(Command.EXPEL);
    }

    @Example
    void aNodeThatNeverHadALeaseIsNotGivenUpForThat() {
        assertThat(LeaseState.START.tick(1_000 * LEASE, QUORUM).command()).isEqualTo(Command.NOTHING);
    }

    @Example
    void aRoundThatIsTooOldCountsNoMore() {
        LeaseState state = LeaseState.START;
        for (int round = 1; round <= 65; round++) {
            state = state.sent(round, 0);
        }

        assertThat(state.rounds()).hasSize(64).doesNotContainKey(1L).containsKey(2L);
    }

    @Example
    void aLapseAndAGrantAnewReadTheRowsAgain() {
        LeaseState lapsed = served(0).tick(LEASE, QUORUM).state();
        LeaseState asked =
                lapsed.sent(2, LEASE).acknowledged(2, "a", LEASE, QUORUM).state();
        LeaseState.Step won = asked.acknowledged(2, "c", LEASE, QUORUM);

        assertThat(won.command()).isEqualTo(Command.REREAD);
        assertThat(won.state().reread(0, LEASE).command())
                .as("a read that began before the lapse")
                .isEqualTo(Command.NOTHING);
        assertThat(won.state().reread(won.state().lapses(), LEASE).command()).isEqualTo(Command.SERVE);
    }
}
