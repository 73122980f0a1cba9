package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.queues.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Each wait is over once, at its time and never before, unless it ended by itself. */
class DeadlinesProperties {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final ManualPacer pacer = new ManualPacer(clock);
    private final Deadlines deadlines = new Deadlines(clock, pacer);

    private final class Watched extends Deadlines.Wait {
        private final long due;
        private int over;
        private boolean ended;

        Watched(long due) {
            this.due = due;
        }

        @Override
        protected void over() {
            assertThat(clock.nanoTime()).isGreaterThanOrEqualTo(due);
            over++;
        }
    }

    /** What a test does: begin a wait of so many microseconds, end the n-th one, or let time pass. */
    record Step(int kind, long micros, int which) {}

    @Provide
    Arbitrary<Step> steps() {
        // Short ones, those about the size of a slot, and some that go round the wheel.
        Arbitrary<Long> micros = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 50_000),
                Arbitraries.longs().between(0, 30_000_000),
                Arbitraries.longs().between(40_000_000, 200_000_000));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 2),
                        micros,
                        Arbitraries.integers().between(0, 50))
                .as(Step::new);
    }

    @Property(tries = 300)
    void everyWaitIsOverOnceAtItsTimeUnlessItEnded(@ForAll List<@From("steps") Step> steps) {
        List<Watched> all = new ArrayList<>();
        for (Step step : steps) {
            Duration time = Duration.ofNanos(step.micros() * 1000);
            if (step.kind() == 0) {
                Watched wait = new Watched(clock.nanoTime() + time.toNanos());
                all.add(wait);
                deadlines.add(wait, wait.due);
            } else if (step.kind() == 1 && !all.isEmpty()) {
                Watched wait = all.get(step.which() % all.size());
                boolean waited = deadlines.remove(wait);
                assertThat(waited).isEqualTo(!wait.ended && wait.over == 0);
                wait.ended = true;
            } else {
                pacer.advance(time);
            }
            check(all);
        }
        pacer.advance(Duration.ofSeconds(400));
        check(all);
        assertThat(deadlines.all()).isEmpty();
        assertThat(pacer.pending()).isZero();
    }

    private void check(List<Watched> all) {
        int waiting = 0;
        for (Watched wait : all) {
            boolean due = wait.due < clock.nanoTime();
            assertThat(wait.over).isLessThanOrEqualTo(1);
            if (due && !wait.ended) {
                assertThat(wait.over).isOne();
            }
            waiting += wait.over == 0 && !wait.ended ? 1 : 0;
        }
        assertThat(deadlines.all()).hasSize(waiting);
        // One timer stands for all that one thread began.
        assertThat(pacer.pending()).isEqualTo(waiting == 0 ? 0 : 1);
    }

    @Example
    void oneThatThrowsDoesNotKeepOthersFromBeingTold() {
        Deadlines.Wait bad = new Deadlines.Wait() {
            @Override
            protected void over() {
                throw new IllegalStateException("planted");
            }
        };
        Watched before = new Watched(5 * NANOS_PER_MILLI + clock.nanoTime());
        Watched after = new Watched(before.due);
        deadlines.add(before, before.due);
        deadlines.add(bad, before.due);
        deadlines.add(after, after.due);

        pacer.advance(Duration.ofMillis(5));

        assertThat(before.over).isOne();
        assertThat(after.over).isOne();
    }

    @Example
    void insideAnActionATimerStaysUntilTheActionIsOver() {
        deadlines.during(() -> {
            beginsAndEnds(50);
            assertThat(pacer.pending()).isOne();
            beginsAndEnds(60);
            assertThat(pacer.pending()).isOne();
        });

        assertThat(pacer.pending()).isZero();
    }

    @Example
    void aWaitThatBeginsAfterATimerThatStayedIsToldInTime() {
        Watched late = new Watched(clock.nanoTime() + 100 * NANOS_PER_MILLI);

        deadlines.during(() -> {
            beginsAndEnds(5);
            pacer.advance(Duration.ofMillis(10));
            deadlines.add(late, late.due);
            pacer.advance(Duration.ofMillis(95));
        });

        assertThat(late.over).isOne();
        assertThat(pacer.pending()).isZero();
    }

    private void beginsAndEnds(long millis) {
        Watched wait = new Watched(clock.nanoTime() + millis * NANOS_PER_MILLI);
        deadlines.add(wait, wait.due);
        deadlines.remove(wait);
    }

    @Example
    void aTimeThatIsOverAlreadyIsToldAtTheNextLook() {
        Watched late = new Watched(clock.nanoTime() - 70 * NANOS_PER_MILLI);
        deadlines.add(late, late.due);

        pacer.advance(Duration.ZERO);

        assertThat(late.over).isOne();
    }
}
