package io.meshhub.sync.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.failure.NotFound;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an owner sends to those who follow its state. */
@Timeout(30)
class PublisherTest {

    private static final ActivationId ID = ActivationId.of(3, 1);

    private final Publisher publisher = new Publisher(ID);

    private static Subscribe stream(String id) {
        return view(id, "");
    }

    private static Subscribe view(String id, String view) {
        return new Subscribe(id, "process", "place", view);
    }

    private static Object json(String json) {
        return JsonTrees.of(new JsonObject(json));
    }

    private List<Frame> flush() {
        return publisher.flush().stream().map(it -> (Frame) it.message()).toList();
    }

    @Test
    void subscribingAgainWithTheSameIdRefreshesTheStreamAndOpensNoSecond() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        assertThat(flush()).hasSize(1);

        publisher.subscribe(stream("s"), 0);
        publisher.subscribe(stream("s"), 0);

        List<Frame> frames = flush();
        assertThat(publisher.size()).isEqualTo(1);
        assertThat(frames).hasSize(1);
        assertThat(frames.get(0).content()).isInstanceOf(Frame.Full.class);
        assertThat(frames.get(0).sequence()).isEqualTo(2);
    }

    @Test
    void manyChangesAreOneFrameForEachSubscriber() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        publisher.subscribe(stream("t"), 0);
        flush();

        publisher.set(json("{\"a\":2}"), 2, null);
        publisher.set(json("{\"a\":3}"), 3, null);

        assertThat(flush()).hasSize(2).allSatisfy(frame -> {
            assertThat(frame.version()).isEqualTo(3);
            assertThat(((Frame.Patch) frame.content()).operations()).hasSize(1);
        });
        assertThat(flush()).isEmpty();
    }

    @Test
    void aViewGetsOnlyItsPart() {
        publisher.set(json("{\"a\":{\"b\":1},\"c\":1}"), 1, null);
        publisher.subscribe(view("s", "/a/b"), 0);
        assertThat(((Frame.Full) flush().get(0).content()).document()).isEqualTo(Trees.document(1));

        publisher.set(json("{\"a\":{\"b\":1},\"c\":2}"), 2, null);
        assertThat(((Frame.Patch) flush().get(0).content()).operations()).isEmpty();
    }

    @Test
    void theAuthorGetsNoEchoOfItsOwnChange() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        publisher.subscribe(stream("t"), 0);
        flush();

        publisher.set(json("{\"a\":2}"), 2, new Author("s", 8));

        List<Frame> frames = flush();
        assertThat(frames.get(0).content()).isEqualTo(new Frame.Own(8));
        assertThat(frames.get(1).content()).isInstanceOf(Frame.Patch.class);
    }

    @Test
    void aChangeOfTheAuthorThatIsNotAloneInItsFrameIsSentToItAsWell() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        flush();

        publisher.set(json("{\"a\":2}"), 2, new Author("s", 8));
        publisher.set(json("{\"a\":3}"), 3, null);
        assertThat(flush().get(0).content()).isInstanceOf(Frame.Patch.class);

        publisher.set(json("{\"a\":4}"), 4, null);
        publisher.set(json("{\"a\":5}"), 5, new Author("s", 9));
        assertThat(flush().get(0).content()).isInstanceOf(Frame.Patch.class);
    }

    @Test
    void theVersionStrictlyIncreases() {
        publisher.set(json("{\"a\":1}"), 5, null);
        publisher.set(json("{\"a\":1}"), 5, null);

        assertThatThrownBy(() -> publisher.set(json("{\"a\":2}"), 5, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("version = 5 must be above 5, the version that another state has already");
        assertThatThrownBy(() -> publisher.set(json("{\"a\":1}"), 4, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFinalStateIsSentOnceInFullAndKeepsNobody() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        flush();
        publisher.complete();

        Frame last = flush().get(0);
        assertThat(last.last()).isTrue();
        assertThat(last.content()).isInstanceOf(Frame.Full.class);
        assertThat(publisher.size()).isZero();

        publisher.subscribe(stream("later"), 0);
        assertThat(flush().get(0).last()).isTrue();
        assertThat(publisher.size()).isZero();
        assertThatThrownBy(() -> publisher.set(json("{}"), 2, null)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aStreamThatIsBehindGetsAFullAndOneOfAnotherActivationIsNotKnown() {
        publisher.set(json("{\"a\":1}"), 1, null);
        publisher.subscribe(stream("s"), 0);
        flush();
        publisher.set(json("{\"a\":2}"), 2, null);
        flush();
        MeshAddress address = MeshAddress.of("a/b");

        assertThat(publisher.heard(new Beat.Entry(address, "s", ID, 2), 1)).isTrue();
        assertThat(flush()).isEmpty();
        assertThat(publisher.heard(new Beat.Entry(address, "s", ID, 1), 1)).isTrue();
        assertThat(flush().get(0).content()).isInstanceOf(Frame.Full.class);
        assertThat(publisher.heard(new Beat.Entry(address, "s", ActivationId.of(3, 9), 2), 1))
                .isFalse();
        assertThat(publisher.heard(new Beat.Entry(address, "other", ID, 2), 1)).isFalse();
    }

    @Test
    void aGoodbyeReachesEachStreamOnceAndTravels() {
        publisher.subscribe(stream("s"), 0);
        NotFound verdict = NotFound.noNode(MeshAddress.of("a/b"), "node-1");

        List<Publisher.Outgoing> goodbyes = publisher.goodbye(RunLevel.SHUT_DOWN, "it was deleted", verdict);

        Goodbye read = (Goodbye)
                ToClient.read(new JsonObject(goodbyes.get(0).message().toJson().encode()));
        assertThat(read.stream()).isEqualTo("s");
        assertThat(read.activation()).isEqualTo(ID);
        assertThat(read.level()).isEqualTo(RunLevel.SHUT_DOWN);
        assertThat(read.verdict()).isInstanceOf(NotFound.class).hasMessage(verdict.getMessage());
        assertThat(publisher.goodbye(RunLevel.DEAD, "again", null)).isEmpty();
    }

    @Test
    void aProcessThatIsGoneIsForgottenAtOnce() {
        publisher.subscribe(stream("s"), 0);

        assertThat(publisher.isFollowedBy(terms -> terms.process().equals("process")))
                .isTrue();
        assertThat(publisher.dropProcess("another")).isZero();
        assertThat(publisher.dropProcess("process")).isEqualTo(1);
        assertThat(publisher.dropSilent(1, Duration.ofSeconds(1), process -> true))
                .isZero();
    }
}
