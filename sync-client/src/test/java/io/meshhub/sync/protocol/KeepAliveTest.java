package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a process tells a node of its streams. */
@Timeout(30)
class KeepAliveTest {

    private static final Duration DEFAULT = Duration.ofSeconds(45);

    private final KeepAlive link = new KeepAlive();

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    @Test
    void withAnIntervalOf45SecondsTheFirstBeatComesAfter5AndTheSecondAfter50() {
        link.add("s", DEFAULT, 0);

        assertThat(link.beat(seconds(5) - 1)).isEmpty();
        assertThat(link.beat(seconds(5))).containsExactly("s");
        assertThat(link.due()).isEqualTo(OptionalLong.of(seconds(50)));
    }

    @Test
    void withAnIntervalOf200MillisecondsTheFirstBeatComesAfter200() {
        link.add("s", Duration.ofMillis(200), 0);

        assertThat(link.due()).isEqualTo(OptionalLong.of(Duration.ofMillis(200).toNanos()));
        assertThat(link.answerBound()).isLessThan(Duration.ofMillis(200));
    }

    @Test
    void tenThousandStreamsAreOneBeatInAnInterval() {
        for (int i = 0; i < 10_000; i++) {
            link.add("s" + i, DEFAULT, i);
        }

        assertThat(link.beat(seconds(5))).hasSize(10_000);
        assertThat(link.beat(seconds(49))).isEmpty();
        assertThat(link.beats()).isEqualTo(1);
    }

    @Test
    void notFoundEndsTheBeatsOfAStreamForGoodAndFreezesTheCount() {
        link.add("s", DEFAULT, 0);
        link.beat(seconds(5));

        assertThat(link.answered(Map.of("s", Beat.Status.NOT_FOUND))).hasSize(1);

        assertThat(link.due()).isEmpty();
        assertThat(link.beat(seconds(500))).isEmpty();
        assertThat(link.beats()).isEqualTo(1);
        assertThat(link.answered(Map.of("s", Beat.Status.NOT_FOUND))).isEmpty();
    }

    @Test
    void unknownHereIsNewsAndTheBeatsGoOn() {
        link.add("s", DEFAULT, 0);
        link.beat(seconds(5));

        assertThat(link.answered(Map.of("s", Beat.Status.UNKNOWN_HERE))).containsKey("s");
        assertThat(link.beat(seconds(50))).containsExactly("s");
    }

    @Test
    void silenceChangesNothing() {
        link.add("s", DEFAULT, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(link.beat(seconds(5 + 45L * i))).containsExactly("s");
        }
    }

    @Test
    void withoutStreamsItEndsByItself() {
        link.add("s", DEFAULT, 0);
        link.remove("s");

        assertThat(link.due()).isEmpty();
        link.add("t", DEFAULT, seconds(100));
        assertThat(link.due()).isEqualTo(OptionalLong.of(seconds(105)));
    }

    @Property
    void thereIsNeverMoreThanOneBeatInAnInterval(
            @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 40) Integer> pauses) {
        KeepAlive any = new KeepAlive();
        long now = 0;
        long lastBeat = -seconds(45);
        for (int i = 0; i < pauses.size(); i++) {
            now += seconds(pauses.get(i));
            if (i % 5 == 0) {
                any.add("s" + i, DEFAULT, now);
            }
            Set<String> told = any.beat(now);
            if (!told.isEmpty()) {
                assertThat(now - lastBeat).isGreaterThanOrEqualTo(seconds(45));
                assertThat(told).isEqualTo(any.streams());
                lastBeat = now;
            }
        }
    }

    @Test
    void aBeatAndItsAnswerTravel() {
        Beat beat = new Beat(List.of(new Beat.Entry(MeshAddress.of("a/b"), "s", ActivationId.of(0x7fff_0000L, 9), 12)));
        assertThat(Beat.read(new JsonObject(beat.toJson().encode()))).isEqualTo(beat);

        JsonObject answer =
                Beat.answer(Map.of("s", Beat.Status.ALIVE, "t", Beat.Status.NOT_FOUND, "u", Beat.Status.UNKNOWN_HERE));
        assertThat(Beat.readAnswer(new JsonObject(answer.encode())))
                .isEqualTo(Map.of("t", Beat.Status.NOT_FOUND, "u", Beat.Status.UNKNOWN_HERE));
    }
}
