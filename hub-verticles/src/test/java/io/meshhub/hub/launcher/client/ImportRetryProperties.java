package io.meshhub.hub.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ImportRetryProperties {

    private static CallFailure failure(String remedy, int retryAfter) {
        return CallFailure.answered(
                503,
                FakeNode.problem(503, "Unavailable", remedy, "no"),
                retryAfter == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(retryAfter)));
    }

    /** A line is ridden out within the bound, and with pauses that let it end: no storm, no endless wait. */
    @Property
    void ridingOutEndsWithinTheBound(
            @ForAll @IntRange(max = 120) int bound, @ForAll @IntRange(max = 20) int retryAfter) {
        ImportRetry retry = new ImportRetry(Duration.ofSeconds(bound));
        Duration elapsed = Duration.ZERO;
        int attempts = 1;
        for (Optional<Duration> pause = retry.pause(failure("RIDE_OUT", retryAfter), attempts, elapsed);
                pause.isPresent();
                pause = retry.pause(failure("RIDE_OUT", retryAfter), attempts, elapsed)) {
            assertThat(pause.get()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(Math.max(5, retryAfter)));
            elapsed = elapsed.plus(pause.get());
            attempts++;
        }

        assertThat(elapsed).isLessThanOrEqualTo(Duration.ofSeconds(bound));
        assertThat(attempts).isLessThanOrEqualTo(bound + 5);
    }

    @Property(tries = 1)
    void verdictIsNotRepeated() {
        assertThat(ImportRetry.DEFAULT.pause(failure("STOP", 1), 1, Duration.ZERO))
                .isEmpty();
        assertThat(ImportRetry.DEFAULT.pause(failure("REPORT", 0), 1, Duration.ZERO))
                .isEmpty();
    }
}
