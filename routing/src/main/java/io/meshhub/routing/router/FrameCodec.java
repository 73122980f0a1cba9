package io.meshhub.routing.router;

import io.meshhub.routing.ActivationId;
import io.meshhub.routing.Envelope;
import io.meshhub.routing.EnvelopeCodec;
import io.meshhub.routing.MeshAddress;
import io.meshhub.routing.WireReader;
import io.meshhub.routing.failure.FailureDetail;
import io.meshhub.routing.failure.FailureJson;
import io.meshhub.routing.failure.MeshException;
import io.meshhub.routing.failure.Unavailable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binary form of a {@link Frame}. Every entry says how long it is, so that one that cannot be read is skipped and
 * answered for itself, and the rest of the frame is unharmed.
 */
final class FrameCodec implements MessageCodec<Frame, Frame> {

    private static final Logger LOG = LoggerFactory.getLogger(FrameCodec.class);

    static final String NAME = "mesh-frame-1";

    private static final int ASK = 1;
    private static final int TELL = 2;
    private static final int REPLIED = 3;
    private static final int ACCEPTED = 4;
    private static final int FAILED = 5;
    private static final int CORRECTED = 6;
    private static final int RELEASED = 7;
    private static final int LEFT = 8;
    private static final int LEAVING = 9;
    private static final int PARTED = 10;

    @Override
    public void encodeToWire(Buffer out, Frame frame) {
        reserve(out, frame);
        EnvelopeCodec.writeString(out, frame.sender().incarnation());
        EnvelopeCodec.writeString(out, frame.sender().name());
        out.appendByte((byte) frame.sender().loops());
        out.appendInt(frame.entries().size());
        for (Frame.Entry entry : frame.entries()) {
            int lengthAt = out.length();
            out.appendInt(0);
            write(out, entry);
            out.setInt(lengthAt, out.length() - lengthAt - 4);
        }
    }

    // A buffer that grows by doubling is copied as often as that.
    private static void reserve(Buffer out, Frame frame) {
        if (out instanceof BufferInternal internal) {
            int bytes = 0;
            for (Frame.Entry entry : frame.entries()) {
                bytes += entry.size();
            }
            internal.unwrap().ensureWritable(bytes);
        }
    }

    private static void write(Buffer out, Frame.Entry entry) {
        if (entry instanceof Frame.Ask ask) {
            out.appendByte((byte) ASK).appendLong(ask.id()).appendByte((byte) ask.replyLoop());
            EnvelopeCodec.write(out, ask.envelope());
        } else if (entry instanceof Frame.Tell tell) {
            out.appendByte((byte) TELL);
            EnvelopeCodec.write(out, tell.envelope());
        } else if (entry instanceof Frame.Answer answer) {
            writeOutcome(out, answer.id(), answer.outcome());
        } else if (entry instanceof Frame.Released released) {
            out.appendByte((byte) RELEASED).appendLong(released.activation().value());
            EnvelopeCodec.writeString(out, released.address().toString());
        } else if (entry instanceof Frame.Leaving) {
            out.appendByte((byte) LEAVING);
        } else if (entry instanceof Frame.Parted) {
            out.appendByte((byte) PARTED);
        } else {
            out.appendByte((byte) LEFT);
        }
    }

    private static void writeOutcome(Buffer out, long id, Outcome outcome) {
        if (outcome instanceof Outcome.Replied replied) {
            out.appendByte((byte) REPLIED)
                    .appendLong(id)
                    .appendLong(replied.activation().value());
            EnvelopeCodec.writeBody(out, replied.body());
        } else if (outcome instanceof Outcome.Accepted accepted) {
            out.appendByte((byte) ACCEPTED)
                    .appendLong(id)
                    .appendLong(accepted.activation().value());
        } else if (outcome instanceof Outcome.Failed failed) {
            out.appendByte((byte) FAILED).appendLong(id);
            EnvelopeCodec.writeString(out, FailureJson.write(failed.failure()).encode());
        } else if (outcome instanceof Outcome.Corrected corrected) {
            out.appendByte((byte) CORRECTED).appendLong(id).appendLong(corrected.epoch());
        }
    }

