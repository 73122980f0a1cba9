package io.meshhub.hub.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** D11, the state machine: which loop counts as blocked. */
class LoopWatchProperties {

    private static final long PERIOD = 10;
    private static final long LIMIT = 50;

    @Property
    void itIsFoundBlockedOnceAndFreedOnceForEachTime(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 3) Integer> looks) {
        LoopWatch watch = LoopWatch.MOVING;
        Object[] code = {null, "a", "b"};
        int findings = 0;
        int still = 0;
        Object before = null;
        for (int look : looks) {
            boolean answered = look == 3;
            Object running = answered ? null : code[look];
            still = answered || running != before ? 0 : still + 1;
            before = running;
            LoopWatch.Step step = watch.look(PERIOD, PERIOD, answered, running, LIMIT);
            watch = step.next();
            switch (step.finding()) {
                case BLOCKED -> assertThat(++findings % 2).isEqualTo(1);
                case FREED -> assertThat(++findings % 2).isZero();
                case NONE -> {}
            }
            assertThat(watch.blocked()).isEqualTo(still * PERIOD >= LIMIT);
        }
    }

    /** A process that was frozen, or had no processor, blames no loop. */
    @Property
    void timeInWhichNobodyLookedCountsForAtMostTwoPeriods(@ForAll @IntRange(min = 20, max = 1_000_000) int frozen) {
        LoopWatch.Step step = LoopWatch.MOVING.look(frozen, PERIOD, false, null, LIMIT);
        assertThat(step.finding()).isEqualTo(LoopWatch.Finding.NONE);
        assertThat(step.next().stalledNanos()).isEqualTo(2 * PERIOD);
    }

    @Example
    void theBoundsAreChecked() {
        assertThat(GuardOptions.ofDefaults().period()).isEqualTo(Duration.ofSeconds(1));
        assertThat(new GuardOptions(0, Duration.ofMillis(100)).period()).isEqualTo(Duration.ofMillis(20));
        assertThatThrownBy(() -> new GuardOptions(-1, Duration.ofSeconds(1))).hasMessageContaining("-1");
        assertThatThrownBy(() -> new GuardOptions(1, Duration.ofMillis(99))).hasMessageContaining("99");
    }
}
