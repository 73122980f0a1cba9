package io.meshhub.routing;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Reads a buffer from front to back, and says where it ends too early. */
public final class WireReader {

    private final Buffer buffer;
    private final int end;
    private int position;

    /** Starts at that position. */
    public WireReader(Buffer buffer, int position) {
        this(buffer, position, buffer.length());
    }

    /** The same, and reads nothing from that end on. */
    public WireReader(Buffer buffer, int position, int end) {
        this.buffer = buffer;
        this.position = position;
        this.end = end;
    }

    /** Where the next value begins. */
    public int position() {
        return position;
    }

    /** Goes on at that position. */
    public void skipTo(int newPosition) {
        position = newPosition;
    }

    /** Reads an unsigned byte. */
    public int readByte() {
        return buffer.getUnsignedByte(advance(1));
    }

    /** Reads a number of 32 bits. */
    public int readInt() {
        return buffer.getInt(advance(4));
    }

    /** Reads a number of 64 bits. */
    public long readLong() {
        return buffer.getLong(advance(8));
    }

    /** Reads so many bytes, into an array of their own. */
    public byte[] readBytes(int length) {
        int start = advance(length);
        return buffer.getBytes(start, start + length);
    }

    /** Reads a length-prefixed string. */
    public String readString() {
        return new String(readBytes(readInt()), StandardCharsets.UTF_8);
    }

    private int advance(int length) {
        int start = position;
        // Not start + length: a length near the highest number would wrap and seem to fit.
        if (length < 0 || length > end - start) {
            throw new IllegalArgumentException(
                    "a value of " + length + " bytes at position " + start + " does not fit into " + end + " bytes");
        }
        position = start + length;
        return start;
    }
}
