package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** L15: how the streams of a lost node are spread. */
class SpreadProperties {

    @Property
    void fewWaitForNothing(
            @ForAll @IntRange(min = 0, max = Spread.FEW) int streams,
            @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double chance) {
        assertThat(Spread.delay(streams, chance)).isZero();
    }

    @Property
    void manyWaitWithinATimeThatGrowsWithThemUpToABound(
            @ForAll @IntRange(min = Spread.FEW + 1, max = 1_000_000) int streams,
            @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double chance) {
        Duration wait = Spread.delay(streams, chance);

        assertThat(wait).isBetween(Duration.ZERO, Spread.LONGEST);
        assertThat(wait).isLessThanOrEqualTo(Spread.PER_STREAM.multipliedBy(streams));
    }

    @Property
    void whatChanceSaysIsWhereInTheTimeAStreamLies(@ForAll @IntRange(min = Spread.FEW + 1, max = 100_000) int streams) {
        Duration window = Spread.delay(streams, Math.nextDown(1.0));

        assertThat(window.toNanos()).isPositive();
        assertThat(Spread.delay(streams, 0)).isZero();
        assertThat(Spread.delay(streams, 0.5).toNanos()).isBetween(window.toNanos() / 2 - 1, window.toNanos() / 2 + 1);
    }
}
