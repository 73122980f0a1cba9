package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Places in count and bytes: never more than the bound, and none is lost or made by a refusal. */
class PlacesProperties {

    @Property
    void takenIsWhatWasAdmittedAndNotGivenBack(
            @ForAll @IntRange(min = 1, max = 20) int maxCount,
            @ForAll @IntRange(min = 1, max = 500) int maxBytes,
            @ForAll @Size(max = 100) List<@IntRange(min = -1, max = 100) Integer> steps) {
        Places places = new Places(maxCount, maxBytes);
        ArrayDeque<Integer> model = new ArrayDeque<>();
        for (int step : steps) {
            int sum = model.stream().mapToInt(Integer::intValue).sum();
            if (step < 0) {
                if (!model.isEmpty()) {
                    places.give(model.remove());
                }
            } else {
                Places.Taken taken = places.take(step);
                boolean fits = model.size() < maxCount && sum + step <= maxBytes;
                assertThat(taken.done()).isEqualTo(fits);
                if (fits) {
                    model.add(step);
                } else {
                    assertThat(taken.observed()).isEqualTo(taken.tooMany() ? model.size() + 1 : sum + step);
                }
            }
            assertThat(places.count()).isEqualTo(model.size());
            assertThat(places.bytes())
                    .isEqualTo(model.stream().mapToInt(Integer::intValue).sum());
        }
    }

    /** What is told at a bound is useful: neither at once nor never, and shorter the faster the queue empties. */
    @Property
    void theHintStaysWithinItsBounds(
            @ForAll @Size(max = 50) List<@IntRange(min = 0, max = 3_000) Integer> stepsMs,
            @ForAll @IntRange(min = 1, max = 100_000) int waiting) {
        DrainRate rate = new DrainRate();
        long now = 0;
        long done = 0;
        for (int step : stepsMs) {
            now += step * 1_000_000L;
            done += step;
            assertThat(rate.retryAfter(waiting, done, now)).isBetween(DrainRate.LEAST, DrainRate.MOST);
        }
    }

    @Property
    void theHintIsWhenHalfHasGone(@ForAll @IntRange(min = 1, max = 1_000) int perMs) {
        DrainRate rate = new DrainRate();
        assertThat(rate.retryAfter(10_000, 0, 0)).isEqualTo(DrainRate.FIRST);
        assertThat(rate.retryAfter(100L * perMs, 50L * perMs, 50_000_000).toMillis())
                .isBetween(49L, 50L);
    }
}
