package io.meshhub.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhub.routing.failure.Rejected;
import io.vertx.core.buffer.Buffer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The binary form of an envelope: it comes back whole, and anything else fails by one kind of exception. */
class EnvelopeCodecTest {

    @Property
    void whatIsWrittenIsRead(@ForAll("envelopes") Envelope envelope, @ForAll @IntRange(min = 0, max = 9) int offset) {
        Buffer wire = Buffer.buffer(new byte[offset]);
        EnvelopeCodec.write(wire, envelope);
        WireReader in = new WireReader(wire, offset);
        Envelope read = EnvelopeCodec.read(in);

        EnvelopeSamples.assertAlike(read, envelope);
        assertThat(in.position()).isEqualTo(wire.length());
    }

    @Property(tries = 200)
    void anEnvelopeThatIsCutOffAtAnyLengthFailsCleanly(@ForAll("envelopes") Envelope envelope) {
        Buffer wire = written(envelope);
        for (int length = 0; length < wire.length(); length++) {
            WireReader in = new WireReader(wire.getBuffer(0, length), 0);
            assertThatThrownBy(() -> EnvelopeCodec.read(in))
                    .as("cut to %s of %s bytes", length, wire.length())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not fit into");
        }
    }

    @Property(tries = 2000)
    void bytesThatWereDamagedAreReadOrFailCleanly(
            @ForAll("envelopes") Envelope envelope, @ForAll @IntRange(min = 0, max = 100) int at, @ForAll int damage) {
        Buffer wire = written(envelope);
        wire.setInt(at % (wire.length() - 3), damage);
        try {
            assertThat(EnvelopeCodec.read(new WireReader(wire, 0)).to()).isNotNull();
        } catch (IllegalArgumentException | Rejected expected) {
            assertThat(expected).hasMessageMatching("(?s).+");
        }
    }

    @Test
    void aLengthNearTheHighestNumberDoesNotFit() {
        Buffer wire = Buffer.buffer().appendInt(Integer.MAX_VALUE).appendString("abc");

        assertThatThrownBy(() -> new WireReader(wire, 0).readString())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a value of 2147483647 bytes at position 4 does not fit into 7 bytes");
        assertThatThrownBy(() -> new WireReader(Buffer.buffer().appendInt(-1), 0).readString())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherFormIsRefusedWithBothNumbers() {
        Buffer wire = written(EnvelopeSamples.full()).setByte(0, (byte) 2);

        assertThatThrownBy(() -> EnvelopeCodec.read(new WireReader(wire, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("envelope of form 2; this node reads form 1");
    }

    @Test
    void anUnknownVerbIsRefused() {
        Buffer wire = written(EnvelopeSamples.bare(MeshBody.NULL, Verb.NOTIFY)).setByte(1, (byte) 3);

        assertThatThrownBy(() -> EnvelopeCodec.read(new WireReader(wire, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("envelope with a verb that this node does not know: 3");
    }

    @Test
    void anUnknownKindOfBodyIsRefused() {
        Buffer wire = written(EnvelopeSamples.bare(MeshBody.NULL, Verb.SEND));
        wire.setByte(wire.length() - 5, (byte) 77);

        assertThatThrownBy(() -> EnvelopeCodec.read(new WireReader(wire, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("77");
    }

    @Test
    void aMalformedAddressIsRejected() {
        Buffer wire = written(EnvelopeSamples.bare(MeshBody.NULL, Verb.SEND)).setByte(23, (byte) '*');

        assertThatThrownBy(() -> EnvelopeCodec.read(new WireReader(wire, 0))).isInstanceOf(Rejected.class);
    }

    @Test
    void moreHopsThanAByteHoldsStayTooMany() {
        Envelope full = EnvelopeSamples.full();
        Envelope looping =
                new Envelope(full.to(), full.type(), full.body(), full.verb(), null, 1, 256 + 3, null, null, null, 0);

        assertThat(EnvelopeCodec.read(new WireReader(written(looping), 0)).hops())
                .isGreaterThan(Envelope.MAX_HOPS);
    }

    @Test
    void aMessageIsIgnorableWhenItIsANotificationOnly() {
        assertThat(EnvelopeSamples.bare(MeshBody.NULL, Verb.NOTIFY).ignorable()).isTrue();
        assertThat(EnvelopeSamples.bare(MeshBody.NULL, Verb.SEND).ignorable()).isFalse();
        assertThat(EnvelopeSamples.bare(MeshBody.NULL, Verb.REQUEST).ignorable())
                .isFalse();
    }

    @Test
    void routingChangesEpochAndTimeAndNothingElse() {
        Envelope full = EnvelopeSamples.full();
        Envelope routed = full.routed(100, 5);

        assertThat(routed.epoch()).isEqualTo(100);
        assertThat(routed.deadlineMs()).isEqualTo(5);
        assertThat(routed.routed(full.epoch(), full.deadlineMs())).isEqualTo(full);
        assertThat(full.copy()).as("a record needs no copy").isSameAs(full);
    }

    @Provide
    Arbitrary<Envelope> envelopes() {
        return EnvelopeSamples.any();
    }

    private static Buffer written(Envelope envelope) {
        Buffer wire = Buffer.buffer();
        EnvelopeCodec.write(wire, envelope);
        return wire;
    }
}
