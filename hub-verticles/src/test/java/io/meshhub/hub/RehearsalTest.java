package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RehearsalTest {

    /** It plays all of it, and leaves no thread behind. */
    @Test
    void hubOfTheRehearsalAnswersAndEnds() throws Exception {
        assertThat(Rehearsal.play().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo("a line");
    }
}