    @Override
    public Frame decodeFromWire(int position, Buffer buffer) {
        WireReader in = new WireReader(buffer, position);
        Frame.Sender sender = new Frame.Sender(in.readString(), in.readString(), in.readByte());
        int count = in.readInt();
        List<Frame.Entry> entries = new ArrayList<>(Math.max(0, Math.min(count, 1024)));
        int start = in.position() + 4;
        for (int i = 0; i < count && start <= buffer.length(); i++) {
            int length = buffer.getInt(start - 4);
            if (length < 0 || length > buffer.length() - start) {
                // Where the next entry begins is not known; what came whole is delivered.
                LOG.warn(
                        "Frame of node {} ends in its entry {} of {}; the rest of it is lost", sender.name(), i, count);
                break;
            }
            // A reader of its own: a length inside that reaches over the entry's end must not eat into the next one.
            Frame.Entry entry = readOrNull(new WireReader(buffer, start, start + length));
            if (entry != null) {
                entries.add(entry);
            }
            start += length + 4;
        }
        return new Frame(sender, entries);
    }

    // Null for an entry of a kind that a later version may send and this one does not know, and for word that cannot be
    // read and that nobody waits for.
    private static Frame.@Nullable Entry readOrNull(WireReader in) {
        try {
            return read(in);
        } catch (IllegalArgumentException | MeshException e) {
            return null;
        }
    }

    private static Frame.@Nullable Entry read(WireReader in) {
        int kind = in.readByte();
        return switch (kind) {
            case ASK -> readAsk(in);
            case TELL -> new Frame.Tell(EnvelopeCodec.read(in));
            case REPLIED -> readReplied(in);
            case ACCEPTED -> new Frame.Answer(in.readLong(), new Outcome.Accepted(new ActivationId(in.readLong())));
            case FAILED -> readFailed(in);
            case CORRECTED -> new Frame.Answer(in.readLong(), new Outcome.Corrected(in.readLong()));
            case RELEASED -> {
                ActivationId activation = new ActivationId(in.readLong());
                yield new Frame.Released(MeshAddress.of(in.readString()), activation);
            }
            case LEFT -> new Frame.Left();
            case LEAVING -> new Frame.Leaving();
            case PARTED -> new Frame.Parted();
            default -> null;
        };
    }

    private static Frame.Entry readAsk(WireReader in) {
        long id = in.readLong();
        int replyLoop = in.readByte();
        try {
            Envelope envelope = EnvelopeCodec.read(in);
            return new Frame.Ask(id, replyLoop, envelope);
        } catch (IllegalArgumentException | MeshException e) {
            return new Frame.Unreadable(id, replyLoop, String.valueOf(e.getMessage()));
        }
    }

    private static Frame.Entry readReplied(WireReader in) {
        long id = in.readLong();
        ActivationId activation = new ActivationId(in.readLong());
        try {
            return new Frame.Answer(id, new Outcome.Replied(EnvelopeCodec.readBody(in), activation));
        } catch (IllegalArgumentException e) {
            return unreadableAnswer(id, e);
        }
    }

    private static Frame.Entry readFailed(WireReader in) {
        long id = in.readLong();
        try {
            return new Frame.Answer(id, new Outcome.Failed(FailureJson.read(new JsonObject(in.readString()))));
        } catch (IllegalArgumentException | DecodeException | ClassCastException e) {
            return unreadableAnswer(id, e);
        }
    }

    private static Frame.Answer unreadableAnswer(long id, RuntimeException e) {
        return new Frame.Answer(
                id,
                new Outcome.Failed(new Unavailable(
                        "The answer came and cannot be read: " + e.getMessage(), FailureDetail.NONE, true)));
    }

    @Override
    public Frame transform(Frame frame) {
        return frame;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
