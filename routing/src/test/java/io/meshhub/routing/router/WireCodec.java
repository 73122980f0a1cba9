package io.meshhub.routing.router;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes frames on a bus of one process travel as bytes, as they do between two, and remembers them. */
final class WireCodec implements MessageCodec<Frame, Frame> {

    private final FrameCodec codec = new FrameCodec();
    private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();

    /** The frames that were sent so far, as they arrived. */
    List<Frame> frames() {
        return new ArrayList<>(frames);
    }

    /** The entries of a kind that were sent so far. */
    <E extends Frame.Entry> List<E> entries(Class<E> kind) {
        return frames.stream()
                .flatMap(frame -> frame.entries().stream())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    static Buffer encode(Frame frame) {
        Buffer buffer = Buffer.buffer();
        new FrameCodec().encodeToWire(buffer, frame);
        return buffer;
    }

    @Override
    public Frame transform(Frame frame) {
        Frame arrived = codec.decodeFromWire(0, encode(frame));
        frames.add(arrived);
        return arrived;
    }

    @Override
    public void encodeToWire(Buffer buffer, Frame frame) {
        codec.encodeToWire(buffer, frame);
    }

    @Override
    public Frame decodeFromWire(int position, Buffer buffer) {
        return codec.decodeFromWire(position, buffer);
    }

    @Override
    public String name() {
        return codec.name();
    }

    @Override
    public byte systemCodecID() {
        return codec.systemCodecID();
    }
}
