package io.meshhub.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who holds files, as Linux tells it. */
final class FileLocks {

    private static final Path LOCKS = Path.of("/proc/locks");

    private FileLocks() {}

    /** Whether a process keeps others from writing to a file of the directory; false where nobody tells. */
    static boolean isHolding(long pid, Path directory) {
        if (!Files.isReadable(LOCKS) || !Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Set<String> inodes = files.map(FileLocks::inode).collect(Collectors.toUnmodifiableSet());
            return Files.readAllLines(LOCKS).stream()
                    .map(line -> List.of(line.trim().split("\\s+")))
                    .anyMatch(lock -> isOf(lock, pid, inodes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // 7: POSIX  ADVISORY  WRITE 12209 fe:00:2147609 120 120
    private static boolean isOf(List<String> lock, long pid, Set<String> inodes) {
        return lock.size() == 8
                && lock.get(1).equals("POSIX")
                && lock.get(3).equals("WRITE")
                && lock.get(4).equals(Long.toString(pid))
                && inodes.contains(lock.get(5).substring(lock.get(5).lastIndexOf(':') + 1));
    }

    private static String inode(Path file) {
        try {
            return String.valueOf(Files.getAttribute(file, "unix:ino"));
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
