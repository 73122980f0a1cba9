package io.meshhub.hub.launcher.client;

import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a stream as bytes, so that a line that is no UTF-8, or without end, costs no other line. The end of a
 * line is LF or CRLF; a byte order mark at the very start is no part of the first line.
 */
final class ImportLines implements Closeable {

    /**
     * One line.
     *
     * @param number counted from 1
     * @param bytes without the end; what fitted, when it is too long
     * @param tooLong whether it was longer than the bound
     */
    record Line(long number, Buffer bytes, boolean tooLong) {}

    private final InputStream in;
    private final int maxBytes;
    private long number;
    // Written by the reader alone, read for progress by another thread.
    private volatile long bytesRead;

    ImportLines(InputStream in, int maxBytes) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.maxBytes = maxBytes;
    }

    /** The bytes read so far. */
    long bytesRead() {
        return bytesRead;
    }

    /** The next line; null at the end. */
    @Nullable
    Line next() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        long length = 0;
        int b = in.read();
        if (b < 0) {
            return null;
        }
        while (b >= 0 && b != '\n') {
            if (length++ < maxBytes) {
                bytes.write(b);
            }
            b = in.read();
        }
        bytesRead = bytesRead + length + 1;
        number++;
        return new Line(number, Buffer.buffer(trimmed(bytes.toByteArray())), length > maxBytes);
    }

    private byte[] trimmed(byte[] line) {
        int from = number == 1
                        && line.length >= 3
                        && line[0] == (byte) 0xEF
                        && line[1] == (byte) 0xBB
                        && line[2] == (byte) 0xBF
                ? 3
                : 0;
        int to = line.length > from && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
        return Arrays.copyOfRange(line, from, to);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
