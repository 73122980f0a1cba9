package io.meshhub.hub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.sync.protocol.KeepAlive;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H4: what a node says of its streams comes before who asked has ceased to wait, though one hub says nothing. */
@Timeout(10)
class TurnBoundTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10, 200, 2_000, 2_222, 4_000, 45_000, 3_600_000})
    void theBoundOfATurnIsShorterThanThatOfTheAnswer(long millis) {
        Duration interval = Duration.ofMillis(millis);
        KeepAlive client = new KeepAlive();
        client.add("s", interval, 0);

        assertThat(SyncOwners.turnBound(interval)).isPositive().isLessThan(client.answerBound());
        assertThat(SyncOwners.turnBound(interval)).isLessThanOrEqualTo(Duration.ofSeconds(2));
    }
}
