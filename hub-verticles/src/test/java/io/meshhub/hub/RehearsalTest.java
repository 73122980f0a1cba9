package io.meshhub.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
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

    /** A node must come up also where its rehearsal hangs. */
    @Test
    void rehearsalThatDoesNotEndIsWaitedForNoLongerThanItsBound() {
        List<Runnable> due = new ArrayList<>();
        Future<Void> waited = Rehearsal.within(
                (delay, action) -> {
                    due.add(action);
                    return () -> due.remove(action);
                },
                Promise.<Void>promise().future());

        assertThat(waited.isComplete()).isFalse();
        assertThat(due).hasSize(1);
        due.get(0).run();

        assertThat(waited.succeeded()).isTrue();
    }

    @Test
    void rehearsalThatEndsLeavesNoTimer() {
        List<Runnable> due = new ArrayList<>();
        Promise<Void> rehearsed = Promise.promise();
        Future<Void> waited = Rehearsal.within(
                (delay, action) -> {
                    due.add(action);
                    return () -> due.remove(action);
                },
                rehearsed.future());
        rehearsed.complete();

        assertThat(waited.succeeded()).isTrue();
        assertThat(due).isEmpty();
    }
}
