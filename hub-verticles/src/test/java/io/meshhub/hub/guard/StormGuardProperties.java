package io.meshhub.hub.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** M8, the state machine: which messages of which types pass. */
class StormGuardProperties {

    private static final long SECOND = StormGuard.WINDOW_NANOS;

    @Property
    void aTypeAtTheLimitNeverTrips(
            @ForAll @IntRange(min = 1, max = 200) int limit, @ForAll @IntRange(min = 1, max = 5) int seconds) {
        StormGuard guard = new StormGuard(limit);
        long gap = SECOND / limit + 1;
        for (long i = 0; i < (long) seconds * limit; i++) {
            assertThat(guard.on("a", i * gap).passes()).isTrue();
        }
    }

    @Property
    void aFloodOfOneTypeTripsThatTypeOnceAndNoOther(
            @ForAll @IntRange(min = 1, max = 100) int limit, @ForAll @IntRange(min = 2, max = 6) int times) {
        StormGuard guard = new StormGuard(limit);
        int trips = 0;
        int passed = 0;
        for (int i = 0; i < limit * times; i++) {
            StormGuard.Verdict verdict = guard.on("flood", i);
            trips += verdict.trips() ? 1 : 0;
            passed += verdict.passes() ? 1 : 0;
            if (!verdict.passes()) {
                assertThat(verdict.retryNanos()).isBetween(1L, 2 * SECOND);
                assertThat(verdict.observed()).isGreaterThan(limit);
            }
            if (i < limit) {
                assertThat(guard.on("other", i).passes()).isTrue();
            }
        }
        assertThat(trips).isEqualTo(1);
        assertThat(passed).isEqualTo(limit);
    }

    /** It heals by itself: at the latest when the time that was told is over, if nothing more comes. */
    @Property
    void itHealsWhenTheHintIsOver(
            @ForAll @IntRange(min = 1, max = 50) int limit,
            @ForAll @Size(min = 1, max = 300) List<@IntRange(min = 0, max = 40_000_000) Integer> gaps) {
        StormGuard guard = new StormGuard(limit);
        long now = 0;
        StormGuard.Verdict last = guard.on("a", now);
        for (int gap : gaps) {
            now += gap;
            last = guard.on("a", now);
        }
        assertThat(guard.on("a", now + last.retryNanos() + SECOND).passes()).isTrue();
        assertThat(guard.isCalm(now + 5 * SECOND)).isTrue();
    }

    @Property
    void whatGoesOnIsRefusedUntilItGetsLess(@ForAll @IntRange(min = 1, max = 50) int limit) {
        StormGuard guard = new StormGuard(limit);
        for (int second = 0; second < 3; second++) {
            for (int i = 0; i < 2 * limit; i++) {
                boolean passes = guard.on("a", second * SECOND + i).passes();
                assertThat(passes).isEqualTo(second == 0 && i < limit);
            }
        }
        // One calm window, in which it is still refused; then it passes.
        assertThat(guard.on("a", 3 * SECOND).passes()).isFalse();
        assertThat(guard.on("a", 4 * SECOND).passes()).isTrue();
    }

    @Property
    void manyTypesNeverTripHoweverManyThereAre(@ForAll @IntRange(min = 20, max = 200) int types) {
        StormGuard guard = new StormGuard(1000);
        for (int i = 0; i < 20_000; i++) {
            assertThat(guard.on("t" + i % types, i * 1_000L).passes())
                    .as("%s of %s types", i, types)
                    .isTrue();
        }
    }
}
