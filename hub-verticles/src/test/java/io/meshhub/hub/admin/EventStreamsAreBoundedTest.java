package io.meshhub.hub.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client cannot take all event streams of a node, and all together cannot take more than it serves. */
@Timeout(30)
class EventStreamsAreBoundedTest {

    private final OpenStreams open = new OpenStreams(5, 3);

    private static void assertRefused(ThrowingCallable action, int status, String detail) {
        assertThatThrownBy(action).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.document().getInteger("status")).isEqualTo(status);
            assertThat(problem.document().getString("type")).isEqualTo("urn:meshhub:problem:too-many-streams");
            assertThat(problem.document().getString("detail")).contains(detail);
        });
    }

    @Test
    void oneClientHasItsShareAndTheOthersTheRest() {
        for (int i = 0; i < 3; i++) {
            open.open("10.0.0.1");
        }
        assertRefused(() -> open.open("10.0.0.1"), 429, "This client has 3 event streams open");
        open.open("10.0.0.2");
        open.open("10.0.0.2");
        assertRefused(() -> open.open("10.0.0.3"), 503, "5 event streams are open at this node");
    }

    @Test
    void whatIsClosedIsFreeAgainAndNothingIsKeptOfWhoLeft() {
        for (int i = 0; i < 3; i++) {
            open.open("10.0.0.1");
        }
        open.close("10.0.0.1");
        open.open("10.0.0.1");
        assertRefused(() -> open.open("10.0.0.1"), 429, "3");
        for (int i = 0; i < 3; i++) {
            open.close("10.0.0.1");
        }
        assertThat(open.clients()).isZero();
        for (int i = 0; i < 5; i++) {
            open.open("10.0.0." + i);
        }
        assertThat(open.clients()).isEqualTo(5);
    }

    @Test
    void whatIsRefusedIsNotCounted() {
        for (int i = 0; i < 5; i++) {
            open.open("10.0.0." + i);
        }
        assertRefused(() -> open.open("10.0.1.1"), 503, "5");
        assertThat(open.clients()).isEqualTo(5);
        open.close("10.0.0.0");
        open.open("10.0.1.1");
    }

    @Test
    void aQuietStreamCarriesACommentWellBeforeItsConnectionIsTakenForIdle() {
        for (long millis : List.of(100L, 800L, 5_000L, 30_000L, 600_000L)) {
            Duration operation = Duration.ofMillis(millis);
            assertThat(EventStreams.commentEvery(operation).multipliedBy(2)).isLessThan(HttpEdge.idle(operation));
            assertThat(EventStreams.commentEvery(operation)).isBetween(Duration.ofMillis(1), Duration.ofSeconds(15));
        }
    }
}
