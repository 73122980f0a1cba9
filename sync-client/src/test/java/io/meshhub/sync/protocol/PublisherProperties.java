package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhub.routing.ActivationId;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** An owner and a mirror between which frames are lost: the mirror is right whenever it does not say that it is not. */
class PublisherProperties {

    private static final ActivationId ID = ActivationId.of(3, 1);
    private static final Duration INTERVAL = Duration.ofSeconds(45);

    /** What happens next. */
    private record Happening(int kind, Object tree) {}

    @Provide
    Arbitrary<List<Happening>> happenings() {
        return Combinators.combine(Arbitraries.integers().between(0, 5), Trees.trees())
                .as(Happening::new)
                .list()
                .ofMaxSize(30);
    }

    @Property(tries = 500)
    void aMirrorIsRightOrKnowsThatItIsNotAndABeatHealsIt(@ForAll("happenings") List<Happening> happenings) {
        Publisher owner = new Publisher(ID);
        Subscribe terms = new Subscribe("s", "p", "place", "");
        owner.subscribe(terms, 0);
        Mirror mirror = Mirror.empty();
        long version = 0;
        long sequence = 0;
        for (Happening happening : happenings) {
            boolean lost = false;
            switch (happening.kind()) {
                case 0, 1 -> owner.set(happening.tree(), ++version, null);
                case 2 -> lost = true;
                case 3 -> owner.subscribe(terms, 0);
                case 4 -> {
                    if (!owner.heard(beat(mirror), 0)) {
                        throw new AssertionError("the owner forgot the stream");
                    }
                }
                default -> {
                    owner.set(happening.tree(), ++version, null);
                    continue; // One more change before the flush.
                }
            }
            List<Publisher.Outgoing> frames = owner.flush();
            assertThat(frames).as("frames of one flush").hasSizeLessThanOrEqualTo(1);
            for (Publisher.Outgoing outgoing : frames) {
                Frame frame = (Frame)
                        ToClient.read(new JsonObject(outgoing.message().toJson().encode()));
                assertThat(frame.sequence()).isEqualTo(++sequence);
                mirror = lost ? mirror : mirror.on(frame).mirror();
            }
            if (mirror.sequence() == sequence && sequence > 0) {
                assertThat(mirror.value().orElse(null)).isEqualTo(owner.state());
            }
        }
        owner.heard(beat(mirror), 0);
        for (Publisher.Outgoing outgoing : owner.flush()) {
            mirror = mirror.on((Frame) outgoing.message()).mirror();
        }
        assertThat(mirror.value().orElse(null)).isEqualTo(owner.state());
        assertThat(mirror.version()).isEqualTo(version);
    }

    private static Beat.Entry beat(Mirror mirror) {
        return new Beat.Entry(
                io.meshhub.routing.MeshAddress.of("a/b"), "s", ID, mirror.isWaiting() ? 0 : mirror.sequence());
    }

    @Property(tries = 200)
    void aSubscriberThatIsHeardWithinThreeIntervalsStaysHoweverItsBeatsJitter(
            @ForAll("gaps") List<Integer> secondsBetween) {
        Publisher owner = new Publisher(ID);
        owner.subscribe(new Subscribe("s", "p", "place", ""), 0);
        long now = 0;
        for (int seconds : secondsBetween) {
            now += Duration.ofSeconds(seconds).toNanos();
            assertThat(owner.dropSilent(now, INTERVAL, process -> true)).isZero();
            assertThat(owner.heard(beat(Mirror.empty()), now)).isTrue();
        }
        now += INTERVAL.multipliedBy(3).toNanos();
        assertThat(owner.dropSilent(now, INTERVAL, process -> true)).isZero();
        assertThat(owner.dropSilent(now + 1, INTERVAL, process -> false)).isZero();
        assertThat(owner.dropSilent(now + 1, INTERVAL, process -> true)).isEqualTo(1);
        assertThat(owner.heard(beat(Mirror.empty()), now + 2)).isFalse();
    }

    @Provide
    Arbitrary<List<Integer>> gaps() {
        return Arbitraries.integers().between(1, 135).list().ofMaxSize(20);
    }
}
