package io.meshhub.hub.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The lock on a node's own directory, {@code data/<node>}: two processes of one node name never run on one machine's
 * data. The operating system lets go of it when the process ends, however it ends; the file stays.
 */
final class DataLock implements AutoCloseable {

    private static final String FILE = "lock";

    // Far behind the content: where locks are mandatory, the holder's number must stay readable.
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private static final int MAX_PID_BYTES = 32;

    private final FileChannel channel;
    private final Path directory;

    private DataLock(FileChannel channel, Path directory) {
        this.channel = channel;
        this.directory = directory;
    }

    /**
     * Takes the lock, and makes the directory where it is missing.
     *
     * @throws StartRefused when another process has it, or the directory cannot be used
     */
    static DataLock acquire(Path data, String node) {
        Path directory = data.resolve(node);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(
                    directory.resolve(FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                String holder = holder(channel);
                channel.close();
                throw new StartRefused("Data directory '" + directory + "' is in use by process " + holder
                        + ": end that process, or name another node (--node) or directory (--data)");
            }
            write(channel);
            return new DataLock(channel, directory);
        } catch (IOException e) {
            throw new StartRefused("Data directory '" + directory + "' cannot be used: " + e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, false);
        } catch (OverlappingFileLockException e) {
            // Held by this very process.
            return null;
        }
    }

    private static void write(FileChannel channel) throws IOException {
        channel.truncate(0);
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.wrap(pid);
        while (buffer.hasRemaining()) {
            channel.write(buffer, buffer.position());
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_PID_BYTES);
        channel.read(buffer, 0);
        String pid = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
        return pid.matches("\\d+") ? pid : "(unknown)";
    }

    /** The locked directory. */
    Path directory() {
        return directory;
    }

    /** Lets go of it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
