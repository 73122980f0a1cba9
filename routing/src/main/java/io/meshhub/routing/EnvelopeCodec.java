package io.meshhub.routing;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of an {@link Envelope} and of a {@link MeshBody} between nodes of the mesh.
 *
 * <p>A version byte comes first, so that a later form can be told from this one. Strings are length-prefixed UTF-8; what
 * is absent costs a bit.
 */
public final class EnvelopeCodec {

    /** The form that this class writes, and the only one that it reads. */
    public static final int VERSION = 1;

    private static final int HAS_FROM = 1 << 2;
    private static final int HAS_PRINCIPAL = 1 << 3;
    private static final int HAS_CORRELATION = 1 << 4;
    private static final int HAS_TRACE = 1 << 5;
    private static final int VERB_MASK = 3;
    private static final int MAX_WIRE_HOPS = 255;

    private EnvelopeCodec() {}

    /** Appends an envelope. */
    public static void write(Buffer out, Envelope envelope) {
        int flags = envelope.verb().wire()
                | (envelope.from() == null ? 0 : HAS_FROM)
                | (envelope.principal() == null ? 0 : HAS_PRINCIPAL)
                | (envelope.correlationId() == null ? 0 : HAS_CORRELATION)
                | (envelope.traceparent() == null ? 0 : HAS_TRACE);
        out.appendByte((byte) VERSION);
        out.appendByte((byte) flags);
        // More than a byte holds must not come back as few: the count stops circles.
        out.appendByte((byte) Math.min(envelope.hops(), MAX_WIRE_HOPS));
        out.appendLong(envelope.epoch());
        out.appendLong(envelope.deadlineMs());
        writeString(out, envelope.to().toString());
        writeString(out, envelope.type());
        writeOptional(out, envelope.from() == null ? null : envelope.from().toString());
        writeOptional(out, envelope.principal());
        writeOptional(out, envelope.correlationId());
        writeOptional(out, envelope.traceparent());
        writeBody(out, envelope.body());
    }

    /**
     * Reads an envelope.
     *
     * @throws IllegalArgumentException when the bytes are of another form
     * @throws io.meshhub.routing.failure.Rejected when they name no address
     */
    public static Envelope read(WireReader in) {
        int version = in.readByte();
        if (version != VERSION) {
            throw new IllegalArgumentException("envelope of form " + version + "; this node reads form " + VERSION);
        }
        int flags = in.readByte();
        int hops = in.readByte();
        long epoch = in.readLong();
        long deadlineMs = in.readLong();
        MeshAddress to = MeshAddress.of(in.readString());
        String type = in.readString();
        String from = (flags & HAS_FROM) == 0 ? null : in.readString();
        String principal = (flags & HAS_PRINCIPAL) == 0 ? null : in.readString();
        String correlation = (flags & HAS_CORRELATION) == 0 ? null : in.readString();
        String trace = (flags & HAS_TRACE) == 0 ? null : in.readString();
        return new Envelope(
                to,
                type,
                readBody(in),
                Verb.ofWire(flags & VERB_MASK),
                from == null ? null : MeshAddress.of(from),
                deadlineMs,
                hops,
                principal,
                correlation,
                trace,
                epoch);
    }

    /** Appends a body. */
    public static void writeBody(Buffer out, MeshBody body) {
        byte[] bytes = body.encode();
        out.appendByte((byte) body.kind().wire());
        if (body.kind() == MeshBody.Kind.RECORD) {
            writeString(out, body.recordType().orElse(""));
        }
        out.appendInt(bytes.length);
        out.appendBytes(bytes);
    }

    /**
     * Reads a body.
     *
     * @throws IllegalArgumentException when it is of a kind that this node does not know
     */
    public static MeshBody readBody(WireReader in) {
        int kind = in.readByte();
        String type = kind == MeshBody.Kind.RECORD.wire() ? in.readString() : null;
        return MeshBody.ofWire(kind, type, in.readBytes(in.readInt()));
    }

    /** Appends a length-prefixed string. */
    public static void writeString(Buffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.appendInt(bytes.length);
        out.appendBytes(bytes);
    }

    private static void writeOptional(Buffer out, @Nullable String text) {
        if (text != null) {
            writeString(out, text);
        }
    }
}
