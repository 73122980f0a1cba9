package io.meshhub.routing.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.MeshBody;
import io.meshhub.routing.RunLevel;
import io.meshhub.routing.Verb;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.ShuttingDown;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** R17, M14: a frame brings its entries whole; one that cannot be read harms no other. */
class FrameCodecTest {

    private static final MeshAddress ADDRESS = MeshAddress.of("orders/42");
    private static final ActivationId ACTIVATION = ActivationId.of(10, 3);
    private static final Frame.Sender SENDER = new Frame.Sender("b-1", "b", 3);
    private static final Frame.Entry MARK = new Frame.Answer(99, new Outcome.Accepted(ACTIVATION));

    private static Envelope envelope(MeshBody body, Verb verb) {
        return new Envelope(
                ADDRESS,
                "Ping",
                body,
                verb,
                MeshAddress.of("orders/7"),
                1_500,
                2,
                "alice",
                "c-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                10);
    }

    private static Frame roundTrip(List<Frame.Entry> entries) {
        return read(WireCodec.encode(new Frame(SENDER, entries)));
    }

    private static Frame read(Buffer bytes) {
        return new FrameCodec().decodeFromWire(0, bytes);
    }

    private static Buffer header(int count) {
        Buffer empty = WireCodec.encode(new Frame(SENDER, List.of()));
        return empty.slice(0, empty.length() - 4).copy().appendInt(count);
    }

    /** The bytes of one entry, with its length before it. */
    private static Buffer entry(Frame.Entry entry) {
        Buffer frame = WireCodec.encode(new Frame(SENDER, List.of(entry)));
        return frame.getBuffer(header(1).length(), frame.length());
    }

    private static Buffer raw(Buffer content) {
        return Buffer.buffer().appendInt(content.length()).appendBuffer(content);
    }

    @Test
    void everyKindOfEntryComesBackEqual() {
        List<Frame.Entry> entries = List.of(
                new Frame.Released(ADDRESS, ACTIVATION),
                new Frame.Left(),
                new Frame.Leaving(),
                new Frame.Parted(),
                MARK,
                new Frame.Answer(2, new Outcome.Corrected(77)));

        Frame read = roundTrip(entries);

        assertThat(read.sender()).isEqualTo(SENDER);
        assertThat(read.entries()).isEqualTo(entries);
    }

    @Test
    void messagesComeBackWithAllThatTravels() {
        Envelope sent = envelope(MeshBody.of("text"), Verb.REQUEST);

        Frame read =
                roundTrip(List.of(new Frame.Ask(5, 1, sent), new Frame.Tell(envelope(MeshBody.NULL, Verb.NOTIFY))));

        Frame.Ask ask = (Frame.Ask) read.entries().get(0);
        assertThat(ask.id()).isEqualTo(5);
        assertThat(ask.replyLoop()).isEqualTo(1);
        assertThat(ask.envelope())
                .usingRecursiveComparison()
                .ignoringFields("body")
                .isEqualTo(sent);
        assertThat(ask.envelope().body().as(String.class)).contains("text");
        assertThat(((Frame.Tell) read.entries().get(1)).envelope().verb()).isEqualTo(Verb.NOTIFY);
    }

    @Test
    void answersComeBackWithReplyOrFailure() {
        ShuttingDown refusal = ShuttingDown.refusal(ADDRESS, ACTIVATION, RunLevel.DEAD, "b");

        Frame read = roundTrip(List.of(
                new Frame.Answer(1, new Outcome.Replied(MeshBody.of(42L), ACTIVATION)),
                new Frame.Answer(2, new Outcome.Failed(refusal))));

        Outcome.Replied replied =
                (Outcome.Replied) ((Frame.Answer) read.entries().get(0)).outcome();
        assertThat(replied.activation()).isEqualTo(ACTIVATION);
        assertThat(replied.body().as(Long.class)).contains(42L);
        MeshException failure = ((Outcome.Failed) ((Frame.Answer) read.entries().get(1)).outcome()).failure();
        assertThat(failure).isExactlyInstanceOf(ShuttingDown.class);
        assertThat(failure.detail()).isEqualTo(refusal.detail());
    }

    @Test
    void entryOfAnUnknownKindIsSkipped() {
        Buffer unknown = raw(Buffer.buffer().appendByte((byte) 200).appendString("of a later version"));
        Buffer frame = header(2).appendBuffer(unknown).appendBuffer(entry(MARK));

        assertThat(read(frame).entries()).containsExactly(MARK);
    }

    @Test
    void messageThatCannotBeReadIsNamedByItsNumberAndTheRestUnharmed() {
        Buffer bad = raw(Buffer.buffer()
                .appendByte((byte) 1)
                .appendLong(17)
                .appendByte((byte) 1)
                .appendByte((byte) 9)
                .appendString("an envelope of another form"));
        Buffer frame = header(3).appendBuffer(entry(MARK)).appendBuffer(bad).appendBuffer(entry(MARK));

        List<Frame.Entry> entries = read(frame).entries();

        assertThat(entries).hasSize(3);
        assertThat(entries.get(1)).isInstanceOfSatisfying(Frame.Unreadable.class, unreadable -> {
            assertThat(unreadable.id()).isEqualTo(17);
            assertThat(unreadable.replyLoop()).isEqualTo(1);
            assertThat(unreadable.reason()).contains("form 9");
        });
        assertThat(entries.get(2)).isEqualTo(MARK);
    }

    @Test
    void answerThatCannotBeReadEndsItsRequestAsUnknown() {
        Buffer bad = raw(
                Buffer.buffer().appendByte((byte) 5).appendLong(18).appendInt(3).appendString("{,}"));
        Buffer frame = header(2).appendBuffer(bad).appendBuffer(entry(MARK));

        List<Frame.Entry> entries = read(frame).entries();

        Frame.Answer answer = (Frame.Answer) entries.get(0);
        assertThat(answer.id()).isEqualTo(18);
        assertThat(((Outcome.Failed) answer.outcome()).failure())
                .isInstanceOfSatisfying(
                        Unavailable.class, e -> assertThat(e.sent()).isTrue());
        assertThat(entries.get(1)).isEqualTo(MARK);
    }

    /** A length inside an entry that reaches over its end must not eat into the next one. */
    @Test
    void entryThatReachesOverItsEndIsUnreadable() {
        Buffer whole = entry(new Frame.Ask(21, 0, envelope(MeshBody.of("body"), Verb.REQUEST)));
        int cut = whole.length() - 4 - 3;
        Buffer shortened = raw(whole.getBuffer(4, 4 + cut));
        Buffer frame = header(2).appendBuffer(shortened).appendBuffer(entry(MARK));

        List<Frame.Entry> entries = read(frame).entries();

        assertThat(entries.get(0))
                .isInstanceOfSatisfying(
                        Frame.Unreadable.class,
                        unreadable -> assertThat(unreadable.id()).isEqualTo(21));
        assertThat(entries.get(1)).isEqualTo(MARK);
    }

    @Test
    void hugeLengthInsideAnEntryIsUnreadable() {
        Buffer bad = raw(Buffer.buffer()
                .appendByte((byte) 7)
                .appendLong(ACTIVATION.value())
                .appendInt(Integer.MAX_VALUE)
                .appendString("x"));
        Buffer frame = header(2).appendBuffer(bad).appendBuffer(entry(MARK));

        assertThat(read(frame).entries()).containsExactly(MARK);
    }

    /** What came whole before the fault is delivered. */
    @Property(tries = 300)
    void frameThatIsCutOffKeepsItsWholeEntries(@ForAll @IntRange(min = 0, max = 400) int cut) {
        List<Frame.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            entries.add(new Frame.Released(ADDRESS, ActivationId.of(10, i)));
        }
        Buffer whole = WireCodec.encode(new Frame(SENDER, entries));
        int length = Math.max(header(10).length(), whole.length() - cut);

        List<Frame.Entry> read = read(whole.getBuffer(0, length)).entries();

        assertThat(read)
                .isEqualTo(entries.subList(
                        0,
                        (length - header(10).length()) / entry(entries.get(0)).length()));
    }

    @Property(tries = 1_000)
    void bytesThatWereChangedNeverThrow(@ForAll @IntRange(min = 0, max = 10_000) int position, @ForAll byte value) {
        Buffer whole = WireCodec.encode(new Frame(
                SENDER,
                List.of(
                        new Frame.Ask(21, 0, envelope(MeshBody.of("body"), Verb.REQUEST)),
                        new Frame.Answer(2, new Outcome.Replied(MeshBody.of(42L), ACTIVATION)),
                        new Frame.Released(ADDRESS, ACTIVATION))));
        int start = header(3).length();
        whole.setByte(start + position % (whole.length() - start), value);

        assertThatCode(() -> read(whole)).doesNotThrowAnyException();
    }
}
