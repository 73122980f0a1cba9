package io.meshhub.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.it.chaos.Span;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the check of streams calls a lie, and what it excuses. */
@Timeout(10)
class TruthCheckerTest {

    private static final Duration BOUND = Duration.ofNanos(100);
    private static final SoakHistory.Acknowledged WRITE = new SoakHistory.Acknowledged(1000, "s/1", 5, "b");

    private static SoakHistory.Seen seen(long version, boolean live, long from, long to) {
        return new SoakHistory.Seen("a.1", "s/1", version, live, from, to);
    }

    private static TruthChecker.Found check(List<Span> faults, SoakHistory.Seen... seen) {
        return TruthChecker.check(new SoakHistory(List.of(WRITE), List.of(seen)), faults, BOUND);
    }

    @Test
    void aStreamThatHasTheWriteWithinTheBoundTellsTheTruth() {
        TruthChecker.Found found = check(List.of(), seen(4, true, 0, 1100), seen(5, true, 1101, 9000));

        assertThat(found.lies()).isEmpty();
        assertThat(found.most()).isEqualTo(BOUND);
    }

    @Test
    void aLiveStreamThatIsBehindForLongerLies() {
        assertThat(check(List.of(), seen(4, true, 0, 1101), seen(5, true, 1102, 9000))
                        .lies())
                .hasSize(1);
    }

    @Test
    void versionsThatAreStillBeforeTheWriteAreNoExcuse() {
        assertThat(check(List.of(), seen(3, true, 0, 1060), seen(4, true, 1061, 1120))
                        .lies())
                .hasSize(1);
    }

    @Test
    void oneThatSaysThatItIsNotLiveTellsTheTruth() {
        assertThat(check(List.of(), seen(4, true, 0, 1090), seen(4, false, 1091, 9000), seen(4, true, 9001, 9100))
                        .lies())
                .isEmpty();
    }

    @Test
    void oneThatBecomesLiveAgainWithoutTheWriteHasTheBoundFromThenOn() {
        assertThat(check(List.of(), seen(4, false, 0, 5000), seen(4, true, 5001, 5102))
                        .lies())
                .hasSize(1);
    }

    @Test
    void theBoundCountsAnewFromTheEndOfAStretchInWhichItsProcessWasNotThere() {
        Span frozen = new Span("a.1", "frozen", 1050, 3000);
        Span down = new Span("b", "KILL", 1050, 3000);
        Span other = new Span("c", "KILL", 1050, 3000);

        assertThat(check(List.of(frozen), seen(4, true, 0, 3100)).lies()).isEmpty();
        assertThat(check(List.of(frozen), seen(4, true, 0, 3101)).lies()).hasSize(1);
        assertThat(check(List.of(down), seen(4, true, 0, 3100)).lies())
                .as("the end of the node that wrote excuses nothing")
                .hasSize(1);
        assertThat(check(List.of(other), seen(4, true, 0, 3100)).lies()).hasSize(1);
    }

    @Test
    void aFaultDoesNotExcuseWhatWasTooLateBeforeIt() {
        Span frozen = new Span("a.1", "frozen", 1200, 3000);

        assertThat(check(List.of(frozen), seen(4, true, 0, 3050)).lies()).hasSize(1);
    }
}
