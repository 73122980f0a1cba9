package io.meshhub.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.streams.ReadStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a reader that is slow gets: no more than it asked for, and of what it missed only the latest. */
@Timeout(10)
class ChangeStreamTest {

    private final ChangeStream<Integer> stream = new ChangeStream<>();
    private final List<Object> read = new ArrayList<>();

    private ReadStream<SyncChange<Integer>> reader() {
        return stream.exceptionHandler(failure -> read.add(String.valueOf(failure.getMessage())))
                .endHandler(end -> read.add("end"))
                .handler(change -> read.add(change.value().orElseThrow()));
    }

    private void offer(int... values) {
        for (int value : values) {
            stream.offer(new SyncChange<>(Optional.of(value), value));
        }
    }

    @Test
    void oneThatIsNotPausedGetsEach() {
        reader();
        offer(1, 2, 3);

        assertThat(read).containsExactly(1, 2, 3);
    }

    @Test
    void oneThatIsPausedGetsTheLatestOfWhatItMissedWhenItResumes() {
        reader();
        offer(1);
        stream.pause();
        offer(2, 3, 4);
        assertThat(read).containsExactly(1);

        stream.resume();
        assertThat(read).containsExactly(1, 4);
        offer(5, 6);
        assertThat(read).containsExactly(1, 4, 5, 6);
    }

    @Test
    void oneThatFetchesGetsAsManyAsItAskedFor() {
        stream.pause();
        reader();
        offer(1, 2, 3);
        assertThat(read).isEmpty();

        stream.fetch(1);
        assertThat(read).containsExactly(3);
        offer(4, 5);
        assertThat(read).containsExactly(3);
        stream.fetch(2);
        offer(6, 7);
        assertThat(read).containsExactly(3, 5, 6);
    }

    @Test
    void demandAddsUpAndAFetchAfterAResumeTakesNothingAway() {
        stream.pause();
        reader();
        stream.fetch(1).fetch(1);
        offer(1, 2, 3);
        assertThat(read).containsExactly(1, 2);

        stream.resume().fetch(1).fetch(Long.MAX_VALUE);
        offer(4, 5);
        assertThat(read).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void oneThatComesLateGetsTheLatestAndThenTheEnd() {
        offer(1, 2);
        stream.end(null);

        reader();
        assertThat(read).containsExactly(2, "end");
    }

    @Test
    void theEndComesAfterTheLatestChangeAndOnce() {
        reader();
        stream.pause();
        offer(1, 2);
        stream.end(null);
        assertThat(read).isEmpty();

        stream.fetch(1).fetch(1);
        stream.resume();
        assertThat(read).containsExactly(2, "end");
    }

    @Test
    void theEndOfOneThatMissedNothingComesAlthoughItIsPaused() {
        reader();
        offer(1);
        stream.pause();
        stream.end(new IllegalStateException("the source is gone"));

        assertThat(read).containsExactly(1, "the source is gone", "end");
    }

    @Test
    void oneThatPausesWhileItIsToldGetsNoMore() {
        stream.handler(change -> {
            read.add(change.value().orElseThrow());
            stream.pause();
        });
        offer(1, 2, 3);
        assertThat(read).containsExactly(1);

        stream.fetch(1);
        assertThat(read).containsExactly(1, 3);
    }
}
